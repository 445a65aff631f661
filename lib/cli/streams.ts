/**
 * Guards standard output and standard error: a pipe that is closed early is not treated as a mistake, and no
 * line can be taken for a command by the CI system that shows the log.
 */

/**
 * Text that CI systems would carry out as commands: GitHub Actions (`::error::` at the beginning of a line,
 * `##[…]` anywhere), Azure Pipelines (`##vso[…]`) and TeamCity (`##teamcity[…]`).
 */
const COMMANDS = /##(?=(?:vso|teamcity)?\[)/gi;
const AT_LINE_START = /^(\s*):(?=:)/gm;

/** Returns the text with the beginnings of such commands escaped. */
export function withoutCommands(text: string, atLineStart = true): string {
  if (!text.includes('::') && !text.includes('##')) return text;
  const escaped = text.replace(COMMANDS, '#\\x23');
  if (atLineStart) return escaped.replace(AT_LINE_START, '$1\\x3a');
  const end = escaped.indexOf('\n') + 1;
  if (end === 0) return escaped;
  return escaped.slice(0, end) + escaped.slice(end).replace(AT_LINE_START, '$1\\x3a');
}

/** Guards a stream of this process for good; see the module comment. */
export function guardStream(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  let atLineStart = true;
  let closed = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The reader closed the pipe (`conform list | head`), or
    // the disk is full. A run still has to put things back.
    if (error.code !== 'EPIPE' && !closed && stream !== process.stderr) {
      process.stderr.write(`conform: what it says cannot be written (${error.code ?? error.message})\n`);
      // Commands set the status at their end.
      process.once('exit', () => {
        process.exitCode ||= 3;
      });
    }
    closed = true;
  });
  stream.write = ((chunk: unknown, ...rest: unknown[]) => {
    if (closed) {
      for (const done of rest) if (typeof done === 'function') done();
      return true;
    }
    if (typeof chunk !== 'string' || chunk === '') return write(chunk, ...rest);
    const safe = withoutCommands(chunk, atLineStart);
    atLineStart = /[\n\r]\s*$/.test(chunk);
    return write(safe, ...rest);
  }) as typeof stream.write;
}
