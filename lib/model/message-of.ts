/** What was thrown, in words: the message of an error, or the thing itself. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
