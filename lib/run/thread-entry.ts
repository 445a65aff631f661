/** Where a thread begins: see thread.ts. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../model/message-of.ts';
import type { ThreadData, ThreadModule } from './thread.ts';

const port = parentPort as MessagePort;
const { module, data } = workerData as ThreadData;
const { work } = (await import(module)) as ThreadModule;
// One mistake that nobody waited for must not take all that was found with it.
process.on('uncaughtException', (error: unknown) => {
  port.postMessage({ problem: `unhandled error: ${messageOf(error)}` });
});
await work(port, data);
