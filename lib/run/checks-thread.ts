/** The thread of a run: gathers the checks of the chosen suites and runs them in a session. */
import type { MessagePort } from 'node:worker_threads';
import { addPlugins } from '../check/services.ts';
import { type RunInput, Session } from '../check/session.ts';
import type { DefinedCheck } from '../check/suite.ts';
import type { ResolvedTarget } from '../config/types.ts';
import { messageOf } from '../model/message-of.ts';
import { type EmbeddedTarget, startEmbedded } from './embedded.ts';
import { Explanations } from './explanations.ts';
import { inOrder, Lanes } from './lanes.ts';
import { Outbox, type Told } from './outbox.ts';
import type { SessionEnd } from './outcome.ts';
import { isChosen } from './selection.ts';
import { checksIn, filesDefining, loadAhead, suiteFiles } from './suite-files.ts';

/** What the thread is opened with. */
export interface ChecksData {
  /** Folders of the plugins that are to be loaded in this thread, too. */
  plugins: readonly string[];
  /** Files that will be run, to be loaded ahead of time. */
  files: readonly string[];
  /** The target whose embedded reference is to be started here: see `Runner.embedded`. */
  embed?: ResolvedTarget | undefined;
}

/** Messages to the thread. */
export type ToChecks =
  /** Run the checks of these files, in this order. */
  | { run: RunInput; files: string[] }
  /** Stop: send nothing more to the target. */
  | { stop: true };

/** Messages from the thread. */
export type FromChecks =
  /** The embedded reference has been started, or why it has not. */
  | { embedded: Embedding }
  /**
   * Results of checks, with their secrets: the receiver redacts them before it does anything else with them.
   */
  | { results: Told[] }
  /** A mistake in a suite. */
  | { problem: string }
  /**
   * The run is over; the texts still contain secrets. `end` is undefined where the run was stopped before its
   * session was closed.
   */
  | { end: SessionEnd | undefined };

/** The embedded reference as a target, or why it did not start. */
export type Embedding = EmbeddedTarget | { failed: Error };

/**
 * See `ThreadModule`. Loads the files of the suites that the words name, or of all suites where they name
 * none; where words match checks, as those of `--grep` do, only the files that define these.
 */
export async function prepare(words: readonly string[]): Promise<void> {
  const files = suiteFiles();
  const wanted = words.filter((name) => files.has(name));
  // Those of a plugin, which is not loaded yet.
  if (wanted.length === 0 && words.includes('--suite')) return;
  const all = (wanted.length > 0 ? wanted : [...files.keys()]).flatMap((name) => files.get(name) ?? []);
  const chosen = filesDefining(all, (check) => isChosen(check, { grep: words }));
  await loadAhead(chosen.length > 0 ? chosen : all);
}

/** See `ThreadModule`. */
export async function work(
  port: MessagePort,
  { plugins, files, embed }: ChecksData,
  preparing?: Promise<void>,
): Promise<void> {
  // Plugins change how modules are resolved, so they are added only when nothing is being loaded.
  if (plugins.length > 0) await preparing;
  await addPlugins(plugins);
  // Not awaited, so that the suites are loaded while the reference generates its keys.
  if (embed)
    void embeddingOf(embed, port).then((embedded) => port.postMessage({ embedded } satisfies FromChecks));
  // Checks register themselves while their file is loaded, so only one party at a time may load such files.
  await preparing;
  // A file that cannot be loaded is reported when it is to be run.
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

/** Starts the embedded reference, which ends with the port: a thread of its own would end anyway. */
async function embeddingOf(configured: ResolvedTarget, port: MessagePort): Promise<Embedding> {
  try {
    const { url, target, close } = await startEmbedded(configured);
    port.once('close', () => void close());
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
  const chosen = (await checksOf(files, tell)).filter((check) => isChosen(check, input.options));
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
    // These come last, because only then is it known which of them are needed to explain a blocked check.
    for (const check of unpaid) if (!isStopped) await run(check);
  };
  await Promise.race([all(), stopped.then(() => session.http.stop('the run was interrupted'))]);
  // After a stop, whoever stopped the run undoes what is
  // left: closing the session could wait long for a check.
  const end = isStopped ? undefined : await endOf(session);
  outbox.send();
  tell({ end });
}

/**
 * Returns the checks that these files define. A mistake in one file does not keep the others from running.
 */
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

/** Closes a session, which puts everything back, and returns what it leaves behind. */
async function endOf(session: Session): Promise<SessionEnd> {
  const leftovers = await session.close();
  return {
    leftovers,
    stays: [...session.stays, ...movedClock(session)],
    requests: session.http.recorder.count,
    counts: {
      ...Object.fromEntries(session.counts),
      ...(session.http.undoing > 0 && { [TO_UNDO]: session.http.undoing }),
    },
    redacted: Object.fromEntries(session.secrets.counts),
  };
}

/** What is printed behind the number of requests that cleaning up took. */
const TO_UNDO = 'of them to put things back';

const DAY_MS = 24 * 3_600_000;

/** Says by how much a run moved the clock of a target, if by days: nothing takes time back. */
function movedClock({ target, hooks, time }: Session): string[] {
  const days = Math.round(time.advancedMs / DAY_MS);
  if (target.embedded || !hooks.clock || days < 1) return [];
  return [`the target's clock is ${days} ${days === 1 ? 'day' : 'days'} further on: nothing takes time back`];
}
