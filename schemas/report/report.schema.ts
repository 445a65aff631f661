/**
 * JSON Schema 2020-12 of `report.json`: a whole run. Published as `schemas/report.schema.json`, which a test
 * keeps equal to this. The matching type is `RunReport` in lib/model/results.ts.
 */
import { definitions } from './definitions.ts';
import { count, duration, ids, listOf, moment, ref, text } from './words.ts';

export const reportSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'report.schema.json',
  title: 'Conformance report',
  description:
    'One run of the conformance suites against one target. Secrets are replaced by labels such as «client_secret».',
  type: 'object',
  required: [
    'format',
    'tool',
    'target',
    'startedAt',
    'durationMs',
    'seed',
    'suites',
    'totals',
    'exitCode',
    'summary',
    'requirements',
    'checks',
    'observations',
    'diagnoses',
    'groups',
    'requests',
    'known',
  ],
  properties: {
    format: { const: 1, description: 'Version of this format.' },
    tool: {
      type: 'object',
      required: ['name', 'version'],
      properties: { name: text('Name of the tool.'), version: text('Its version.') },
      description: 'What made the run.',
    },
    target: {
      type: 'object',
      required: ['name', 'urls'],
      properties: {
        name: text('Its name in the configuration.'),
        title: text('What a person calls it.'),
        urls: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'Its addresses, by service.',
        },
      },
      description: 'The implementation that was tested.',
    },
    startedAt: moment('When the run began.'),
    durationMs: duration('How long it took, in milliseconds.'),
    seed: { type: 'integer', description: 'Seed of the test data: the same seed repeats them.' },
    suites: listOf('suite', 'The suites that ran.'),
    totals: ref('totals'),
    exitCode: {
      enum: [0, 1, 3],
      description:
        '0: no violation among what was exercised, and something was. 1: not conformant. 3: undecided.',
    },
    summary: text('The verdict in one sentence with its denominators.'),
    requirements: listOf('requirement', 'Every entry of the catalogues of the suites that ran.'),
    checks: listOf('check', 'Every check that the run had.'),
    observations: listOf('observation', 'How this target fills what the specification leaves open.'),
    diagnoses: listOf(
      'diagnosis',
      'Causes that fit the pattern of failures and what was found, the best first.',
    ),
    groups: listOf('group', 'The failed requirements, each in one group; what to fix first stands first.'),
    requests: count('HTTP requests that were sent.'),
    known: ids(
      'Requirements that fail and that the list of known failures names; they do not decide exitCode.',
    ),
    baseline: listOf('baselineEntry', 'The list of known failures, held against the run.'),
    gates: ids('What was asked of the run besides and is not met, a sentence each; any makes exitCode 1.'),
    chosen: ids('Patterns that narrowed the run down; the denominators are of what they chose.'),
    redacted: {
      type: 'object',
      additionalProperties: { type: 'integer', minimum: 0 },
      description: 'How many times each label, such as `«client_secret»`, stands in the place of a secret.',
    },
    budget: {
      type: 'object',
      required: ['requests', 'checks', 'of', 'deviations'],
      additionalProperties: false,
      properties: {
        requests: count('Requests that the run was to take about.'),
        checks: count('Checks that were chosen for what they catch.'),
        of: count('Checks of the suites.'),
        deviations: {
          type: 'object',
          required: ['known', 'caught', 'catchable'],
          additionalProperties: false,
          properties: {
            known: count('Known deviations that some check of the suites fails on.'),
            caught: count('Those that a chosen check fails on.'),
            catchable: count('Those that a check fails on for which the configuration has what it needs.'),
          },
        },
      },
      description: 'What `--budget` chose; all other checks are skipped.',
    },
    shard: {
      type: 'object',
      required: ['index', 'of', 'strict', 'gates'],
      properties: {
        index: count('Which shard, counted from 1.'),
        of: count('How many there are.'),
        strict: { type: 'boolean', description: 'Whether advised statements fail the run.' },
        gates: { type: 'object', description: 'What the merged run has to show besides.' },
        cut: { type: 'boolean', description: 'Whether checks of the shard had no turn.' },
      },
      description: 'In the report of a shard alone; `conform merge` makes one report of all.',
    },
    leftovers: ids('What could not be put back as it was, or is in doubt; `conform clean` tries again.'),
    interrupted: {
      type: 'object',
      description: 'The run was stopped before its end.',
      required: ['withoutTurn'],
      properties: {
        withoutTurn: {
          type: 'integer',
          minimum: 0,
          description: 'Entries of the catalogue that were chosen and that no check had looked at yet.',
        },
      },
    },
    stays: ids('What the run made and nothing can take back.'),
  },
  $defs: definitions,
} as const;
