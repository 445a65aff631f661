/** A third-party program in TypeScript, compiled against the package's declarations and never run. */
import { defineService, loadTarget, run } from 'api-conformance';
import { defineSuite } from 'api-conformance/suite';

interface NotesConfig {
  baseUrl: string;
}

declare module 'api-conformance' {
  interface ServiceConfigs {
    notes: NotesConfig;
  }
}

const notes = defineService<NotesConfig>({
  name: 'notes',
  title: 'Notes',
  suites: ['note-keeping'],
  schema: { type: 'object' },
  normalise: (config) => config,
  urls: ({ baseUrl }) => ({ notes: baseUrl }),
  signOfLife: async () => {},
});

const check = defineSuite<{ twice: (n: number) => number }>('note-keeping', {
  service: notes,
  fixtures: { twice: () => (n) => 2 * n },
});

check('NOTE-LIST-HOLDS', { effects: 'read' }, async ({ twice, target, expect }) => {
  expect.that(twice(1) === 2, target.notes?.baseUrl ?? 'nowhere');
  // @ts-expect-error the fixture takes a number
  twice('1');
});

const { target } = await loadTarget('targets.yaml');
const report = await run(target, { events: { check: ({ id }) => process.stdout.write(id) } });
// @ts-expect-error a summary is a sentence
export const wrong: number = report.summary;
