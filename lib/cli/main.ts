/** `conform`: the command line of a process. */
import { commandLine } from './command-line.ts';
import { guardStream } from './streams.ts';

guardStream(process.stdout);
guardStream(process.stderr);

await commandLine(process.argv.slice(2));
