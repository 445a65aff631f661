/** The questions of `conform init`: what they accept, what they say at once, and what they write to a terminal. */
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { askedFor } from '../../lib/cli/init.ts';
import { MovingLine, Questions } from '../../lib/cli/terminal.ts';

/** Questions on streams, with these lines typed one after the other. */
function typed(lines: string[], env: NodeJS.ProcessEnv = { TERM: 'dumb' }) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const questions = new Questions(input, Object.assign(output, { isTTY: true, columns: 80 }), env);
  onTestFinished(() => questions.close());
  input.end(lines.map((line) => `${line}\n`).join(''));
  return { questions, written: () => String(output.read() ?? '') };
}

test('an answer that is wrong is told at once, and asked for again', async () => {
  const { questions, written } = typed([
    'my target',
    'mine',
    'shiping',
    'shipping',
    'api.test',
    'https://api.test:0',
    'https://api.test',
  ]);
  expect(await askedFor(questions, undefined, {})).toEqual({
    name: 'mine',
    chosen: ['shipping'],
    values: { 'shipping.baseUrl': 'https://api.test' },
  });
  const text = written();
  expect(text).toMatch(/a name has letters.*\nName of the target\?/);
  expect(text).toMatch(/no service `shiping`; did you mean `shipping`\?\nServices/);
  expect(text).toMatch(/write the scheme too.*\nshipping\.baseUrl\?/);
  expect(text).toMatch(/there is no port 0\nshipping\.baseUrl\?/);
});

test('a variable is an answer', async () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as a user types it
  const { questions } = typed(['mine', 'caches', '${CACHES_URL}']);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as the file has it
  expect((await askedFor(questions, undefined, {})).values).toEqual({ 'caches.baseUrl': '${CACHES_URL}' });
});

test('an input that ends is no answer', async () => {
  const { questions } = typed([]);
  await expect(askedFor(questions, undefined, {})).rejects.toMatchObject({ code: 'ABORT_ERR' });
});

test.each([{ TERM: 'dumb' }, { TERM: 'xterm', NO_COLOR: '1' }])(
  'no escape sequence is written to a terminal with %o',
  async (env) => {
    const { questions, written } = typed(['mine', 'caches', 'https://api.test'], env);
    await askedFor(questions, undefined, {});
    expect(written().split('\u001b')).toHaveLength(1);

    onTestFinished(() => void vi.unstubAllEnvs());
    for (const name of ['TERM', 'NO_COLOR'] as const) vi.stubEnv(name, env[name as 'TERM'] ?? '');
    const shown: string[] = [];
    const out = { isTTY: true, write: (text: string) => shown.push(text) };
    const line = new MovingLine(out as unknown as NodeJS.WriteStream);
    line.show('abc');
    line.show('de');
    line.clear();
    expect(shown.join('')).toBe(env.TERM === 'dumb' ? '' : '\r\rabc\r   \rde\r  \r');
  },
);
