/** Sections 1 to 5: creating, reading, listing, deleting, authentication. */
import { check } from './suite.js';

const writeCheck = check.with({ effects: 'write' });

/** A note with this text, removed when `use` has ended. */
async function withNote(notes, block, text, use) {
  const created = await notes.create(text);
  if (!created.ok) block(`create answered ${created.status}`, 'NOTE-CREATE-STATUS');
  try {
    return await use(created);
  } finally {
    await notes.remove(created.at('/id'));
  }
}

writeCheck('NOTE-CREATE-STATUS', ({ notes, block, expect }) =>
  withNote(notes, block, 'Milk', (created) => expect.status(created, 201)),
);

writeCheck('NOTE-CREATE-TEXT', ({ notes, block, expect }) =>
  withNote(notes, block, 'Milk and Honey', (answer) =>
    expect.equal(answer.at('/text'), 'Milk and Honey', 'the text', { answer, at: '/text' }),
  ),
);

writeCheck('NOTE-CREATE-NOT-DONE', ({ notes, block, expect }) =>
  withNote(notes, block, 'Bread', (answer) =>
    expect.equal(answer.at('/done'), false, '`done`', { answer, at: '/done' }),
  ),
);

writeCheck('NOTE-READ-UNKNOWN-404', ({ notes, block, expect }) =>
  // The twin: a note that there is can be read.
  withNote(notes, block, 'Salt', async (created) => {
    const known = await notes.read(created.at('/id'));
    if (!known.ok) block(`reading a note answered ${known.status}`);
    expect.status(await notes.read('nobody-has-this-id'), 404);
  }),
);

writeCheck('NOTE-LIST-HOLDS', ({ notes, block, expect }) =>
  withNote(notes, block, 'Butter', async (created) => {
    const answer = await notes.list();
    const ids = (answer.at('/items') ?? []).map(({ id }) => id);
    expect.that(ids.includes(created.at('/id')), 'the list lacks the note', { answer, at: '/items' });
  }),
);

writeCheck('NOTE-LIST-ORDER', ({ notes, block, observe }) =>
  withNote(notes, block, 'First', (first) =>
    withNote(notes, block, 'Second', async (second) => {
      const ids = ((await notes.list()).at('/items') ?? []).map(({ id }) => id);
      const [a, b] = [ids.indexOf(first.at('/id')), ids.indexOf(second.at('/id'))];
      observe(a < b ? 'the oldest first' : 'the newest first');
    }),
  ),
);

writeCheck('NOTE-DELETE-STATUS', async ({ notes, block, expect }) => {
  const created = await notes.create('Eggs');
  if (!created.ok) block(`create answered ${created.status}`, 'NOTE-CREATE-STATUS');
  expect.status(await notes.remove(created.at('/id')), 204);
});

writeCheck('NOTE-DELETE-GONE', async ({ notes, block, expect }) => {
  const created = await notes.create('Flour');
  if (!(await notes.read(created.at('/id'))).ok) block('a created note cannot be read');
  await notes.remove(created.at('/id'));
  const answer = await notes.read(created.at('/id'));
  expect.that(!answer.ok, 'the deleted note can be read', { answer, at: 'status' });
});

check(['NOTE-AUTH-401', 'NOTE-AUTH-CHALLENGE'], async ({ notes, block, expect }) => {
  if (!(await notes.list()).ok) block('the list cannot be read with the configured token');
  const answer = await notes.list({ authorization: 'Bearer invented' });
  expect.status(answer, 401);
  expect
    .for('NOTE-AUTH-CHALLENGE')
    .that(answer.header('www-authenticate').length > 0, 'the 401 has no WWW-Authenticate', { answer });
});
