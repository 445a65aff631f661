/** Returns whether a `Content-Type` is a JSON media type, with or without parameters. */
export function isJson(contentType: string): boolean {
  return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType.trim());
}

/** Returns whether a value is a JSON object. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
