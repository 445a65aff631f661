/** Returns the message of a thrown `Error`, or anything else that was thrown as a string. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
