/** The four endpoints. What is created is in the journal before the request is sent. */
export class NotesApi {
  #session;

  constructor({ session }) {
    this.#session = session;
  }

  async create(text) {
    const { journal } = this.#session;
    const entry = journal.open('notes.note', { text: text ?? null }, { account: 'owner' });
    const answer = await this.send('POST', '/notes', 'create a note', { body: { json: { text } } });
    if (answer.ok) journal.note(entry, { id: answer.at('/id') });
    else journal.done(entry);
    return answer;
  }

  read(id) {
    return this.send('GET', `/notes/${encodeURIComponent(String(id))}`, 'read a note');
  }

  list(headers = {}) {
    return this.send('GET', '/notes', 'list the notes', { headers });
  }

  remove(id) {
    return this.send('DELETE', `/notes/${encodeURIComponent(String(id))}`, 'delete a note');
  }

  send(method, path, purpose, { headers = {}, ...rest } = {}) {
    const { baseUrl, token } = this.#session.target.notes;
    return this.#session.http.send({
      method,
      url: `${baseUrl}${path}`,
      purpose,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...rest,
    });
  }
}
