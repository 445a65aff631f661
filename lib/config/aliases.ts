/** Replaces aliases (`*name`) and merge keys (`<<: *name`) of a YAML file by what they stand for. */
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';
import { UsageError } from '../model/usage-error.ts';

/** A limit, because a few levels of aliases of aliases would fill the memory. */
const MOST_ALIASES = 100;

/**
 * Replaces each alias by a copy of what it stands for, and each merge key by the pairs that it stands for. A
 * key of the map itself takes precedence over a merged one, and an earlier merged map over a later one.
 * Copies keep the positions of their originals, so that a mistake in one is reported with the line where it
 * was written.
 * @param name of the file, for messages
 * @throws UsageError when there are too many aliases, one is undefined, or a merge key does not stand for a
 *   map
 */
export function writeOutAliases(doc: Document, name: string): void {
  try {
    doc.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    const [said] = error.message.split('\n');
    throw new UsageError(
      /^Excessive alias/.test(said!)
        ? `${name}: its aliases stand for more than a configuration may have`
        : `${name}: ${said}`,
    );
  }
  if (isNode(doc.contents)) doc.contents = writtenOut(doc.contents, doc, name);
}

function writtenOut(node: Node, doc: Document, name: string): Node {
  if (isAlias(node)) {
    const meant = node.resolve(doc);
    return meant ? writtenOut(meant.clone() as Node, doc, name) : node;
  }
  if (isSeq(node)) node.items = node.items.map((item) => (isNode(item) ? writtenOut(item, doc, name) : item));
  if (isMap(node)) {
    for (const pair of node.items) if (isNode(pair.value)) pair.value = writtenOut(pair.value, doc, name);
    merge(node, name);
  }
  return node;
}

/** Removes the merge keys of a map and inserts the pairs that they stand for. */
function merge(map: YAMLMap, name: string): void {
  const isMerge = ({ key }: Pair) => isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
  const merges = map.items.filter(isMerge);
  if (merges.length === 0) return;
  map.items = map.items.filter((pair) => !isMerge(pair));
  for (const source of merges.flatMap(({ value }) => (isSeq(value) ? value.items : [value]))) {
    if (!isMap(source)) throw new UsageError(`${name}: a merge key \`<<\` takes a map, or a list of maps`);
    for (const pair of source.items) if (!map.has(pair.key)) map.items.push(pair);
  }
}
