/** Finds the objects within a body that a schema describes. */

/** The parts of a JSON Schema that say which properties there are and what their values may be. */
export interface SchemaNode {
  $id?: string;
  $ref?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  minItems?: number;
  contains?: SchemaNode;
  required?: readonly string[];
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
  anyOf?: readonly SchemaNode[];
  oneOf?: readonly SchemaNode[];
  allOf?: readonly SchemaNode[];
}

/** Schemas by `$id`. */
export type Schemas = ReadonlyMap<string, SchemaNode>;

/** Indexes schemas by `$id`. */
export function indexSchemas(schemas: readonly object[]): Schemas {
  return new Map(schemas.map((schema) => [(schema as SchemaNode).$id ?? '', schema as SchemaNode]));
}

/**
 * Returns the schema that a node refers to, after following all references. Throws an Error if there is none.
 */
export function resolve(schemas: Schemas, node: SchemaNode): SchemaNode {
  if (node.$ref === undefined) return node;
  const target = schemas.get(node.$ref);
  if (target === undefined) throw new Error(`there is no schema ${node.$ref}`);
  return resolve(schemas, target);
}

/**
 * Calls `visit` with every object in `value` that the schema named `owner` describes. The schema of `value`
 * itself is `node`.
 * @param at the name of the schema or property that `node` is
 */
export function visitObjects(
  schemas: Schemas,
  node: SchemaNode,
  value: unknown,
  owner: string,
  visit: (object: Record<string, unknown>) => void,
  at = node.$id ?? '',
): void {
  if (node.$ref !== undefined) {
    visitObjects(schemas, resolve(schemas, node), value, owner, visit, node.$ref);
    return;
  }
  for (const branch of [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])]) {
    visitObjects(schemas, branch, value, owner, visit, at);
  }
  if (Array.isArray(value)) {
    if (node.items !== undefined) {
      for (const item of value) visitObjects(schemas, node.items, item, owner, visit, at);
    }
    return;
  }
  if (value === null || typeof value !== 'object') return;
  const object = value as Record<string, unknown>;
  for (const [name, property] of Object.entries(node.properties ?? {})) {
    if (Object.hasOwn(object, name)) {
      visitObjects(schemas, property, object[name], owner, visit, `${at}/${name}`);
    }
  }
  if (at === owner) visit(object);
}

/**
 * Returns every object schema that occurs in a body with the schema `name`, by name, the outermost first.
 * Throws an Error where there is no such schema.
 */
export function reachable(schemas: Schemas, name: string): Map<string, SchemaNode> {
  const found = new Map<string, SchemaNode>();
  const walk = (node: SchemaNode, at: string): void => {
    if (node.$ref !== undefined) {
      walk(resolve(schemas, node), node.$ref);
      return;
    }
    if (node.properties !== undefined && !found.has(at)) {
      found.set(at, node);
      for (const [property, inner] of Object.entries(node.properties)) walk(inner, `${at}/${property}`);
    }
    if (node.items !== undefined) walk(node.items, at);
    for (const branch of [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])]) {
      walk(branch, at);
    }
  };
  const root = schemas.get(name);
  if (root === undefined) throw new Error(`there is no schema ${name}`);
  walk(root, name);
  return found;
}
