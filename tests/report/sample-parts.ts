/** The parts of the sample run: a saved address, exchanges, entries. */
import type { CheckResult, Exchange, Finding, HeaderPair, Level, Verdict } from '../../lib/model/results.ts';

/** The secrets in the sample's exchanges. A redactor has to know them. */
export const sampleSecrets = {
  client_secret: 'q7Vn-2fLx8Wd/Rk+04sPzTtB6yMhJ3cE',
  access_token: 'at_9f1c3b57d2e84a60b8c7f0e1a2d394c5',
};

export const START = Date.parse('2025-03-18T09:24:07.318Z');
/** The address of the sample's target. */
export const BASE = 'https://sandbox.shipping.example';

/** A saved address as the target shows it. */
export const address = (over: Record<string, unknown> = {}, inner: Record<string, unknown> = {}) => ({
  id: '5b0e9b1e-64f7-4f0c-9a53-0c4a1a1f3d77',
  alias_name: 'Bodega Poniente',
  address_type: 'from',
  default: false,
  address: {
    name: 'Marta Iñíguez',
    company: 'Tejidos del Norte',
    street1: 'Av. Insurgentes Sur',
    street_number: '1602',
    apartment_number: null,
    postal_code: '03940',
    area_level1: 'Ciudad de México',
    area_level2: 'Benito Juárez',
    area_level3: 'Crédito Constructor',
    country_code: 'MX',
    phone: '5550142298',
    email: 'marta@tejidos.example',
    reference: 'portón verde',
    rfc: null,
    tax_id_number: null,
    tax_id_type: null,
    ...inner,
  },
  verified_carriers: [],
  ...over,
});

/** An entry of the catalogue, with the result of the sample's check of it. */
export interface Entry {
  id: string;
  section: string;
  title: string;
  statement: string;
  level?: Level;
  severity?: 'critical' | 'major' | 'minor';
  cause?: string;
  standard?: string;
  reason?: string;
  verdict?: Verdict;
  check?: Partial<CheckResult>;
  exchanges?: Exchange[];
  finding?: Omit<Finding, 'requirement'>;
  answer?: string;
}

/** Returns an entry that passes for each field; its id ends with a hyphen and the name of the field. */
export const perField = (
  id: string,
  names: readonly string[],
  entry: (field: string) => Omit<Entry, 'id' | 'verdict'>,
): Entry[] =>
  names.map((field) => ({
    id: `${id}-${field.toUpperCase().replaceAll('_', '-')}`,
    ...entry(field),
    verdict: 'passed',
  }));

let sent = 0;

/** Restarts the numbering of exchanges, so that every sample is the same. */
export function restart(): void {
  sent = 0;
}

/** Returns how many exchanges there are so far. */
export function sentSoFar(): number {
  return sent;
}

/** Returns a recorded exchange. Each one is sent half a second after the previous one. */
export function exchange(
  purpose: string,
  method: string,
  path: string,
  options: {
    body?: unknown;
    form?: string;
    status?: number;
    answer?: unknown;
    headers?: HeaderPair[];
    error?: string;
    open?: boolean;
    waitedMs?: number;
  },
): Exchange {
  sent++;
  const requestText = options.form ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const answerText =
    typeof options.answer === 'string'
      ? options.answer
      : options.answer === undefined
        ? ''
        : JSON.stringify(options.answer);
  const type = options.form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
  const auth: HeaderPair[] = path.includes('/oauth/')
    ? []
    : [['authorization', `Bearer ${sampleSecrets.access_token}`]];
  return {
    id: `x${sent}`,
    purpose,
    startedAt: new Date(START + sent * 531).toISOString(),
    durationMs: 18 + ((sent * 37) % 90),
    ...(options.waitedMs ? { waitedMs: options.waitedMs } : {}),
    request: {
      method,
      url: `${BASE}/api/v1${path}`,
      headers: [...auth, ['content-type', type], ['accept', 'application/json']],
      ...(requestText === undefined
        ? {}
        : { body: { text: requestText, bytes: Buffer.byteLength(requestText) } }),
    },
    ...(options.error === undefined
      ? {
          response: {
            status: options.status ?? 200,
            headers: options.headers ?? [
              ['content-type', 'application/json; charset=utf-8'],
              ['date', 'Tue, 18 Mar 2025 09:24:08 GMT'],
              ['x-request-id', `7c1e-${sent}`],
            ],
            body: { text: answerText, bytes: Buffer.byteLength(answerText) },
          },
        }
      : { error: options.error }),
  };
}

/** A page of the address list that holds `n` addresses. */
export const list = (perPage: number, n: number) => ({
  data: Array.from({ length: n }, (_, i) =>
    address({ id: `5b0e9b1e-64f7-4f0c-9a53-0c4a1a1f3d${10 + i}`, alias_name: `Bodega ${i + 1}` }),
  ),
  meta: {
    total_count: 31,
    per_page: perPage,
    current_page: 1,
    total_pages: 2,
    next_page: 2,
    prev_page: null,
  },
});
