/** `conform init`: writes a commented `targets.yaml`, from flags or by asking on a terminal. */
import { accessSync, constants, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Command } from 'commander';
import pc from 'picocolors';
import { TARGET_NAME } from '../../schemas/targets.ts';
import { allServices } from '../check/services.ts';
import { mistakeInBase } from '../config/addresses.ts';
import { requireValidDraft } from '../config/load.ts';
import { suggestion } from '../config/nearest.ts';
import { SECRET_KEY } from '../config/secrets.ts';
import { templateOf } from '../config/template.ts';
import { UsageError } from '../model/usage-error.ts';
import { Questions } from './terminal.ts';

interface Flags {
  out: string;
  target?: string;
  service?: string[];
  set?: string[];
  force?: boolean;
}

export function initCommand(): Command {
  return new Command('init')
    .option('-o, --out <file>', 'file to write', 'targets.yaml')
    .option('-t, --target <name>', 'name of the target (default: mine)')
    .option('-s, --service <name...>', 'services that the target implements')
    .option(
      '--set <key=value...>',
      'values: <service>.baseUrl=https://api.example.com; secrets are variables',
    )
    .option('--force', 'write over a file that is there')
    .action(init);
}

async function init(flags: Flags): Promise<void> {
  if (existsSync(flags.out) && !flags.force)
    throw new UsageError(`${flags.out}: there is such a file; --force writes over it, --out names another`);
  requireFolder(flags.out);
  const given = valuesOf(flags.set ?? []);
  const services = flags.service ?? [];
  const asked = services.length > 0 ? undefined : await ask(flags, given);
  const { name, chosen, values } = asked ?? { name: flags.target ?? 'mine', chosen: services, values: given };
  requireServices(chosen);
  for (const key of Object.keys(values)) requireService(key, chosen);
  const parts = allServices().filter((service) => chosen.includes(service.name));
  const { text, variables } = templateOf({ name, services: parts, values });
  writeChecked(flags.out, text, name);
  const out = process.stdout;
  out.write(`wrote ${flags.out} with the target ${pc.bold(name)}: ${chosen.join(', ')}\n`);
  const examples = parts.flatMap(({ name: service, schema }) => addressesOf(service, schema, values));
  if (examples.length > 0) out.write(`an example stands at ${examples.join(', ')}: put yours in its place\n`);
  if (variables.length > 0) out.write(`set these variables: ${variables.join(', ')}\n`);
  const config = flags.out === 'targets.yaml' ? '' : ` --config ${flags.out}`;
  out.write(`next: ${pc.bold(`conform doctor${config}`)}, then ${pc.bold(`conform run${config}`)}\n`);
}

/** Requires, before anything is asked, that the folder of a file is there and can be written to. */
function requireFolder(file: string): void {
  try {
    accessSync(dirname(resolve(file)), constants.W_OK);
  } catch (error) {
    throw new UsageError(`${file}: cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Returns the addresses that a service requires and that nobody gave, for which the file has an example. */
function addressesOf(service: string, schema: object, given: Record<string, string>): string[] {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, { format?: string }>;
    required?: string[];
  };
  return required
    .filter((key) => properties[key]?.format === 'uri' && given[`${service}.${key}`] === undefined)
    .map((key) => `${service}.${key}`);
}

function valuesOf(pairs: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const pair of pairs) {
    const [key = '', ...rest] = pair.split('=');
    const value = rest.join('=');
    if (rest.length === 0) throw new UsageError(`--set ${key}: write key=value`);
    // A secret given as a flag would end up in the file, and in the history of the shell.
    if (SECRET_KEY.test(key.split('.').at(-1) ?? '') && !value.startsWith('${'))
      throw new UsageError(`--set ${key}: secrets are not written to the file; name a variable: '\${NAME}'`);
    values[key] = value;
  }
  return values;
}

function requireServices(chosen: readonly string[]): void {
  const names = allServices().map(({ name }) => name);
  if (chosen.length === 0) {
    const said = allServices().map(({ name, title, suites }) => `${name} (${title}: ${suites.join(', ')})`);
    throw new UsageError(`name what the target implements with --service: ${said.join('; ')}`);
  }
  for (const name of chosen) {
    if (!names.includes(name)) throw new UsageError(`no service \`${name}\`${suggestion(name, names)}`);
  }
}

function requireService(key: string, chosen: readonly string[]): void {
  const [part = ''] = key.split('.');
  const isService = allServices().some(({ name }) => name === part);
  if (isService && !chosen.includes(part))
    throw new UsageError(`--set ${key}: add --service ${part}, or leave it out`);
}

/** Asks on the terminal for the services, and for what each of them requires. A wrong answer is told at once. */
async function ask(flags: Flags, given: Record<string, string>) {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
  const questions = new Questions(process.stdin, process.stdout);
  try {
    return await askedFor(questions, flags.target, given);
  } finally {
    questions.close();
  }
}

/** Returns the answers to the questions for a target, in addition to the values that are given. */
export async function askedFor(
  questions: Questions,
  target: string | undefined,
  given: Record<string, string>,
) {
  const all = allServices().map(({ name }) => name);
  const name = target ?? (await questions.ask('Name of the target?', 'mine', mistakeInName));
  const list = await questions.ask(`Services, of ${all.join(', ')}?`, all.join(','), (answer) =>
    mistakeOf(() => requireServices(namesIn(answer))),
  );
  const chosen = namesIn(list);
  const values = { ...given };
  for (const service of allServices().filter((each) => chosen.includes(each.name))) {
    const { properties = {}, required = [] } = service.schema as {
      properties?: Record<string, { description?: string; format?: string }>;
      required?: string[];
    };
    for (const key of required) {
      const path = `${service.name}.${key}`;
      // Only addresses are asked for; all other values become variables.
      if (properties[key]?.format !== 'uri' || values[path] !== undefined) continue;
      const what = properties[key]?.description ?? '';
      values[path] = await questions.ask(`${path}? ${what}`, 'https://api.example.com', mistakeInBase);
    }
  }
  return { name, chosen, values };
}

function namesIn(answer: string): string[] {
  return answer.split(/[\s,]+/).filter((name) => name !== '');
}

function mistakeInName(name: string): string | undefined {
  return new RegExp(TARGET_NAME).test(name)
    ? undefined
    : 'a name has letters, digits, dots, hyphens and underscores, and begins with a letter or digit';
}

/** Returns what is wrong, as a function says that throws a UsageError for it. */
function mistakeOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

/** Writes the file only once it is known to be a valid configuration. */
function writeChecked(file: string, text: string, name: string): void {
  const draft = `${file}.draft-${process.pid}`;
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    requireValidDraft(draft, name, allServices());
    renameSync(draft, file);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    if (error instanceof UsageError) throw new UsageError(message.replaceAll(draft, file));
    if (code !== undefined) throw new UsageError(`${file}: cannot be written (${code})`);
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
