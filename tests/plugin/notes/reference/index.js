/** The embedded reference of the note service. */
import { createServer } from 'node:http';
import { createNotes, describeNotes } from './notes.js';

/** Real time: notes do not depend on it. */
const realTime = { now: () => Date.now(), advance: () => {} };

export async function startReference({ port, clock = realTime }) {
  const handle = createNotes();
  const server = createServer(async (incoming, outgoing) => {
    const chunks = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const answer = await handle(
      new Request(`http://localhost${incoming.url}`, {
        method: incoming.method,
        headers: incoming.headers,
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      }),
    );
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    outgoing.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { url, description: describeNotes(url), clock, close };
}
