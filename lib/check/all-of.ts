/**
 * Waits until all pieces of work have settled, even if one of them fails: none may still be under way when what
 * follows begins. Returns their results in order, and throws what the first failed one threw.
 */
export async function allOf<Work extends readonly Promise<unknown>[]>(works: Work) {
  await Promise.allSettled(works);
  return Promise.all(works);
}
