/** The `$defs` of the schema of `report.json`: what it uses in several places, or what is large. */
import { count, duration, ids, listOf, moment, ref, text } from './words.ts';

const verdicts = ['passed', 'failed', 'warned', 'observed', 'skipped', 'blocked', 'errored'] as const;

const headers = {
  type: 'array',
  items: { type: 'array', prefixItems: [text('Name.'), text('Value.')], items: false, minItems: 2 },
  description: 'Headers in the order of the wire, repeats kept.',
} as const;

export const definitions = {
  baselineEntry: {
    type: 'object',
    required: ['id', 'state', 'failed'],
    properties: {
      id: text('Id of a requirement, or a pattern.'),
      reason: text('Why it is tolerated.'),
      link: text('Where it is tracked.'),
      expires: text('The last day on which it counts.'),
      state: {
        enum: ['fails', 'holds', 'expired', 'not-exercised'],
        description: 'Whether the entry still belongs there.',
      },
      failed: ids('The failed requirements that it names.'),
    },
  },
  verdict: {
    enum: verdicts,
    description:
      'passed: shown to hold. failed: a required statement is violated. warned: an advised one is. observed: a silence, recorded. skipped: the configuration lacks something. blocked: something else has to hold first. errored: could not be decided.',
  },
  totals: {
    type: 'object',
    required: [
      'requirements',
      'exercised',
      'passed',
      'failed',
      'skipped',
      'blocked',
      'errored',
      'warned',
      'observed',
      'untestable',
      'checks',
    ],
    properties: {
      requirements: count('Required entries: the denominator.'),
      exercised: count('Those with the verdict passed or failed.'),
      passed: count('Required entries that hold.'),
      failed: count('Required entries that do not hold.'),
      skipped: count('Required entries that were skipped.'),
      blocked: count('Required entries that were blocked.'),
      errored: count('Required entries that could not be decided.'),
      warned: count('Advised entries that are violated.'),
      observed: count('Silences that were observed.'),
      untestable: count('Entries that cannot be tested from outside.'),
      checks: {
        type: 'object',
        required: verdicts,
        properties: Object.fromEntries(
          verdicts.map((verdict) => [verdict, count(`Checks with the verdict ${verdict}.`)]),
        ),
        description: 'Checks by verdict.',
      },
      unsteady: count('Checks whose failure did not come again when it was repeated.'),
    },
    description: 'Counts; those of requirements are over the level required unless said otherwise.',
  },
  suite: {
    type: 'object',
    required: ['name', 'title', 'spec', 'totals'],
    properties: {
      name: text('Name of the suite.'),
      title: text('What a person calls it.'),
      spec: text('The specification that it tests.'),
      sections: {
        type: 'object',
        description: 'Headings of the specification by the number of the section.',
        additionalProperties: { type: 'string' },
      },
      catalogueVersion: text(
        'Version of its catalogue, with a digest of what it demands: 1.0.0+5f0c0a8b3d21.',
      ),
      totals: ref('totals'),
    },
  },
  requirement: {
    type: 'object',
    required: ['id', 'suite', 'section', 'level', 'title', 'statement', 'checks'],
    properties: {
      id: text('Stable id; it never changes meaning.'),
      suite: text('The suite that it belongs to.'),
      section: text('Where the specification says it.'),
      level: { enum: ['required', 'advised', 'silence', 'untestable'], description: 'How binding it is.' },
      basis: {
        enum: ['stated', 'derived'],
        description: 'Required entries: said, or following by necessity.',
      },
      title: text('A few words.'),
      statement: text('What is demanded; for a silence, the question that is left open.'),
      quote: {
        type: 'object',
        description: 'The words of the specification that it rests on.',
        required: ['section', 'text'],
        properties: {
          section: text('Number of the section where they stand.'),
          text: text('A few words, as they stand there.'),
        },
      },
      verdict: { ...ref('verdict'), description: 'Absent where no check ran for it.' },
      severity: {
        enum: ['critical', 'major', 'minor'],
        description: 'How bad it is for a client when it does not hold.',
      },
      standard: text('Advised entries: the standard that says it.'),
      cause: text('How a server usually comes to break it, and what to look at first.'),
      reason: text('Why it cannot be tested from outside.'),
      checks: ids('Ids of the checks that cite it.'),
    },
  },
  check: {
    type: 'object',
    required: [
      'id',
      'suite',
      'title',
      'requirements',
      'verdict',
      'verdicts',
      'findings',
      'observations',
      'effects',
      'startedAt',
      'durationMs',
      'exchanges',
      'sharedExchanges',
    ],
    properties: {
      id: text('Stable id: that of a requirement, with /case where it has several checks.'),
      suite: text('The suite that it belongs to.'),
      title: text('A few words.'),
      requirements: ids('The requirements that it cites.'),
      verdict: ref('verdict'),
      reason: text('Why it came to this verdict.'),
      verdicts: {
        type: 'object',
        additionalProperties: ref('verdict'),
        description: 'What it says about each cited requirement.',
      },
      findings: listOf('finding', 'What it found to be violated.'),
      observations: listOf('observation', 'What it recorded.'),
      blockedBy: text('The requirement that has to hold first.'),
      effects: { enum: ['read', 'write', 'settings'], description: 'What it does to the target.' },
      source: {
        type: 'object',
        required: ['file', 'line'],
        properties: {
          file: text('Path of the file, relative to the package.'),
          line: { type: 'integer', minimum: 1, description: 'Line.' },
        },
        description: 'Where the check is written.',
      },
      startedAt: moment('When it began.'),
      durationMs: duration('How long it took, in milliseconds.'),
      unsteady: {
        type: 'boolean',
        description: 'Whether a failure did not come again when it was repeated.',
      },
      exchanges: listOf('exchange', 'Its HTTP requests and what came back.'),
      sharedExchanges: ids('Ids of exchanges of earlier checks that it rests on.'),
    },
  },
  finding: {
    type: 'object',
    required: ['requirement', 'message'],
    properties: {
      requirement: text('The requirement that does not hold.'),
      message: text('What was expected and what was found instead.'),
      exchange: text('Id of the exchange that shows it.'),
      by: text('Id of the exchange that did it, where another one shows it.'),
      pointer: text('JSON pointer into the body of the answer, or header:Name, or status.'),
      expected: text('What the specification asks for.'),
      found: text('What the target gave.'),
    },
  },
  group: {
    type: 'object',
    required: ['root', 'requirements', 'checks', 'exchanges', 'severity', 'blocks'],
    properties: {
      root: text('The requirement to look at first.'),
      requirements: ids('All requirements of the group, the root first.'),
      checks: ids('The failed checks.'),
      exchanges: ids('Ids of the exchanges that show them.'),
      severity: { enum: ['critical', 'major', 'minor'], description: 'The worst of its requirements.' },
      blocks: count('Checks that are blocked by one of its requirements.'),
    },
  },
  observation: {
    type: 'object',
    required: ['id', 'question', 'answer'],
    properties: {
      id: text('Id of the silence in the catalogue.'),
      question: text('What the specification leaves open.'),
      answer: text('What this target does.'),
    },
  },
  diagnosis: {
    type: 'object',
    required: ['requirement', 'sentence', 'score', 'checks'],
    properties: {
      deviation: text(
        'Id of the deviation that what was found fits; absent where only the requirement is known.',
      ),
      requirement: text('The requirement at the root.'),
      sentence: text(
        'Completes "an implementation that …"; without a deviation, the title of the requirement.',
      ),
      score: { type: 'number', minimum: 0, maximum: 1, description: 'How well it fits.' },
      checks: ids('The failed checks that it explains.'),
    },
  },
  exchange: {
    type: 'object',
    required: ['id', 'purpose', 'startedAt', 'durationMs', 'request'],
    properties: {
      id: text('Unique within the run, in the order of sending.'),
      purpose: text('What the request was for.'),
      hook: text('The hook of the target that it called, by its name.'),
      startedAt: moment('When it was sent.'),
      durationMs: duration('From sending to the last byte of the answer, in milliseconds.'),
      waitedMs: duration('How long pacing held it back before, in milliseconds.'),
      passedMs: duration('How long the check let pass on the target before, on purpose, in milliseconds.'),
      atOnce: {
        const: true,
        description: 'It was sent while an earlier request of the same check was under way.',
      },
      request: {
        type: 'object',
        required: ['method', 'url', 'headers'],
        properties: { method: text('Method.'), url: text('Address.'), headers, body: ref('body') },
        description: 'What was sent.',
      },
      response: {
        type: 'object',
        required: ['status', 'headers', 'body'],
        properties: { status: count('Status code.'), headers, body: ref('body') },
        description: 'What came back; absent when nothing did.',
      },
      error: text('Why no answer came, or why the one that came could not be used.'),
    },
  },
  body: {
    type: 'object',
    required: ['bytes'],
    properties: {
      text: text('The body as UTF-8, as far as it was recorded; absent when there was none.'),
      bytes: count('Its true size.'),
      cut: { type: 'boolean', description: 'Whether the text is shorter than the body was.' },
      sha256: text('SHA-256 of the whole body, in hexadecimal, where the text is shorter.'),
    },
  },
} as const;
