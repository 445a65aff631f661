/**
 * A request body: as JSON, as a form (RFC 6749 appendix B), or as raw text with its own type. It is sent as UTF-8; raw text
 * as Latin-1 where told so, which is no UTF-8 where a character is none of ASCII.
 */
export type Body =
  | { json: unknown }
  | { form: Record<string, string | undefined> }
  | { raw: string; type?: string; encoding?: 'latin1' };

/** A body and the content type that goes with it (none for raw text without one). */
interface EncodedBody {
  /** As UTF-8. */
  text: string;
  /** What is sent, where it is not `text`. */
  bytes?: Buffer;
  type: string | undefined;
}

/** What to send. */
export function encodeBody(body: Body): EncodedBody {
  if ('json' in body) return { text: JSON.stringify(body.json), type: 'application/json' };
  if ('form' in body) {
    const fields = Object.entries(body.form).filter((e): e is [string, string] => e[1] !== undefined);
    return { text: new URLSearchParams(fields).toString(), type: 'application/x-www-form-urlencoded' };
  }
  if (body.encoding === undefined) return { text: body.raw, type: body.type };
  const bytes = Buffer.from(body.raw, body.encoding);
  return { text: bytes.toString('utf8'), bytes, type: body.type };
}
