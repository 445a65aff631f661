/**
 * `conform serve`: serves the embedded reference, or a deviation from it, for people who develop a client.
 */
import { Command } from 'commander';
import { Document, isMap, isScalar, isSeq, visit } from 'yaml';
import { allServices } from '../check/services.ts';
import { type ResolvedTarget, serviceConfig } from '../config/types.ts';
import { UsageError } from '../model/usage-error.ts';
import { type Embedded, startEmbedded } from '../run/embedded.ts';
import { loadPlugins, PLUGINS_FLAG } from './plugins.ts';

interface Flags {
  config?: string;
  port: string;
  deviation?: string;
}

export function serveCommand(): Command {
  return new Command('serve')
    .option(...PLUGINS_FLAG)
    .option('-p, --port <n>', 'port (default: a free one)', '0')
    .option(
      '--deviation <id>',
      'serve it with this deviation: broken (`conform list --deviations` names them)',
    )
    .action(serve);
}

async function serve(flags: Flags): Promise<void> {
  const port = Number(flags.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new UsageError(`--port ${flags.port}: not a port`);
  const plugins = await loadPlugins(flags);
  const { url, target, close } = await started(flags.deviation, port).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'EADDRINUSE' ? new UsageError(`--port ${port}: already in use`) : error;
    },
  );
  process.stdout.write(
    [
      `# ${target.title ?? 'The embedded reference'}, at ${url} until Ctrl-C. Its credentials are made up and open nothing else.`,
      '# This is a whole targets.yaml; `conform run --config FILE` tests this server.',
      targetsFile(target, plugins),
    ].join('\n'),
  );
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  await close();
}

async function started(deviation: string | undefined, port: number): Promise<Embedded> {
  if (deviation === undefined) return startEmbedded({ name: 'served', embedded: true, hooks: {} }, port);
  // Loaded only here, so that the reference is served without loading the deviations.
  const { caseNamed, serveCase } = await import('../prove/serve-case.ts');
  return serveCase(await caseNamed(deviation), 'served', port);
}

/**
 * Returns a running target in the form of `targets.yaml`, with everything that unlocks its checks, and the
 * folders of plugins.
 */
export function targetsFile(
  { name, title, hooks, ...rest }: ResolvedTarget,
  plugins: readonly string[],
): string {
  const services = allServices().flatMap((service) => {
    const config = serviceConfig({ name, hooks, ...rest }, service.name);
    return config === undefined ? [] : [[service.name, config]];
  });
  const target = {
    ...(title !== undefined && { title }),
    ...Object.fromEntries(services),
    hooks,
    // The reference ends with its process, so nothing has to be put back.
    run: { effects: ['read', 'write', 'settings'] },
  };
  const doc = new Document({
    ...(plugins.length > 0 && { plugins }),
    default: name,
    targets: { [name]: target },
  });
  visit(doc, {
    // Lists of names, and keys, take a line or a few.
    Collection: (_, node) => {
      if (isSeq(node) && node.items.every(isScalar)) node.flow = true;
      if (isMap(node) && node.has('kty')) node.flow = true;
    },
  });
  return doc.toString({ lineWidth: 110 });
}
