/** The note service: short texts, kept until they are deleted. */
import { Blocked, defineService, trimmedUrl } from 'api-conformance';

export default defineService({
  name: 'notes',
  title: 'Notes',
  suites: ['note-keeping'],
  schema: {
    type: 'object',
    description: 'The note service: suite note-keeping.',
    additionalProperties: false,
    required: ['baseUrl', 'token'],
    properties: { baseUrl: { type: 'string' }, token: { type: 'string' } },
  },
  normalise: (config) => ({ ...config, baseUrl: trimmedUrl(config.baseUrl) }),
  urls: ({ baseUrl }) => ({ notes: baseUrl }),
  signOfLife: async (context) => {
    const { NotesApi } = await import('./api.js');
    const api = new NotesApi(context);
    const [one, other] = [await api.create('one'), await api.create('another')];
    const reads = [await api.read(one.at('/id')), await api.read(other.at('/id'))];
    await api.remove(one.at('/id'));
    await api.remove(other.at('/id'));
    if (reads[0].text === reads[1].text) throw new Blocked('two notes read alike');
  },
  cleanup: async () => {
    const { NotesApi } = await import('./api.js');
    return {
      identify: ({ notes }, digest) =>
        notes && { baseUrl: notes.baseUrl, accounts: { owner: digest(notes.token) } },
      undoers: {
        'notes.note': {
          effect: 'write',
          undo: async (entries, { session, done }) => {
            const left = [];
            for (const entry of entries) {
              const { id, text } = entry.detail;
              const note = id === undefined ? undefined : await new NotesApi({ session }).read(id);
              // Another note may have the id by now: only what the run wrote is removed.
              if (note?.ok && note.at('/text') === text) await new NotesApi({ session }).remove(id);
              else if (note === undefined) left.push('a note whose create got no answer');
              if (note !== undefined) done(entry);
            }
            return left;
          },
        },
      },
    };
  },
});
