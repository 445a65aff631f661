/** Returns a whole number that is written in decimal digits; undefined for any other text. */
export function wholeNumber(raw: string | undefined): number | undefined {
  return raw !== undefined && /^\d{1,9}$/.test(raw) ? Number(raw) : undefined;
}
