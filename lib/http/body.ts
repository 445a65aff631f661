/**
 * A request body: as JSON, as a form (RFC 6749 appendix B), or as raw text with its own type. It is sent as
 * UTF-8. With `encoding: 'latin1'`, raw text is sent as Latin-1, which is not valid UTF-8 once it has a
 * character outside ASCII.
 */
export type Body =
  | { json: unknown }
  | { form: Record<string, string | undefined> }
  | { raw: string; type?: string; encoding?: 'latin1' };

/** A body as it goes on the wire. */
export interface WireBody {
  /** The text of the body, which is sent as UTF-8. */
  body: string;
  /** What is sent instead, where the body is not UTF-8. */
  bytes?: Buffer;
}

/** Returns what to send, and the content type that goes with it (none for raw text without one). */
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
