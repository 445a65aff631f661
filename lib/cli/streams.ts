/**
 * Standard output and standard error, made safe for whoever reads them: a pipe that is closed early is no
 * mistake, and no line is taken for a command by the CI system that shows the log.
 */

/**
 * What GitHub Actions (`::error::` at the beginning of a line, `##[…]` anywhere), Azure Pipelines (`##vso[…]`) and
 * TeamCity (`##teamcity[…]`) would carry out.
 */
const COMMANDS = /##(?=(?:vso|teamcity)?\[)/gi;
const AT_LINE_START = /^(\s*):(?=:)/gm;

/** Text with the beginnings of such commands written as escapes. */
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
    // `conform list | head` closes the pipe, a disk is full: nobody reads on, and a run still has to put things back.
    if (error.code !== 'EPIPE' && !closed && stream !== process.stderr) {
      process.stderr.write(`conform: what it says cannot be written (${error.code ?? error.message})\n`);
      process.exitCode ||= 3;
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
