/** Aliases (`*name`) and merge keys (`<<: *name`) of a YAML file, written out. */
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

/** A few aliases of aliases of aliases would fill the memory. */
const MOST_ALIASES = 100;

/**
 * Puts copies in the place of aliases, and of merge keys the pairs that they stand for; a key of the map itself wins,
 * then the earlier of several maps. Copies keep the places of what they are copies of, so that a mistake in them is
 * told with its own line.
 * @param name of the file, for messages
 * @throws UsageError where there are too many of them, or a merge key stands for no map
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

/** Takes the merge keys of a map away and puts their pairs in. */
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
