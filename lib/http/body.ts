/**
 * A request body: as JSON, as a form (RFC 6749 appendix B), or as raw text with its own type. It is sent as UTF-8; raw text
 * as Latin-1 where told so, which is no UTF-8 where a character is none of ASCII.
 */
export type Body =
  | { json: unknown }
  | { form: Record<string, string | undefined> }
  | { raw: string; type?: string; encoding?: 'latin1' };

/** A body as it goes on the wire. */
export interface WireBody {
  /** As UTF-8. */
  body: string;
  /** What is sent, where it is not `body`. */
  bytes?: Buffer;
}

/** What to send, and the content type that goes with it (none for raw text without one). */
export function encodeBody(body: Body): { wire: WireBody; type: string | undefined } {
  if ('json' in body) return { wire: { body: JSON.stringify(body.json) }, type: 'application/json' };
  if ('form' in body) {
    const fields = Object.entries(body.form).filter((e): e is [string, string] => e[1] !== undefined);
    return {
      wire: { body: new URLSearchParams(fields).toString() },
      type: 'application/x-www-form-urlencoded',
    };
  }
  if (body.encoding === undefined) return { wire: { body: body.raw }, type: body.type };
  const bytes = Buffer.from(body.raw, body.encoding);
  return { wire: { body: bytes.toString('utf8'), bytes }, type: body.type };
}
