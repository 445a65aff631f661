/** True for a media type that says it is JSON, parameters or not. */
export function isJson(contentType: string): boolean {
  return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType.trim());
}

/** True for a JSON object. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
