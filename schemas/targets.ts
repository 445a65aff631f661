/**
 * JSON Schema of `targets.yaml` (DESIGN section 7): the part that is the same for every target. Each service
 * provides the schema of its own part. `schemas/targets.schema.json` is the whole with the services of this
 * package, written out for editors; a test keeps the two equal.
 */
/**
 * Not just any URI: `localhost:3000` is one, with the scheme `localhost`. Credentials have keys of their own.
 */
export const url = { type: 'string', format: 'uri', pattern: '^https?://[^/?#@]+([/?#].*)?$' } as const;

/** What the name of a target may be. */
export const TARGET_NAME = '^[A-Za-z0-9][A-Za-z0-9._-]*$';

/** A token as it stands behind `Bearer`. White space at its ends is a slip, and would be lost on the way. */
export const bearer = { type: 'string', pattern: '^\\S+$' } as const;

/** Schema of further headers of any request. */
export const headers = {
  type: 'object',
  description: 'Further headers to send with every request, for example an API gateway key.',
  additionalProperties: { type: 'string' },
} as const;

/** Headers that checks set or leave out themselves: a fixed one would falsify what they see. */
const OWN_HEADERS = [
  'authorization',
  'content-type',
  'content-length',
  'transfer-encoding',
  'accept',
  'host',
];

/** Matches these names in any case; JSON Schema's patterns have no flag for that. */
const ownHeader = `^(${OWN_HEADERS.join('|').replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`)})$`;

/** Schema of further headers of requests to a service, which every service may use in its own part. */
export const requestHeaders = {
  ...headers,
  propertyNames: { pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$", not: { pattern: ownHeader } },
} as const;

const hook = {
  type: 'object',
  description: 'An HTTP call (`url`) or a command (`command`) that takes JSON and answers JSON.',
  additionalProperties: false,
  properties: {
    url: { ...url, description: 'Called with POST and a JSON body.' },
    headers,
    command: {
      type: 'array',
      minItems: 1,
      items: { type: 'string' },
      description: 'Program and arguments; JSON on standard input, JSON on standard output.',
    },
    env: {
      type: 'array',
      uniqueItems: true,
      items: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
      description:
        'Names of further environment variables that the command may see; without it PATH, HOME, LANG and TMPDIR alone.',
    },
  },
  oneOf: [{ required: ['url'] }, { required: ['command'] }],
  dependentRequired: { env: ['command'] },
} as const;

/** Schema of the proxy of a target. */
export const PROXY = {
  type: ['string', 'boolean'],
  pattern: '^https?://',
  not: { const: true },
  description:
    'Address of the proxy to go through, or `false` to go through none. Default: what HTTP_PROXY, HTTPS_PROXY and NO_PROXY say.',
} as const;

const network = {
  type: 'object',
  description: 'How the target is reached. Paths are relative to targets.yaml.',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    ca: {
      type: 'string',
      description: 'PEM file of certificate authorities to trust beside the usual ones.',
    },
    certificate: { type: 'string', description: 'PEM file of the client certificate to show.' },
    certificateKey: { type: 'string', description: 'PEM file of its private key.' },
    socket: { type: 'string', description: 'Unix socket to connect to in the place of host and port.' },
    proxy: PROXY,
  },
} as const;

const run = {
  type: 'object',
  description: 'What the flags of `conform run` say; a flag wins.',
  additionalProperties: false,
  properties: {
    suites: { type: 'array', items: { type: 'string' } },
    grep: { type: 'string', description: 'Ids to run, `*` stands for anything.' },
    out: { type: 'string', description: 'Where reports go.' },
    effects: {
      type: 'array',
      items: { enum: ['read', 'write', 'settings'] },
      description: 'What checks may do. Default read and write; settings only for the reference.',
    },
    maxWait: {
      type: 'number',
      minimum: 0,
      description: 'Longest wait in real time, in seconds. Default 10.',
    },
    settle: {
      type: 'number',
      minimum: 0,
      description:
        'So many seconds after a change reads may still show what was before; the suite waits that long. Default 0.',
    },
    timeout: { type: 'number', exclusiveMinimum: 0, description: 'For one request, in seconds. Default 10.' },
    seed: { type: 'integer', minimum: 0, description: 'Seed of the test data.' },
    strict: { type: 'boolean', description: 'Advised statements fail the run too.' },
    concurrency: {
      type: 'integer',
      minimum: 1,
      description: 'Checks that may run side by side. Default 1.',
    },
    order: {
      enum: ['planned', 'random'],
      description:
        'Of the checks. Default `planned`: what others build on first. `random` is drawn from the seed.',
    },
    budget: {
      type: 'integer',
      minimum: 1,
      description:
        'Requests that the run is to take about: the checks that catch most for them run, the rest is skipped.',
    },
    maxRequests: {
      type: 'integer',
      minimum: 1,
      description: 'Requests that may be sent, hooks included; the rest is skipped.',
    },
    maxTime: {
      type: 'integer',
      minimum: 1,
      description: 'Time that the checks may take, in seconds; the rest is skipped.',
    },
    junit: { enum: ['strict', 'rich'] },
    har: { enum: ['attention', 'full'], description: 'Exchanges in exchanges.har. Default attention.' },
    knownFailures: {
      type: 'string',
      description: 'Baseline: failures that are known and do not fail the run.',
    },
    strictBaseline: {
      type: 'boolean',
      description: 'Entries of the baseline that hold or have expired fail the run. Default: in CI.',
    },
    minExercised: {
      type: ['integer', 'string'],
      description: 'So many requirements, or such a share of them (`80%`), have to be exercised.',
    },
    require: {
      type: 'array',
      items: { type: 'string' },
      description: 'Ids that have to be exercised and to hold; `*` stands for anything.',
    },
  },
} as const;

/** What a service adds to the schema of a target. */
export interface TargetPart {
  /** The key of the target that holds the service's configuration. */
  name: string;
  /** JSON Schema of the value of that key. */
  schema: object;
  /** The service's hooks, each with a sentence that says what it does. */
  hooks?: Readonly<Record<string, string>>;
}

/** Returns the schema of `targets.yaml` for targets that may have these parts. */
export function targetsSchema(parts: readonly TargetPart[]) {
  const hooks = {
    clock: 'Moves the clock of the target forward.',
    ...Object.assign({}, ...parts.map((part) => part.hooks)),
  };
  const targetSchema = {
    type: 'object',
    additionalProperties: false,
    properties: {
      title: { type: 'string', description: 'Name for reports.' },
      embedded: { type: 'boolean', description: 'True: start the embedded reference and test that.' },
      ...Object.fromEntries(parts.map(({ name, schema }) => [name, schema])),
      hooks: {
        type: 'object',
        additionalProperties: false,
        description: 'What the implementation lends the suite; see docs/hooks.md.',
        properties: Object.fromEntries(
          Object.entries(hooks).map(([name, description]) => [name, { ...hook, description }]),
        ),
      },
      network,
      run,
    },
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://api-conformance.invalid/schemas/targets.schema.json',
    title: 'targets.yaml',
    type: 'object',
    additionalProperties: false,
    required: ['targets'],
    // A place for values that several targets include with a merge key.
    patternProperties: { '^x-': true },
    properties: {
      plugins: {
        type: 'array',
        items: { type: 'string', minLength: 1 },
        description:
          'Packages, or folders relative to this file, with further services and suites. Their code runs only where the file was named with --config, or its folder is trusted (conform trust).',
      },
      default: { type: 'string', description: 'The target that `conform run` takes without --target.' },
      targets: {
        type: 'object',
        minProperties: 1,
        propertyNames: { pattern: TARGET_NAME },
        additionalProperties: targetSchema,
      },
    },
  };
}

/** A hook: an HTTP call, or a command with its arguments; one of the two. */
export interface HookConfig {
  url?: string;
  headers?: Record<string, string>;
  command?: string[];
  env?: string[];
}

/** What a target says about how it is run; see the schema above. */
export interface RunConfig {
  suites?: string[];
  grep?: string;
  out?: string;
  effects?: ('read' | 'write' | 'settings')[];
  maxWait?: number;
  settle?: number;
  timeout?: number;
  seed?: number;
  strict?: boolean;
  concurrency?: number;
  order?: 'planned' | 'random';
  budget?: number;
  maxRequests?: number;
  maxTime?: number;
  junit?: 'strict' | 'rich';
  har?: 'attention' | 'full';
  knownFailures?: string;
  strictBaseline?: boolean;
  minExercised?: number | string;
  require?: string[];
}

/** How a target is reached: paths of files; see the schema. */
export interface NetworkConfig {
  ca?: string;
  certificate?: string;
  certificateKey?: string;
  socket?: string;
  proxy?: string | false;
}
