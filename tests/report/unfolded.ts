/** Unfolds the compressed blocks of a page, as its script does. */
import { inflateRawSync } from 'node:zlib';

/** Returns the text of a page with each block of data in place of its compressed form. */
export function unfolded(page: string): string {
  return page.replace(/(<script type="text\/plain" id="\w+">)([^<]*)/g, (_, tag: string, block: string) =>
    tag.concat(inflateRawSync(Buffer.from(block, 'base64')).toString('utf8')),
  );
}
