/** `conform serve`: the embedded reference, for people who develop a client against it. */
import { Command } from 'commander';
import pc from 'picocolors';
import { allServices } from '../check/services.ts';
import { serviceConfig } from '../config/types.ts';
import { UsageError } from '../model/usage-error.ts';
import { startEmbedded } from '../run/embedded.ts';

export function serveCommand(): Command {
  return new Command('serve')
    .description('serve the embedded reference on loopback')
    .option('-p, --port <n>', 'port (default: a free one)', '0')
    .option('--print-key', 'also print the private key that signs assertions the reference accepts')
    .action(serve);
}

async function serve(flags: { port: string; printKey?: boolean }): Promise<void> {
  const port = Number(flags.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new UsageError(`--port ${flags.port}: not a port`);
  const { url, target, close } = await startEmbedded(
    { name: 'reference', embedded: true, hooks: {} },
    port,
  ).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? new UsageError(`--port ${port}: already in use`) : error;
  });
  process.stdout.write(
    `${pc.bold('reference')} on ${url}; its credentials are made up and open nothing else\n\n` +
      allServices()
        .map((service) => described(service.name, serviceConfig(target, service.name)))
        .join('') +
      described(
        'hooks',
        Object.fromEntries(Object.entries(target.hooks).map(([name, hook]) => [name, hook?.url])),
      ),
  );
  if (flags.printKey) {
    for (const { name } of allServices()) {
      const key = Object.values(serviceConfig(target, name) ?? {}).find(isPrivateKey);
      if (key) process.stdout.write(`${pc.bold(`key of ${name}`)} (JWK)\n${JSON.stringify(key)}\n\n`);
    }
  }
  process.stdout.write(pc.dim('Ctrl-C stops it\n'));
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  await close();
}

/** Longer values, such as lists of a hundred names, help nobody who types them. */
const LONGEST = 100;

/** A part of the target with the keys of `targets.yaml`, a line each, without private keys and long lists. */
function described(title: string, part: object = {}): string {
  const rows = Object.entries(part)
    .filter(([, value]) => value !== undefined && !isPrivateKey(value))
    .map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)] as const)
    .filter(([, text]) => text.length <= LONGEST)
    .map(([key, text]) => `  ${key.padEnd(22)} ${text}\n`);
  return rows.length === 0 ? '' : `${pc.bold(title)}\n${rows.join('')}\n`;
}

function isPrivateKey(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'kty' in value && 'd' in value;
}
