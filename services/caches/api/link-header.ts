/** The `Link` header field (RFC 8288, section 3). */

/** One link: where it leads and its relations, separated by spaces. */
export interface Link {
  target: string;
  rel: string;
}

const PARAMETER = /\s*;\s*([!#$%&'*+.^_`|~\w-]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|[!#$%&'*+.^_`|~\w-]+))?/y;

/** The links of a field value; undefined when it is not well-formed. Empty text has none. */
export function linksOf(value: string): Link[] | undefined {
  const links: Link[] = [];
  let at = 0;
  const skip = (form: RegExp): string | undefined => {
    const sticky = new RegExp(form.source, 'y');
    sticky.lastIndex = at;
    const found = sticky.exec(value);
    if (found) at = sticky.lastIndex;
    return found?.[0];
  };
  for (;;) {
    skip(/[\s,]+/);
    if (at >= value.length) return links;
    const target = skip(/<[^>]*>/);
    if (target === undefined) return undefined;
    let rel = '';
    for (;;) {
      PARAMETER.lastIndex = at;
      const parameter = PARAMETER.exec(value);
      if (!parameter) break;
      at = PARAMETER.lastIndex;
      // Only the first `rel` counts.
      if (parameter[1]!.toLowerCase() === 'rel' && rel === '')
        rel = (parameter[2] ?? '').replace(/^"(.*)"$/, '$1');
    }
    skip(/\s*/);
    if (at < value.length && value[at] !== ',') return undefined;
    links.push({ target: target.slice(1, -1), rel });
  }
}
