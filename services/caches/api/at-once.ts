/** Concurrent requests. */

/**
 * Waits until all requests have settled, even if one of them fails: none may still be in flight when the next
 * check begins. Returns their results in order, and throws what the first failed one threw.
 */
export async function allOf<Sent extends readonly Promise<unknown>[]>(sent: Sent) {
  await Promise.allSettled(sent);
  return Promise.all(sent);
}
