/**
 * The same servers with one thing changed: the suite reports what that breaks, and does not fail what is only
 * unusual.
 */
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../reference/index.ts';
import { runAgainst } from '../lib/conform.ts';
import { JMONDI } from './expected.ts';
import { startJmondi } from './jmondi.ts';
import { startOidcProvider, Table } from './oidc.ts';
import { PATHS, type Peer } from './peer.ts';

type Parameters = Record<string, string>;
type Members = Record<string, unknown>;

/** A proxy between client and server: it changes the parameters of requests, and members of JSON answers. */
interface Between {
  asked?: (parameters: Parameters) => Parameters;
  answered?: (members: Members, parameters: Parameters, path: string) => Members;
}

/** Returns the peer behind such a proxy. */
async function behind(peer: Peer, { asked = (p) => p, answered = (m) => m }: Between): Promise<Peer> {
  const { baseUrl } = peer.target.shipping as { baseUrl: string };
  const { url, close } = await listen(async (request) => {
    const { pathname } = new URL(request.url);
    const type = request.headers.get('content-type') ?? '';
    const text = await request.text();
    const isForm = type.startsWith('application/x-www-form-urlencoded');
    const parameters = asked(isForm ? Object.fromEntries(new URLSearchParams(text)) : jsonOf(text));
    const body = isForm ? new URLSearchParams(parameters).toString() : text;
    const answer = await fetch(baseUrl + pathname, {
      method: request.method,
      headers: { 'content-type': type },
      ...(request.method === 'POST' && { body }),
    });
    const given = await answer.text();
    const members = jsonOf(given);
    return new Response(
      Object.keys(members).length === 0 ? given : JSON.stringify(answered(members, parameters, pathname)),
      { status: answer.status, headers: { 'content-type': answer.headers.get('content-type') ?? '' } },
    );
  });
  onTestFinished(async () => {
    await close();
    await peer.close();
  });
  return { ...peer, target: { ...peer.target, shipping: { ...peer.target.shipping, baseUrl: url } } };
}

function jsonOf(text: string): Parameters {
  try {
    return JSON.parse(text) as Parameters;
  } catch {
    return {};
  }
}

async function failed(peer: Peer, ...grep: string[]): Promise<string[]> {
  const args = ['--suite', 'oauth-token', ...grep.flatMap((id) => ['--grep', id])];
  const { report } = await runAgainst(peer.target, args);
  return report.requirements.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);
}

test('a token type in lower case, of refreshed tokens only', async () => {
  const peer = await behind(await startJmondi(), {
    answered: (members, { grant_type }) =>
      grant_type === 'refresh_token' && 'token_type' in members
        ? { ...members, token_type: 'bearer' }
        : members,
  });
  expect(await failed(peer, 'TOKEN-RESPONSE-TOKEN-TYPE')).toContain('TOKEN-RESPONSE-TOKEN-TYPE');
});

test('blanks around a secret that are dropped on the way', async () => {
  const peer = await behind(await startOidcProvider(), {
    asked: ({ client_secret: secret, ...rest }) => ({
      ...rest,
      ...(secret !== undefined && { client_secret: secret.trim() }),
    }),
  });
  expect(await failed(peer, 'TOKEN-ISSUE-NEAR-*')).toEqual(['TOKEN-ISSUE-NEAR-SECRET-401']);
});

test('a store that brings back what was destroyed with the next token', async () => {
  class Restoring extends Table {
    readonly #destroyed = new Map<string, Record<string, unknown>>();

    override async upsert(id: string, row: Record<string, unknown>): Promise<void> {
      await super.upsert(id, row);
      for (const [each, earlier] of this.#destroyed) await super.upsert(each, earlier);
      this.#destroyed.clear();
    }

    override async destroy(id: string): Promise<void> {
      const row = await this.find(id);
      if (row) this.#destroyed.set(id, row);
      await super.destroy(id);
    }
  }
  const peer = await startOidcProvider(Restoring);
  onTestFinished(() => peer.close());
  expect(await failed(peer, 'TOKEN-REVOKE-REMEMBERED')).toEqual(['TOKEN-REVOKE-REMEMBERED']);
});

test('further members, long ones, and another order are no fault', async () => {
  const peer = await behind(await startJmondi(), {
    answered: (members, _, path) => {
      const further = {
        trace: { id: 7, tags: [null] },
        ...Object.fromEntries(Object.entries(members).reverse()),
      };
      return path === PATHS.token ? { ...further, realm: 'x'.repeat(2_000), refresh_expires_in: 5 } : further;
    },
  });
  const known = Object.keys(JMONDI.failed);
  const found = await failed(peer, 'TOKEN-RESPONSE-*', 'TOKEN-ISSUE-*', 'TOKEN-INTROSPECT-*');
  expect(found.filter((id) => !known.includes(id) && id !== 'TOKEN-RESPONSE-EXPIRES-IN')).toEqual([]);
});
