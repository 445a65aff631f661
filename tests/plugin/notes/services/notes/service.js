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
  undoers: async () => {
    const { NotesApi } = await import('./api.js');
    return {
      'notes.note': async ({ detail }, session) => {
        if (detail.id !== undefined) await new NotesApi({ session }).remove(detail.id);
      },
    };
  },
});
