/** Addresses that appear, stay, or get lost beside what a request asked for (4.1 to 4.6). */
import { randomUUID } from 'node:crypto';
import type { AddressBook, AddressTemplate, Env, ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { bearerOf, lettingIn } from './authentication.ts';
import { keeps, rewriting, storing } from './create-kit.ts';
import { cutting } from './list-kit.ts';
import { COLLECTION } from './paths.ts';
import { bookOf } from './second-times.ts';

const plain = (text: string | null) => text?.normalize('NFD').replaceAll(/\p{M}/gu, '');

/** Serves the list without parameters from a cache that only creates empty. */
function cachingPlainLists(): Pick<Deviation<ShippingRules>, 'wrap'> {
  return {
    wrap: (next) => {
      const cached = new Map<string, string>();
      return async (request) => {
        const { pathname, search } = new URL(request.url);
        const key = request.headers.get('authorization') ?? '';
        const isPlain = request.method === 'GET' && COLLECTION.test(pathname) && search === '';
        if (request.method === 'POST' && COLLECTION.test(pathname)) cached.clear();
        const kept = isPlain ? cached.get(key) : undefined;
        const answer = await next(request);
        if (!isPlain || !answer.ok) return answer;
        if (kept !== undefined) return new Response(kept, answer);
        cached.set(key, await answer.clone().text());
        return answer;
      };
    },
  };
}

export const sideEffectDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'list-of-all-clients',
    breaks: ['ADDR-LIST-OTHER-CLIENT'],
    sentence: 'lists the addresses of all clients, and finds only those of the client by their ids',
    rules: (original) => {
      let books: Iterable<AddressBook> = [];
      return {
        bookOf: (token, env) => {
          books = env.state.books.values();
          return original.bookOf(token, env);
        },
        collection: () => [...books].flatMap((book) => [...book.values()]),
      };
    },
  },
  {
    id: 'list-without-parameters-stale',
    breaks: ['ADDR-UPDATE-IN-LIST', 'ADDR-DELETE-GONE-LIST'],
    sentence: 'serves the list without parameters from a cache that updates and deletes do not empty',
    ...cachingPlainLists(),
  },
  {
    id: 'list-wrong-after-page-10',
    breaks: ['ADDR-LIST-NO-GAPS'],
    entails: ['ADDR-LIST-*', 'ADDR-META-*', 'ADDR-CREATE-LISTED'],
    sentence: 'sorts page numbers as text, so that pages from the eleventh on show addresses of earlier ones',
    rules: cutting((items, page, perPage) => {
      const at = page > 10 ? page - 9 : page;
      return items.slice((at - 1) * perPage, at * perPage);
    }),
  },
  {
    id: 'update-of-verified-dropped',
    breaks: ['ADDR-UPDATE-SETS-ALIAS-NAME'],
    sentence: 'answers an update of a verified address with success and drops it',
    rules: (original) => ({
      replaceTemplate: (book, template, env) => {
        const current = book.get(template.id);
        const isVerified = current?.verifications.some(({ dueAt }) => dueAt <= env.clock.now());
        if (isVerified && current?.verifications === template.verifications) return;
        original.replaceTemplate(book, template, env);
      },
    }),
  },
  {
    id: 'update-of-unknown-saves',
    breaks: ['ADDR-UPDATE-UNKNOWN-REFUSED'],
    sentence: 'refuses an update of an unknown id and saves an address all the same',
    rules: (original) => ({
      findTemplate: (book, id, endpoint, env) => {
        const found = original.findTemplate(book, id, endpoint, env);
        const like = [...book.values()].at(-1);
        if (found || endpoint !== 'update' || !like) return found;
        const saved = { ...like, id: randomUUID(), default: false, verifications: [] };
        book.set(saved.id, saved);
        return undefined;
      },
    }),
  },
  {
    id: 'create-omitted-from-another',
    breaks: [keeps('company')],
    entails: ['ADDR-*'],
    sentence: 'stores in fields that a create omits the values of the create before it',
    rules: (original) => {
      let before: Partial<AddressTemplate['address']> = {};
      return storing((address, sent) => {
        const company = sent.company === undefined ? (before.company ?? null) : address.company;
        before = { ...address, company };
        return { company };
      })(original);
    },
  },
  {
    id: 'create-number-of-house-alone',
    breaks: [keeps('street_number'), keeps('apartment_number')],
    sentence: 'stores only the digits of the numbers of houses and flats',
    rules: storing(({ street_number, apartment_number }) => ({
      street_number: street_number && (/^\d+/.exec(street_number)?.[0] ?? street_number),
      apartment_number: apartment_number && (/^\d+/.exec(apartment_number)?.[0] ?? apartment_number),
    })),
  },
  {
    id: 'create-areas-without-accents',
    breaks: ['ADDR-CREATE-KEEPS-SPANISH'],
    sentence: 'stores states and cities without their accents',
    rules: storing(({ area_level1, area_level2 }) => ({
      area_level1: plain(area_level1),
      area_level2: plain(area_level2),
    })),
  },
  {
    id: 'create-postal-code-without-zero',
    breaks: [keeps('postal_code')],
    sentence: 'drops the leading zero of a postal code in a create',
    rules: rewriting('postal_code', (text) => text.replace(/^0/, '')),
    entails: ['ADDR-UPDATE-OMITTED-KEPT-POSTAL-CODE'],
  },
  {
    id: 'deleted-labels-stay-taken',
    breaks: ['ADDR-CREATE-STATUS'],
    sentence: 'refuses a create with the label of an address that was deleted',
    rules: (original) => {
      const taken = new Set<unknown>();
      return {
        removeTemplate: (book, template, env) => {
          taken.add(template.alias_name);
          original.removeTemplate(book, template, env);
        },
        createProblems: (body, env) => {
          const { alias_name } = (body.address_template ?? {}) as { alias_name?: unknown };
          return taken.has(alias_name) ? ['alias_name is taken'] : original.createProblems(body, env);
        },
      };
    },
  },
  {
    id: 'revocation-removes-addresses',
    breaks: ['ADDR-CREATE-LASTS'],
    entails: ['ADDR-*'],
    sentence: 'removes the addresses that were saved with a token when it is revoked',
    rules: (original) => {
      const savedWith = new Map<string, string>();
      return {
        createdHeaders: (template, request) => {
          savedWith.set(template.id, bearerOf(request) ?? '');
          return original.createdHeaders(template, request);
        },
        endToken: (token, env) => {
          original.endToken(token, env);
          for (const [id, value] of savedWith) if (value === token.value) bookOf(id, env)?.delete(id);
        },
      };
    },
  },
  {
    id: 'verify-of-other-client-starts',
    breaks: ['ADDR-VERIFY-OTHER-CLIENT'],
    sentence: "refuses a verify of another client's address and starts it all the same",
    rules: (original) => ({
      findTemplate: (book, id, endpoint, env) => {
        const other = endpoint === 'verify' ? bookOf(id, env) : undefined;
        if (other !== undefined && other !== book) startIn(other, id, env);
        return original.findTemplate(book, id, endpoint, env);
      },
    }),
  },
  {
    id: 'verify-refused-wipes-outcomes',
    breaks: ['ADDR-VERIFY-REQUIRES-CARRIERS'],
    sentence: 'removes the outcomes of an address before it refuses a verify without carriers',
    rules: (original) => {
      let asked: { book: AddressBook; id: string } | undefined;
      return {
        findTemplate: (book, id, endpoint, env) => {
          if (endpoint === 'verify') asked = { book, id };
          return original.findTemplate(book, id, endpoint, env);
        },
        verifyProblems: (body, env) => {
          const problems = original.verifyProblems(body, env);
          const current = asked?.book.get(asked.id);
          if (problems.length > 0 && current) asked?.book.set(current.id, { ...current, verifications: [] });
          return problems;
        },
      };
    },
  },
  {
    id: 'bearer-null-beside-the-list',
    breaks: ['ADDR-AUTH-BLANK-TOKEN'],
    sentence: 'takes the bearer token null for a valid one everywhere but at the list',
    rules: lettingIn(
      (request, endpoint) => endpoint !== 'list' && request.headers.get('authorization') === 'Bearer null',
    ),
  },
  {
    id: 'list-with-slash-is-open',
    breaks: ['ADDR-AUTH-LIST-NO-TOKEN'],
    sentence: 'asks for no token where the path of the list ends with a slash',
    wrap: (next) => {
      let last: string | null = null;
      return async (request) => {
        const url = new URL(request.url);
        const authorization = request.headers.get('authorization');
        if (COLLECTION.test(url.pathname)) last = authorization ?? last;
        const isSlashed = request.method === 'GET' && /address_templates\/$/.test(url.pathname);
        if (!isSlashed || authorization !== null || last === null) return next(request);
        url.pathname = url.pathname.replace(/\/$/, '');
        return next(new Request(url, { headers: { authorization: last } }));
      };
    },
  },
];

/** Starts a verification by the first carrier. */
function startIn(book: AddressBook, id: string, env: Env): void {
  const template = book.get(id);
  if (template) book.set(id, env.rules.startVerification(template, [env.carriers[0]!], env));
}
