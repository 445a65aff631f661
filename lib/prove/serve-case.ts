/**
 * Serves one case of the proof on the loopback interface,
 * for a look at a broken implementation from the outside.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { openModule } from '../check/open-transport.ts';
import { rootOf } from '../check/services.ts';
import { suggestion } from '../config/nearest.ts';
import { headerPairs, type Transport } from '../http/transport.ts';
import { matches } from '../model/pattern.ts';
import { UsageError } from '../model/usage-error.ts';
import { type Embedded, embeddedTarget } from '../run/embedded.ts';
import { fieldRequirements, loadCases, loadProofModule, transportModule } from './load.ts';
import type { ProofCase } from './model.ts';
import { configured, wireOf } from './target.ts';

/** The most ids that a message names. */
const NAMED = 10;

/**
 * Returns the case with an id: a deviation, variant or trivial server.
 * @throws UsageError where there is none; it names the cases that a pattern matches, or the most similar ids
 */
export async function caseNamed(id: string): Promise<ProofCase> {
  const cases = await loadCases();
  const found = cases.find((each) => each.id === id);
  if (found) return found;
  const alike = id.includes('*') ? cases.filter((each) => matches(each.id, [id])) : [];
  const hint =
    alike.length > 0
      ? `: it takes one of ${alike
          .slice(0, NAMED)
          .map((each) => each.id)
          .join(', ')}${alike.length > NAMED ? ` and ${alike.length - NAMED} more` : ''}`
      : `: no deviation has this id${suggestion(
          id,
          cases.map((each) => each.id),
        )}; \`conform list --deviations\` names them`;
  throw new UsageError(`--deviation ${id}${hint}`);
}

/**
 * Serves the service of a case, with its hooks, on the given port of the loopback interface, or on a free one
 * where the port is 0. What takes long on the simulated clock of the proof takes real time here.
 * @param name the name of the target
 * @throws the system's error where the port is taken
 */
export async function serveCase(each: ProofCase, name: string, port = 0): Promise<Embedded> {
  const root = rootOf(each.service);
  // The address is known only once the server listens, and the transport has to know it.
  const opening: { wire?: Promise<Transport> } = {};
  const server = createServer((request, response) => {
    void opening.wire
      ?.then((wire) => answer(wire, url, request, response))
      // A case may break off the connection instead of answering.
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const module = await loadProofModule(root);
  const { description, params } = await module!.describeProofTarget(url);
  opening.wire = openModule(wireOf(each, url, transportModule(root), params, fieldRequirements()));
  await opening.wire;
  const { services, hooks } = description;
  const own = { hooks, services: { [each.service]: services[each.service]! } };
  const target = embeddedTarget({ name, title: titleOf(each), embedded: true, hooks: {} }, own);
  return {
    url,
    target: configured(target, each),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns a title that says what a case does. */
export function titleOf({ id, kind, sentence }: ProofCase): string {
  return kind === 'reference' ? 'The reference' : `${id}: an implementation that ${sentence}`;
}

/** A client would not wait longer, so a longer wait is presented as a connection that is cut. */
const LONGEST_MS = 120_000;

async function answer(
  wire: Transport,
  url: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let body = '';
  for await (const piece of request.setEncoding('utf8')) body += piece;
  const { method = 'GET', url: path = '/' } = request;
  const headers = headerPairs(request.rawHeaders);
  const sent = { method, url: `${url}${path}`, headers, body: body === '' ? undefined : body };
  const {
    status,
    headers: given,
    text,
    simulatedMs = 0,
  } = await wire.send({ ...sent, timeoutMs: LONGEST_MS });
  if (simulatedMs > 0) await wait(simulatedMs);
  // Headers of the same name have to stay separate.
  response.writeHead(status, given.flat());
  response.end(text);
}
