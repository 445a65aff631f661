/**
 * Short forms for the schema of `report.json`: each returns the schema of a property with its description.
 */
export const text = (description: string) => ({ type: 'string', description }) as const;
export const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const;
export const duration = (description: string) => ({ type: 'number', minimum: 0, description }) as const;
export const ids = (description: string) =>
  ({ type: 'array', items: { type: 'string' }, description }) as const;
export const moment = (description: string) =>
  ({ type: 'string', format: 'date-time', description }) as const;
export const ref = (name: string) => ({ $ref: `#/$defs/${name}` }) as const;
export const listOf = (name: string, description: string) =>
  ({ type: 'array', items: ref(name), description }) as const;
