/** Returns whether a `Content-Type` is a JSON media type, with or without parameters. */
export function isJsonMediaType(contentType: string): boolean {
  return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType.trim());
}
