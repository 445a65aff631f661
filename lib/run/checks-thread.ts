/** The thread of a run: gathers the checks of the chosen suites and runs them in a session. */
import type { MessagePort } from 'node:worker_threads';
import { addPlugins } from '../check/services.ts';
import { type RunInput, Session } from '../check/session.ts';
import type { DefinedCheck } from '../check/suite.ts';
import type { ResolvedTarget } from '../config/types.ts';
import { messageOf } from '../model/message-of.ts';
import { matches } from '../model/pattern.ts';
import { type EmbeddedTarget, startEmbedded } from './embedded.ts';
import { Explanations } from './explanations.ts';
import { inOrder, Lanes } from './lanes.ts';
import { Outbox, type Told } from './outbox.ts';
import type { SessionEnd } from './outcome.ts';
import { checksIn, loadAhead, suiteFiles } from './suite-files.ts';

/** What the thread is opened with. */
export interface ChecksData {
  /** Folders of the plugins that are to be loaded here too. */
  plugins: readonly string[];
  /** Files that will be run: to be loaded ahead. */
  files: readonly string[];
  /** The target whose embedded reference is to be started here: see `Runner.embedded`. */
  embed?: ResolvedTarget | undefined;
}

/** What the thread is told. */
export type ToChecks =
  /** To run the checks of these files, in this order. */
  | { run: RunInput; files: string[] }
  /** To stop: nothing more is sent. */
  | { stop: true };

/** What the thread tells. */
export type FromChecks =
  /** The embedded reference has been started, or why it has not. */
  | { embedded: Embedding }
  /** What checks came to, as it is: whoever is told redacts it, before anything else is made of it. */
  | { results: Told[] }
  /** A mistake in a suite. */
  | { problem: string }
  /** The run is over, its texts as they are; without what its session left behind, where it was stopped before that was closed. */
  | { end: SessionEnd | undefined };

/** What is told of an embedded reference in the thread. */
export type Embedding = EmbeddedTarget | { failed: Error };

/** See `ThreadModule`. Loads the files of suites, by their names; of all, where none is named. */
export async function prepare(names: readonly string[]): Promise<void> {
  const files = suiteFiles();
  const wanted = names.filter((name) => files.has(name));
  await loadAhead((wanted.length > 0 ? wanted : [...files.keys()]).flatMap((name) => files.get(name) ?? []));
}

/** See `ThreadModule`. */
export async function work(
  port: MessagePort,
  { plugins, files, embed }: ChecksData,
  preparing?: Promise<void>,
): Promise<void> {
  // Plugins change how modules are resolved.
  if (plugins.length > 0) await preparing;
  await addPlugins(plugins);
  // Not waited for: the suites are loaded while it makes its keys.
  if (embed) void embeddingOf(embed).then((embedded) => port.postMessage({ embedded } satisfies FromChecks));
  // What defines checks is loaded by one at a time.
  await preparing;
  // What cannot be loaded is told of when it is to run.
  await loadAhead(files);
  let stop = (): void => {};
  port.on('message', (message: ToChecks) => {
    if ('stop' in message) return stop();
    const tell = (told: FromChecks) => port.postMessage(told);
    const stopped = new Promise<void>((resolve) => {
      stop = resolve;
    });
    void runChecks(message.run, message.files, stopped, tell);
  });
}

async function embeddingOf(configured: ResolvedTarget): Promise<Embedding> {
  try {
    const { url, target } = await startEmbedded(configured);
    return { url, target };
  } catch (error) {
    return { failed: error as Error };
  }
}

async function runChecks(
  input: RunInput,
  files: readonly string[],
  stopped: Promise<void>,
  tell: (told: FromChecks) => void,
): Promise<void> {
  let isStopped = false;
  void stopped.then(() => {
    isStopped = true;
  });
  const chosen = (await checksOf(files, tell)).filter((check) => isChosen(check, input));
  const { concurrency = 1, order = 'planned', seed } = input.options;
  const lanes = { concurrency, order, seed };
  const session = await Session.open(input);
  if (concurrency > 1) session.http.recorder.useLanes();
  const outbox = new Outbox(session.secrets, tell);
  const isPaid = ({ id }: DefinedCheck) => input.options.paid?.checks.includes(id) ?? true;
  const unpaid = chosen.filter((check) => !isPaid(check));
  const explanations = new Explanations(unpaid);
  const run = async (check: DefinedCheck) => {
    try {
      const result = await explanations.run(check, session);
      if (!isStopped) outbox.put(result);
    } catch (error) {
      tell({ problem: `check ${check.id}: ended without a result ${messageOf(error)}` });
    }
  };
  const all = async () => {
    await new Lanes(inOrder(chosen.filter(isPaid), lanes), lanes).start(session, run, () => isStopped);
    // After those: which of them are wanted is known then.
    for (const check of unpaid) if (!isStopped) await run(check);
  };
  await Promise.race([all(), stopped.then(() => session.http.stop('the run was interrupted'))]);
  // What is left then is undone by who stopped the run: a check that waits may go on for long.
  const end = isStopped ? undefined : await endOf(session);
  outbox.send();
  tell({ end });
}

/** The checks that these files define. One file with a mistake does not keep the others from running. */
async function checksOf(files: readonly string[], tell: (told: FromChecks) => void): Promise<DefinedCheck[]> {
  const checks: DefinedCheck[] = [];
  for (const file of files) {
    try {
      checks.push(...(await checksIn(file)));
    } catch (error) {
      tell({ problem: `${file}: ${messageOf(error)}` });
    }
  }
  return checks;
}

/** Also by the other requirements that it cites: `--grep` takes what `list` and `explain` show. */
function isChosen({ id, requirements }: DefinedCheck, { options: { chosen, grep } }: RunInput): boolean {
  return (chosen?.includes(id) ?? true) && [id, ...requirements].some((name) => matches(name, grep));
}

/** Ends a session: puts everything back. */
async function endOf(session: Session): Promise<SessionEnd> {
  const leftovers = await session.close();
  return {
    leftovers,
    stays: session.stays,
    requests: session.http.recorder.count,
    counts: Object.fromEntries(session.counts),
    redacted: Object.fromEntries(session.secrets.counts),
  };
}
