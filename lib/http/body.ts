/** A request body: as JSON, as a form (RFC 6749 appendix B), or as raw text with its own type. */
export type Body =
  | { json: unknown }
  | { form: Record<string, string | undefined> }
  | { raw: string; type?: string };

/** The bytes to send and the content type that goes with them (none for raw text without one). */
export function encodeBody(body: Body): { text: string; type: string | undefined } {
  if ('json' in body) return { text: JSON.stringify(body.json), type: 'application/json' };
  if ('form' in body) {
    const fields = Object.entries(body.form).filter((e): e is [string, string] => e[1] !== undefined);
    return { text: new URLSearchParams(fields).toString(), type: 'application/x-www-form-urlencoded' };
  }
  return { text: body.raw, type: body.type };
}
