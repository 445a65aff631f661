/** The identity provider of a run, and the users that it asserts. */
import { randomBytes } from 'node:crypto';
import type { CheckContext } from '../../../lib/check/context.ts';
import { seededFaker } from '../../../lib/check/data.ts';
import type { Session } from '../../../lib/check/session.ts';
import { Skipped, Undecided } from '../../../lib/check/verdict.ts';
import { IdentityProvider, type Subject } from '../../../lib/idp/identity-provider.ts';
import { serveJwks } from '../../../lib/idp/jwks-server.ts';
import { hookSigner, keySigner, type Signer } from '../../../lib/idp/signer.ts';
import { Discovery } from './discovery.ts';

/** Whether the configuration lets the suite sign valid assertions. */
export function canSign(session: Session): boolean {
  return signerOf(session) !== undefined && session.target.agents?.issuer !== undefined;
}

/** The identity provider of the run. Throws `Skipped`, naming the keys to set, where there is none. */
export function identityProvider(session: Session): Promise<IdentityProvider> {
  return session.once('agents: identity provider', async () => {
    const { name, agents } = session.target;
    const signer = signerOf(session);
    if (!signer || agents?.issuer === undefined) {
      const missing = [
        ...(signer ? [] : [`\`targets.${name}.agents.key\` or \`targets.${name}.hooks.mint\``]),
        ...(agents?.issuer === undefined ? [`\`targets.${name}.agents.issuer\``] : []),
      ];
      throw new Skipped(`needs a valid assertion: set ${missing.join(' and ')}`);
    }
    await learnTime(session);
    const provider = new IdentityProvider(agents.issuer, signer, () => session.time.now());
    await publish(session, provider);
    return provider;
  });
}

function signerOf({ target, hooks }: Session): Signer | undefined {
  if (target.agents?.key) return keySigner(target.agents.key as never);
  return hooks.mint && hookSigner(hooks.mint);
}

/** Assertions go by the target's clock; without a hook an answer that was had anyway says what it shows. */
async function learnTime(session: Session): Promise<void> {
  const answer = await new Discovery({ session }).resource();
  const { startedAt, durationMs } = answer.exchange;
  await session.time.learn(answer.header('date')[0], Date.parse(startedAt) + durationMs / 2);
}

/** Serves the key set where the configuration asks for it, until the run ends. */
async function publish(session: Session, provider: IdentityProvider): Promise<void> {
  const port = session.target.agents?.jwksPort;
  if (port === undefined || !provider.publicKey) return;
  try {
    const server = await serveJwks(port, provider.issuer, [provider.publicKey]);
    session.onClose(() => server.close());
  } catch (error) {
    throw new Undecided(`agents.jwksPort ${port}: the key set cannot be served: ${(error as Error).message}`);
  }
}

const users = new WeakMap<Session, Users>();

/**
 * Users to assert: fresh ones that no earlier run can have left behind, or always the one that the
 * configuration names.
 */
export class Users {
  readonly fixed: Subject | undefined;
  readonly #seed: number;
  readonly #tag = randomBytes(6).toString('hex');
  readonly #named = new Map<string, Subject>();
  #count = 0;

  constructor({ session }: Pick<CheckContext, 'session'>) {
    const { user } = session.target.agents ?? {};
    this.#seed = session.options.seed;
    if (user) this.fixed = { ...this.#fresh(), ...(user as Partial<Subject>) };
  }

  /** The users of a run. */
  static of(session: Session): Users {
    const known = users.get(session) ?? new Users({ session });
    users.set(session, known);
    return known;
  }

  /** A user whom nobody has asserted yet. */
  next(): Subject {
    return this.fixed ?? this.#fresh();
  }

  /** The user with a part in the run: the same one whenever it is asked for. */
  named(part: string): Subject {
    const user = this.#named.get(part) ?? this.next();
    this.#named.set(part, user);
    return user;
  }

  #fresh(): Subject {
    this.#count += 1;
    const faker = seededFaker(this.#seed, `agents user ${this.#count}`);
    const name = faker.person
      .firstName()
      .normalize('NFD')
      .replaceAll(/[^A-Za-z]/g, '')
      .toLowerCase();
    const id = `${this.#tag}-${this.#count}`;
    return { sub: `conformance-${id}`, email: `${name}.${id}@example.com` };
  }
}
