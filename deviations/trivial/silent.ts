/** Servers that do not answer. The error messages are those of the real transport. */
import type { Trivial } from '../types.ts';

function silent(id: string, sentence: string, message: string): Trivial {
  return {
    id,
    sentence,
    serve: () => async () => {
      throw new Error(message);
    },
  };
}

export const silentServers: Trivial[] = [
  // A real run would wait for its timeout; here the request fails at once.
  silent('hang', 'never answers', 'no complete answer within 10000 ms'),
  silent(
    'reset',
    'closes every connection without an answer',
    'connection closed before the answer was complete (other side closed)',
  ),
  silent('refused', 'does not exist: nothing listens on its port', 'connection refused'),
  {
    id: 'reset-now-and-then',
    sentence: 'answers 200 {} or closes the connection, alternately',
    serve: () => {
      let count = 0;
      return async () => {
        count += 1;
        if (count % 2 === 0) {
          throw new Error('connection closed before the answer was complete (other side closed)');
        }
        return Response.json({});
      };
    },
  },
];
