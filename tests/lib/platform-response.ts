/** The platform's Response. The proof's transport replaces the global one (`useLightResponses`). */

/**
 * Kept for the whole thread, which files share: a test that timed out may go on after its file has ended, and
 * replace the global one then.
 */
const thread = process as typeof process & { platformResponse?: typeof Response };
thread.platformResponse ??= globalThis.Response;

export const { platformResponse } = thread;
