/** 5 and 8: how long an access token lives. */

/** The documented lifetime of an access token, in milliseconds. */
export const LIFETIME_MS = 7_200_000;

/** Tolerance for the time between issue and use of a token, and for clocks that round; in milliseconds. */
export const MARGIN_MS = 30_000;

/**
 * In milliseconds after its issue: when a token is over for certain. Libraries that verify self-contained tokens
 * allow up to 5 minutes for clocks that differ (RFC 7519 4.1.4).
 */
export const OVER_MS = LIFETIME_MS + 300_000 + MARGIN_MS;
