/** A target on which a run left resources, the journal of that run, and cleaning. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { CheckContext } from '../../lib/check/context.ts';
import type { JournalEntry, JournalHeader } from '../../lib/check/journal/format.ts';
import { Journal, type JournalPlace, readJournal } from '../../lib/check/journal/journal.ts';
import { type ProcessMark, thisProcess } from '../../lib/check/journal/process.ts';
import { StateFolder } from '../../lib/check/journal/state-folder.ts';
import { allServices } from '../../lib/check/services.ts';
import { Session } from '../../lib/check/session.ts';
import { loadTarget } from '../../lib/config/load.ts';
import type { RunOptions } from '../../lib/config/types.ts';
import { identityOf, loadCleanups, placeFor } from '../../lib/run/cleanups.ts';
import { SettingsLocks } from '../../lib/run/settings-lock.ts';
import { type Undone, undoEarlier } from '../../lib/run/undo.ts';
import { createReference, describeReference, type Handler, listen } from '../../reference/index.ts';
import { ATTRIBUTES } from './address.ts';
import { temporaryFile, temporaryFolder } from './conform.ts';
import { runOptions } from './run-options.ts';

export const OPTIONS: RunOptions = runOptions([]);
const ADDRESSES = '/shipping/api/v1/address_templates';
const LIMIT = '/caches/repos/Acme-Apps/Payments/actions/cache/storage-limit';

const cleanups = await loadCleanups();

/** A target, the requests that it received, and what a run that is over left in its journal. */
export async function aTarget(filter: (next: Handler) => Handler = (next) => next) {
  let url = '';
  const requests: string[] = [];
  const { handle } = createReference({ publicUrl: () => url });
  const asked = filter(handle);
  const server = await listen(async (request) => {
    requests.push(`${request.method} ${new URL(request.url).pathname}`);
    return asked(request);
  });
  onTestFinished(() => server.close());
  url = server.url;
  const { shipping, caches, hooks } = describeReference(url, {
    issuer: 'https://idp.example',
    key: { kty: 'RSA' },
  });
  const config = { targets: { mine: { shipping, caches, hooks } } };
  const file = temporaryFile('targets.yaml', JSON.stringify(config));
  const { target } = loadTarget(file, 'mine', {}, allServices());
  const send = async (method: string, path: string, headers: Record<string, string>, body?: unknown) => {
    const init = { method, headers: { 'content-type': 'application/json', ...headers } };
    return handle(
      new Request(`${url}${path}`, { ...init, ...(body !== undefined && { body: JSON.stringify(body) }) }),
    );
  };
  const as = async (client: { clientId: string; clientSecret: string }) => {
    const body = {
      grant_type: 'client_credentials',
      client_id: client.clientId,
      client_secret: client.clientSecret,
    };
    const answer = await send('POST', '/shipping/api/v1/oauth/token', {}, body);
    return { authorization: `Bearer ${((await answer.json()) as { access_token: string }).access_token}` };
  };
  const create = async (alias_name: string, client = shipping): Promise<string> => {
    const address_template = {
      alias_name,
      address_type: 'from',
      default: false,
      address_attributes: ATTRIBUTES,
    };
    const answer = await send('POST', ADDRESSES, await as(client), { address_template });
    return ((await answer.json()) as { data: { id: string } }).data.id;
  };
  const labels = async (client = shipping): Promise<string[]> => {
    const list = await send('GET', ADDRESSES, await as(client));
    return ((await list.json()) as { data: { alias_name: string }[] }).data.map(
      ({ alias_name }) => alias_name,
    );
  };
  const token = { authorization: `Bearer ${caches.token}` };
  const limit = {
    get: async () =>
      ((await (await send('GET', LIMIT, token)).json()) as { max_cache_size_gb: number }).max_cache_size_gb,
    set: (value: number) => send('PUT', LIMIT, token, { max_cache_size_gb: value }),
  };
  return { target, requests, create, labels, limit, second: shipping.secondClient };
}

export type Target = Awaited<ReturnType<typeof aTarget>>;

/** The state folder of a user with the journal of a run, which is over. */
export function leftBy(
  { target }: Target,
  entries: (header: JournalHeader) => Pick<JournalEntry, 'kind' | 'account' | 'detail'>[],
  owner: ProcessMark = { ...thisProcess(), started: 'an earlier boot 1' },
  run: string = randomUUID(),
) {
  const state = new StateFolder(join(temporaryFolder(), 'state'));
  const place = placeFor(run, target, identityOf(target, cleanups, state), state);
  place.header.owner = owner;
  const journal = new Journal(place);
  for (const { kind, detail, account } of entries(place.header)) journal.open(kind, detail, { account });
  journal.close();
  return { state, file: place.file, open: () => readJournal(place.file)?.open.length ?? 0 };
}

export function clean(
  { target }: Target,
  state: StateFolder,
  more: Partial<Parameters<typeof undoEarlier>[0]> = {},
): Promise<Undone> {
  const locks = new SettingsLocks(state);
  return undoEarlier({ target, options: OPTIONS, cleanups, state, locks, ...more });
}

export const address = (detail: Record<string, unknown>, account = 'first') => ({
  kind: 'shipping.address',
  account,
  detail,
});
export const changed = (value: number, set: number[], more: object = {}) => ({
  kind: 'caches.limit',
  account: 'token',
  detail: { level: 'repository', names: ['Acme-Apps', 'Payments'], kind: 'storage', value, set, ...more },
});

/** A session of a run that keeps a journal, as a check sees it. */
export async function running({ target }: Target, more: object = {}) {
  const state = new StateFolder(join(temporaryFolder(), 'state'));
  const runId = randomUUID();
  const place: JournalPlace = placeFor(runId, target, identityOf(target, cleanups, state), state);
  place.header.owner.started = 'an earlier boot 1';
  const session = await Session.open({
    runId,
    target: { ...target, ...more },
    options: OPTIONS,
    journal: place,
  });
  const context = new CheckContext(session, [], 'a check');
  return { session, context, state, open: () => readJournal(place.file)?.open ?? [], file: place.file };
}

/** Answers some requests with success, and does nothing. */
export const untrue =
  (isOne: (request: Request) => boolean, body: unknown = {}) =>
  (next: Handler): Handler =>
  async (request) =>
    isOne(request) ? Response.json(body) : next(request);
