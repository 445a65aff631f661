/** 5 and 8: how long an access token lives. */

/** The documented lifetime of an access token, in milliseconds. */
export const LIFETIME_MS = 7_200_000;

/** Tolerance for the time between issue and use of a token, and for clocks that round; in milliseconds. */
export const MARGIN_MS = 30_000;
