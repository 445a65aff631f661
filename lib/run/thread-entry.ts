/** The entry point of a thread; see thread.ts. */
import { once } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../model/message-of.ts';
import type { ThreadModule, ThreadStart } from './thread.ts';

const port = parentPort as MessagePort;
const { module, data: dataPort, hint } = workerData as ThreadStart;
const told = once(dataPort, 'message') as Promise<[unknown]>;
const { work, prepare } = (await import(module)) as ThreadModule;
const preparing = hint === undefined ? undefined : prepare?.(hint);
const [data] = await told;
// An error that no code waited for must not end the thread, and lose everything found so far.
process.on('uncaughtException', (error: unknown) => {
  port.postMessage({ problem: `unhandled error: ${messageOf(error)}` });
});
await work(port, data, preparing);
