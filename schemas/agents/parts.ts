/** Constraints that several resources of specification 2 share. */

/** An absolute http or https URL. */
export const url = { type: 'string', format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' } as const;

/** An absolute URL that clients need not request: of any scheme with an authority, or a `data:` URL. */
export const anyUrl = {
  type: 'string',
  format: 'uri',
  pattern: '^([A-Za-z][A-Za-z0-9+.-]*://[^/]|[Dd][Aa][Tt][Aa]:)',
} as const;

/** UUID-shaped: 8-4-4-4-12 hexadecimal digits, any version, any case. */
export const uuidPattern = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$';

/** The assertion type of an ID-JAG, the only one in specification 2. */
export const idJag = 'urn:ietf:params:oauth:token-type:id-jag';
