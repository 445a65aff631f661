/** Requests that are under way together. */

/** Waits for all, also where one fails: none may be under way any more when the next check begins. */
export async function allOf<T>(sent: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(sent);
  return Promise.all(sent);
}
