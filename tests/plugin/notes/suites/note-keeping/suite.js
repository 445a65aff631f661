/** The suite about notes. */
import { defineSuite } from 'api-conformance/suite';
import { NotesApi } from '../../services/notes/api.js';
import notes from '../../services/notes/service.js';

export const check = defineSuite('note-keeping', {
  service: notes,
  fixtures: { notes: (context) => new NotesApi(context) },
});
