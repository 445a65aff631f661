/** Servers that do not implement any service, each with one fault. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';

/** A running server. */
export interface BadServer {
  url: string;
  /** Returns how many bytes of bodies it has sent. */
  sent(): number;
  close(): Promise<void>;
}

/** Starts a server on a free port of the loopback interface. */
export type Start = () => Promise<BadServer>;

/** There is no server: the port was closed again. */
export const closedPort: Start = async () => {
  const { url, close } = await http(() => {});
  await close();
  return { url, sent: () => 0, close: async () => {} };
};

/** Accepts every request and never answers. */
export const neverAnswers: Start = () => http(() => {});

/** Accepts the connection and resets it as soon as a request arrives. */
export const resetsConnections: Start = () => {
  const server = createTcpServer((socket) => {
    socket.once('data', () => socket.resetAndDestroy());
    // The client may have closed the connection first.
    socket.on('error', () => {});
  });
  return listening(server, () => 0);
};

/** Answers every request with this status and body. */
export function always(status: number, body: string, headers: Record<string, string> = {}): Start {
  return () =>
    http((request, response) => {
      request.resume();
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
}

/** Redirects every URL to itself. */
export const redirectLoop: Start = () =>
  http((request, response) => {
    request.resume();
    response.writeHead(302, { location: request.url ?? '/' }).end();
  });

/** Begins a plausible answer and closes the connection in the middle of it. */
export const closesMidway: Start = () =>
  http((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"data": [', () => response.destroy());
  });

/** Sends one byte now and then, endlessly. */
export const slowDrip: Start = () =>
  http((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 20);
    response.once('close', () => clearInterval(timer));
  });

const CHUNK = Buffer.alloc(64 * 1024, ' ');
const GIGABYTE = 1024 ** 3;

/** Sends a body of a gigabyte, as fast as the client reads it. */
export const gigabyte: Start = () =>
  http((request, response, count) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(GIGABYTE) });
    let left = GIGABYTE / CHUNK.length;
    const more = (): void => {
      while (left > 0 && !response.destroyed) {
        left -= 1;
        count(CHUNK.length);
        if (!response.write(CHUNK)) return;
      }
      response.end();
    };
    response.on('drain', more);
    more();
  });

/** Answers in another protocol than HTTP. */
export const otherProtocol: Start = () => {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.end('220 mail.example ESMTP ready\r\n');
  });
  return listening(server, () => 0);
};

type Counting = (request: IncomingMessage, response: ServerResponse, count: (bytes: number) => void) => void;

function http(handle: Counting): Promise<BadServer> {
  let bytes = 0;
  const listener: RequestListener = (request, response) => {
    response.on('error', () => {});
    handle(request, response, (n) => {
      bytes += n;
    });
  };
  return listening(createServer(listener), () => bytes);
}

async function listening(server: Server, sent: () => number): Promise<BadServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
