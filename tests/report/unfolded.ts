/** What a page says with its compressed blocks unfolded, as its script does it. */
import { inflateRawSync } from 'node:zlib';

/** The text of a page; each block of data in the place of its compressed form. */
export function unfolded(page: string): string {
  return page.replace(/(<script type="text\/plain" id="\w+">)([^<]*)/g, (_, tag: string, block: string) =>
    tag.concat(inflateRawSync(Buffer.from(block, 'base64')).toString('utf8')),
  );
}
