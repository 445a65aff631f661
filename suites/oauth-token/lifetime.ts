/** 5 and 8: how long an access token lives. */

/** In milliseconds. */
export const LIFETIME_MS = 7_200_000;

/** For the requests between issuing a token and presenting it, and for clocks that round; in milliseconds. */
export const MARGIN_MS = 30_000;
