/** The wire of the proof: a fresh service for each case, in memory. */
import { handlerTransport } from 'api-conformance';
import { createNotes } from '../reference/notes.js';
import { allCases } from './index.js';

export async function openTransport({ case: id }) {
  const { rules, handle } = allCases().get(id);
  return handlerTransport(handle?.() ?? createNotes(rules));
}

/** Any answer may differ. */
export const concernOf = () => undefined;
