/** Discovery (section 4): the challenge, the two metadata documents, and where they lead. Nothing here needs a key. */
import type { CheckContext } from '../../../lib/check/context.ts';
import type { Session } from '../../../lib/check/session.ts';
import { Blocked, Skipped, Undecided } from '../../../lib/check/verdict.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { AgentsConfig } from '../../../lib/target/types.ts';
import { findBearer, type ParsedChallenges, parseChallenges } from './challenge.ts';
import { isJsonObject } from './media.ts';
import { Origins } from './origins.ts';
import { headersFor } from './requests.ts';
import { scrape } from './scrape.ts';

/** The answer to a call without a key, and what its challenge says. */
export interface Challenged extends ParsedChallenges {
  answer: Answer;
  /** Values of `WWW-Authenticate`, one a field. */
  fields: string[];
  bearer: boolean;
  /** `resource_metadata` as it stands there. */
  metadata?: string;
  /** `error` of the challenge. */
  code?: string;
}

export class Discovery {
  readonly #session: Session;
  readonly origins: Origins;

  constructor(context: Pick<CheckContext, 'session'>) {
    this.#session = context.session;
    this.origins = new Origins(context.session.target);
  }

  get config(): AgentsConfig {
    return this.#session.target.agents as AgentsConfig;
  }

  /** Address of the metadata documents and the registration endpoint, without a slash at the end. */
  get authUrl(): string {
    return (this.config.authUrl ?? this.config.baseUrl).replace(/\/+$/, '');
  }

  /** The well-known addresses (endpoints 1 and 2) and the registration endpoint (3). */
  get urls(): { resource: string; server: string; register: string } {
    return {
      resource: `${this.authUrl}/.well-known/oauth-protected-resource`,
      server: `${this.authUrl}/.well-known/oauth-authorization-server`,
      register: `${this.authUrl}/agent/auth`,
    };
  }

  /** GET without credentials, once for each address. Throws `Skipped` for an address that is not allowed. */
  get(url: string, purpose: string): Promise<Answer> {
    this.origins.require(url);
    return this.#session.once(`agents: GET ${new URL(url).href}`, () =>
      this.#session.http.send({ method: 'GET', url, purpose, headers: headersFor(this.config) }),
    );
  }

  /** The same once more, when registrations have been made: what is served may change with them. */
  later(url: string): Promise<Answer> {
    this.origins.require(url);
    return this.#session.once(`agents: GET ${new URL(url).href} later`, () =>
      this.#session.http.send({
        method: 'GET',
        url,
        purpose: 'read the metadata again after registrations',
        headers: headersFor(this.config),
      }),
    );
  }

  /** The protected resource metadata at its well-known address. */
  resource(): Promise<Answer> {
    return this.get(this.urls.resource, 'read the protected resource metadata');
  }

  /** The authorization server metadata at its well-known address. */
  server(): Promise<Answer> {
    return this.get(this.urls.server, 'read the authorization server metadata');
  }

  /** A scrape call without a key. */
  challenge(): Promise<Challenged> {
    return this.#session.once('agents: challenge', async () => {
      const answer = await scrape(this.#session, { purpose: 'call the API without a key' });
      const fields = answer.header('www-authenticate');
      const { bearer, metadata, error: code } = findBearer(fields);
      return {
        answer,
        fields,
        bearer,
        ...parseChallenges(fields),
        ...(metadata !== undefined && { metadata }),
        ...(code !== undefined && { code }),
      };
    });
  }

  /** The address in the challenge. Throws `Blocked` when there is none, `Skipped` when it is not allowed. */
  async challengeUrl(): Promise<string> {
    const { metadata } = await this.challenge();
    if (metadata === undefined || !isHttpUrl(metadata)) {
      throw new Blocked('the challenge names no metadata', 'AGENT-CHALLENGE-RESOURCE-METADATA');
    }
    this.origins.require(metadata);
    return metadata;
  }

  /** The document that the challenge leads to. */
  async challengeResource(): Promise<Answer> {
    return this.get(await this.challengeUrl(), 'read the metadata that the challenge names');
  }

  /** `agent_auth_uri` of the metadata. Throws `Blocked` when there is none, `Skipped` when it is not allowed. */
  async agentAuthUrl(): Promise<string> {
    const uri = (await this.resource()).at('/agent_auth_uri');
    if (typeof uri !== 'string' || !isHttpUrl(uri)) {
      throw new Blocked('the metadata has no usable agent_auth_uri', 'AGENT-PRM-AGENT-AUTH-URI');
    }
    this.origins.require(uri);
    return uri;
  }

  /** The document that `agent_auth_uri` leads to. */
  async agentAuthDocument(): Promise<Answer> {
    return this.get(await this.agentAuthUrl(), 'read what agent_auth_uri names');
  }

  /**
   * What `aud` may have to be, the likeliest first: the configured audience, or the `resource` of the document
   * that the challenge names and of the well-known one. Throws `Blocked` when there is none.
   */
  async audiences(): Promise<string[]> {
    if (this.config.audience !== undefined) return [this.config.audience];
    const documents = await Promise.all([open(this.challengeResource()), open(this.resource())]);
    const found = documents.flatMap((answer) => {
      const resource = answer?.ok ? answer.at('/resource') : undefined;
      return isHttpUrl(resource) ? [resource] : [];
    });
    if (found.length === 0) {
      throw new Blocked(
        'no audience for assertions: the metadata has no usable `resource`',
        'AGENT-PRM-RESOURCE',
      );
    }
    return [...new Set(found)];
  }

  /** Where registrations may be taken, the likeliest first: `register_uri`, then the documented path. */
  async registerUrls(): Promise<string[]> {
    const documents = await Promise.all([open(this.server()), open(this.agentAuthDocument())]);
    const named = documents.flatMap((answer) => {
      const uri = answer?.ok ? answer.at('/agent_auth/register_uri') : undefined;
      return typeof uri === 'string' && this.origins.allows(uri) ? [new URL(uri).href] : [];
    });
    return [...new Set([...named, new URL(this.urls.register).href])];
  }
}

/** The answer, or nothing where none is to be had: another way may lead on. */
async function open(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Blocked || error instanceof Skipped || error instanceof Undecided) return undefined;
    throw error;
  }
}

/** True for an absolute http or https URL. */
export function isHttpUrl(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value);
}

/** Members of the protected resource metadata of which one is enough to recognise it. */
const RESOURCE_MEMBERS = [
  'resource',
  'resource_name',
  'authorization_servers',
  'scopes_supported',
  'agent_auth_uri',
];

/** An answer that is the protected resource metadata; which members are missing is judged one by one. */
export function isResourceMetadata({ status, json }: Answer): boolean {
  return status === 200 && isJsonObject(json) && RESOURCE_MEMBERS.some((name) => Object.hasOwn(json, name));
}

/** An answer that is authorization server metadata with the block `agent_auth`. */
export function isServerMetadata(answer: Answer): boolean {
  return answer.status === 200 && isJsonObject(answer.at('/agent_auth'));
}
