/** The note service in memory. `rules` are its decisions, for deviations and variants to replace. */
export const rules = {
  createStatus: 201,
  deleteStatus: 204,
  create: (id, text) => ({ id, text, done: false }),
  unknown: () => Response.json({ message: 'there is no such note' }, { status: 404 }),
  list: (notes) => notes,
  remove: (notes, id) => notes.delete(id),
  mayCall: (token) => token === TOKEN,
};

export const TOKEN = 'reference-note-token';

/** A fresh service: a function from request to answer. */
export function createNotes(changes = {}) {
  const decide = { ...rules, ...changes };
  const notes = new Map();
  let made = 0;
  return async (request) => {
    const token = request.headers.get('authorization')?.replace(/^Bearer /, '');
    if (!decide.mayCall(token)) {
      const headers = { 'www-authenticate': 'Bearer' };
      return Response.json({ message: 'who are you?' }, { status: 401, headers });
    }
    const id = /\/notes\/([^/]+)$/.exec(new URL(request.url).pathname)?.[1];
    if (id === undefined && request.method === 'POST') {
      made += 1;
      const note = decide.create(`n${made}`, (await request.json()).text);
      notes.set(note.id, note);
      return Response.json(note, { status: decide.createStatus });
    }
    if (id === undefined) return Response.json({ items: decide.list([...notes.values()]) });
    if (!notes.has(id)) return decide.unknown();
    if (request.method !== 'DELETE') return Response.json(notes.get(id));
    decide.remove(notes, id);
    return new Response(null, { status: decide.deleteStatus });
  };
}

/** What the service at `url` says of itself, with the keys of `targets.yaml`. */
export const describeNotes = (url) => ({ hooks: {}, services: { notes: { baseUrl: url, token: TOKEN } } });
