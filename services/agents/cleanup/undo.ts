/** Reports the journal entries of the agent registration service: none of them can be undone. */
import type { ServiceCleanup } from '../../../lib/check/cleanup.ts';
import { describeRegistrations, REGISTRATIONS_KIND } from './made-registrations.ts';

export const cleanup: ServiceCleanup = {
  identify: ({ agents }) =>
    agents && { baseUrl: agents.authUrl ?? agents.baseUrl, accounts: { issuer: agents.issuer ?? '' } },

  undoers: {
    [REGISTRATIONS_KIND]: {
      effect: 'none',
      undo: async (entries, undoing) => {
        for (const entry of entries) {
          const { count, ids, unanswered } = entry.detail;
          for (const each of describeRegistrations(numberIn(count), textsIn(ids), numberIn(unanswered)))
            undoing.stays(each);
          undoing.done(entry);
        }
        return [];
      },
    },
  },
};

function numberIn(value: unknown): number {
  return Number.isInteger(value) ? (value as number) : 0;
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
