/** Finds addresses of examples in a configuration, which `conform init` and the documentation write. */
import { lookup } from 'node:dns/promises';
import { BlockList, isIPv6 } from 'node:net';
import { allServices } from '../check/services.ts';
import { addressesOf, isExample } from '../config/addresses.ts';
import type { LoadedTarget } from '../config/load.ts';
import { proxyFor } from '../http/proxy.ts';
import { UsageError } from '../model/usage-error.ts';

/** Addresses of machines that somebody may have given such a name: in a file of hosts, or between containers. */
const OWN = new BlockList();
OWN.addSubnet('127.0.0.0', 8);
OWN.addSubnet('10.0.0.0', 8);
OWN.addSubnet('172.16.0.0', 12);
OWN.addSubnet('192.168.0.0', 16);
OWN.addAddress('::1', 'ipv6');
OWN.addSubnet('fc00::', 7, 'ipv6');

/**
 * Requires that no address is still that of an example. One that leads to a machine nearby is none.
 * @param addressesFor looks up the IP addresses of a host
 * @throws UsageError naming the keys
 */
export async function requireNoExamples(
  { target, place }: Pick<LoadedTarget, 'target' | 'place'>,
  addressesFor: (host: string) => Promise<string[]> = lookedUp,
): Promise<void> {
  const { network } = target;
  const mistakes = new Set<string>();
  for (const { path, text } of addressesOf(target, allServices())) {
    const url = new URL(text);
    const isHook = path[0] === 'hooks';
    const isElsewhere =
      (network?.socket !== undefined && !isHook) || proxyFor(url, network, isHook) !== undefined;
    if (isElsewhere || !isExample(url.hostname) || (await addressesFor(url.hostname)).some(isNearby))
      continue;
    mistakes.add(`${place(path)}: ${url.hostname} is an example: put the host of your target in its place`);
  }
  if (mistakes.size > 0) throw new UsageError([...mistakes].join('\n'));
}

async function lookedUp(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

function isNearby(address: string): boolean {
  return OWN.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
