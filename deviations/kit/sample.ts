/** Sample values that fit a schema, always the same ones. */
import { resolve, type SchemaNode, type Schemas } from './walk.ts';

/** Texts in the forms that the schemas require. The first one that fits is used. */
const TEXTS = [
  'text',
  '0f8fad5b-d9cb-469f-a165-70867728950e',
  'MX',
  'https://constant.example/path',
  'http://127.0.0.1/path',
  '2024-01-01T00:00:00Z',
  'refs/heads/main',
  'owner/name',
];

function textFor(node: SchemaNode): string {
  const pattern = node.pattern === undefined ? undefined : new RegExp(node.pattern, 'u');
  const form = node.format;
  const fits = (text: string): boolean =>
    (pattern?.test(text) ?? true) &&
    (form !== 'date-time' || /^\d{4}-/.test(text)) &&
    ((form !== 'uri' && form !== 'url') || text.startsWith('https:'));
  return TEXTS.find(fits) ?? 'text';
}

/** Returns a value that fits `node`, always the same one. Lists get one item where one is allowed. */
export function sample(schemas: Schemas, node: SchemaNode & { maxItems?: number }): unknown {
  const own = resolve(schemas, node) as SchemaNode & { maxItems?: number };
  if (own.const !== undefined) return own.const;
  if (own.enum !== undefined) return own.enum[0];
  const branch = own.anyOf?.[0] ?? own.oneOf?.[0];
  if (branch !== undefined && own.properties === undefined) return sample(schemas, branch);
  const [type = own.properties === undefined ? 'null' : 'object'] = [own.type ?? []].flat();
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(own.properties ?? {}).map(([name, inner]) => [name, sample(schemas, inner)]),
      );
    case 'array': {
      if (own.maxItems === 0) return [];
      const item = own.contains ?? own.items;
      return item === undefined ? [] : [sample(schemas, item)];
    }
    case 'string':
      return textFor(own);
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, own.minimum ?? 1), own.maximum ?? 1);
    case 'boolean':
      return true;
    default:
      return null;
  }
}
