/** `conform serve`: the embedded reference, for people who develop a client against it. */
import { Command } from 'commander';
import pc from 'picocolors';
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
  const { shipping, agents, caches, hooks } = target;
  const row = (label: string, value: string | undefined) => `  ${label.padEnd(22)} ${value ?? ''}\n`;
  process.stdout.write(
    `${pc.bold('reference')} on ${url}; its credentials are made up and open nothing else\n\n` +
      `${pc.bold('shipping')}\n${row('base URL', shipping?.baseUrl)}${row('client id', shipping?.clientId)}${row('client secret', shipping?.clientSecret)}\n` +
      `${pc.bold('agents')}\n${row('base URL', agents?.baseUrl)}${row('auth URL', agents?.authUrl)}${row('issuer', agents?.issuer)}\n` +
      `${pc.bold('caches')}\n${row('base URL', caches?.baseUrl)}${row('token', caches?.token)}${row('enterprise', caches?.enterprise)}${row('organization', caches?.organization)}${row('repository', caches?.repository)}\n` +
      `${pc.bold('hooks')}\n${Object.entries(hooks)
        .map(([name, hook]) => row(name, hook?.url))
        .join('')}\n`,
  );
  if (flags.printKey)
    process.stdout.write(`${pc.bold('signing key')} (JWK)\n${JSON.stringify(agents?.key)}\n\n`);
  process.stdout.write(pc.dim('Ctrl-C stops it\n'));
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  await close();
}
