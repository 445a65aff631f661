/** What is shown on a terminal and changes there, or is asked there, as far as the terminal can do that. */

import { createInterface, type Interface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import pc from 'picocolors';

/** Whether escape sequences may be written, as the variables `TERM` and `NO_COLOR` say. */
function hasEscapes({ TERM, NO_COLOR }: NodeJS.ProcessEnv): boolean {
  return TERM !== 'dumb' && !NO_COLOR;
}

/** A line that is written anew as something goes on. In a pipe, and on a terminal that cannot do it, there is none. */
export class MovingLine {
  readonly #out: NodeJS.WriteStream;
  /** How many columns it takes at the moment. */
  #columns = 0;

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
  }

  show(text: string): void {
    if (!this.#isPossible) return;
    this.clear();
    this.#out.write(text);
    this.#columns = stripVTControlCharacters(text).length;
  }

  clear(): void {
    if (!this.#isPossible) return;
    this.#out.write(hasEscapes(process.env) ? '\r\u001b[2K' : `\r${' '.repeat(this.#columns)}\r`);
    this.#columns = 0;
  }

  get #isPossible(): boolean {
    return this.#out.isTTY && process.env.TERM !== 'dumb';
  }
}

/** Asks questions on a terminal until it is closed. */
export class Questions {
  readonly #lines: Interface;
  readonly #answers: AsyncIterator<string>;
  readonly #output: Writable;
  readonly #dim: (text: string) => string;

  constructor(input: Readable, output: Writable, env: NodeJS.ProcessEnv = process.env) {
    this.#output = output;
    this.#dim = pc.createColors(pc.isColorSupported && hasEscapes(env)).dim;
    this.#lines = createInterface({ input, output, ...(!hasEscapes(env) && { terminal: false }) });
    this.#answers = this.#lines[Symbol.asyncIterator]();
  }

  /**
   * Asks until the answer is right.
   * @param fallback the answer where none is given
   * @param mistakeIn returns what is wrong with an answer; `undefined` where nothing is
   * @throws Error with the code ABORT_ERR when the input ends
   */
  async ask(
    text: string,
    fallback: string,
    mistakeIn: (answer: string) => string | undefined = () => undefined,
  ): Promise<string> {
    this.#lines.setPrompt(`${text} ${this.#dim(`[${fallback}]`)} `);
    for (;;) {
      this.#lines.prompt();
      const { value, done } = await this.#answers.next();
      if (done) throw Object.assign(new Error('the question was not answered'), { code: 'ABORT_ERR' });
      const answer = (value as string).trim() || fallback;
      const mistake = mistakeIn(answer);
      if (mistake === undefined) return answer;
      this.#output.write(`  ${mistake}\n`);
    }
  }

  close(): void {
    this.#lines.close();
  }
}
