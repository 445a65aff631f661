/** `conform verify`: whether a report is as somebody signed it, and who that was. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import type { RunReport } from '../model/results.ts';
import { UsageError } from '../model/usage-error.ts';
import { type TrustedKey, trustedKeys, trustedKeysOfFile } from '../report/sign/keys.ts';
import { SIGNATURE_FILE } from '../report/sign/sign.ts';
import { isSignature, type Verification, verifyReport } from '../report/sign/verify.ts';
import { inert } from '../report/terminal-safe.ts';

interface Flags {
  key?: string;
  jwks?: string;
  signature?: string;
}

export function verifyCommand(): Command {
  return new Command('verify')
    .argument('<report>', 'report.json, or the folder it is in')
    .option('-k, --key <file>', 'public key of the signer: PEM or JWK, a file or env:NAME')
    .option('--jwks <place>', 'keys of the signers: a JWK set, a file or an https URL')
    .option('--signature <file>', `default: ${SIGNATURE_FILE} beside the report`)
    .addHelpText(
      'after',
      '\nExit status: 0 as it was signed by a given key; 1 altered, or not by a given key; 3 as it was signed, no key given.',
    )
    .action(async (path: string, flags: Flags) => {
      process.exitCode = await verify(path, flags);
    });
}

async function verify(path: string, flags: Flags): Promise<number> {
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'report.json') : path;
  const text = contents(file);
  const place = flags.signature ?? join(dirname(file), SIGNATURE_FILE);
  const keys = await keysOf(flags);
  const report = parsed(text);
  if (report === undefined) return refuse(`${file} is cut short or not JSON: ${whereItEnds(text)}`);
  if (text.replaceAll(STRING_OR_SPACE, '$1') !== JSON.stringify(report))
    return refuse(`${file} was written anew: a member stands twice, or values are spelled in another way`);
  const signature = parsed(contents(place));
  if (!isSignature(signature)) return refuse(`${place} holds no signature`);
  const found = await verifyReport(report, signature, keys);
  if (found.state === 'refused') return refuse(`${file}: ${found.why}`);
  if (found.state === 'altered') {
    const rest = found.places.length > SHOWN ? `\n  and ${found.places.length - SHOWN} more` : '';
    return refuse(
      `${file} was altered since it was signed\n${found.places
        .slice(0, SHOWN)
        .map((each) => `  ${each}`)
        .join('\n')}${rest}`,
    );
  }
  process.stdout.write(`${inert(genuine(found, report as RunReport))}\n`);
  return found.known ? 0 : 3;
}

/**
 * Matches strings, and white space outside of them. A report is compared with its own parsed form because
 * readers of JSON differ in which of two members with the same name they take.
 */
const STRING_OR_SPACE = /("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g;

/** How many altered places are printed. */
const SHOWN = 20;

function refuse(why: string): number {
  process.stdout.write(`refused  ${inert(why)}\n`);
  return 1;
}

/** Says who signed the report and when, with what version it was made, and against which target. */
function genuine(found: Extract<Verification, { state: 'genuine' }>, report: RunReport): string {
  const { target, tool, suites, startedAt, summary } = report;
  const lines = [
    [
      'signed',
      `as it was signed on ${found.signedAt.toISOString()} by ${found.kid} (thumbprint ${found.thumbprint})`,
    ],
    ['target', `${target.title ?? target.name}  ${Object.values(target.urls).join(' ')}`],
    ['run', `${startedAt}, ${tool.name} ${tool.version}`],
    [
      'catalogues',
      suites.map(({ name, catalogueVersion = 'unknown' }) => `${name} ${catalogueVersion}`).join(', '),
    ],
    [
      'verdict',
      `${{ 0: 'no violation found', 1: 'not conformant', 3: 'undecided' }[report.exitCode]}: ${summary}`,
    ],
  ];
  if (!found.known)
    lines.push([
      'unknown',
      'the key is the one that the signature names itself: give --key or --jwks to know whose it is',
    ]);
  return lines.map(([label, text]) => `${label!.padEnd(10)}  ${text}`).join('\n');
}

async function keysOf({ key, jwks }: Flags): Promise<TrustedKey[] | undefined> {
  if (key !== undefined) return trustedKeysOfFile('--key', key);
  if (jwks === undefined) return undefined;
  if (!/^https?:\/\//.test(jwks)) return trustedKeysOfFile('--jwks', jwks);
  // Whoever controls that address decides which keys count, so it must be https.
  const { protocol, hostname } = new URL(jwks);
  if (protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname))
    throw new UsageError(`--jwks ${jwks}: keys are fetched over https only`);
  const response = await fetch(jwks, { signal: AbortSignal.timeout(10_000), redirect: 'error' }).catch(
    () => undefined,
  );
  if (!response?.ok) throw new UsageError(`--jwks ${jwks}: no answer with keys`);
  return trustedKeys(await response.text(), `--jwks ${jwks}`);
}

function contents(file: string): string {
  if (!existsSync(file)) throw new UsageError(`${file}: no such file`);
  return readFileSync(file, 'utf8');
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function whereItEnds(text: string): string {
  const last = [...text.matchAll(/^ {6}"id": "([^"\n]*)"/gm)].at(-1)?.[1];
  return `it ends after ${Buffer.byteLength(text)} bytes${last === undefined ? '' : `, within or after ${last}`}`;
}
