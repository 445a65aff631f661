/** Decides which values of the configuration are secret, and makes a redactor that knows them. */
import { targetsSchema } from '../../schemas/targets.ts';
import { catalogueOf } from '../model/catalogue/registry.ts';
import { createRedactor, type Redactor } from '../model/redaction/redactor.ts';
import type { ResolvedTarget } from './types.ts';

/** The names of configuration values that are secrets, at any depth. */
export const SECRET_KEY =
  /secret|token$|^key$|^d$|^p$|^q$|^dp$|^dq$|^qi$|password|authorization|api[-_]?key|credential|signature/i;
/** Query parameters of configured URLs that are secrets. */
const SECRET_PARAMETER = /secret|token|key|sig|auth|pass|code|cred/i;

/** Returns a redactor that knows the secrets of a target and the suites' own words. */
export function redactorFor(target: ResolvedTarget, suites: readonly string[]): Redactor {
  const redactor = createRedactor(() =>
    JSON.stringify([targetsSchema([]), keysOf(target), suites.map(catalogueOf)]),
  );
  addTargetSecrets(redactor, target);
  return redactor;
}

/** Returns the keys of a configuration, at any depth: words of the suite, whatever their values are. */
function keysOf(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...own, ...Object.values(value).flatMap(keysOf)];
}

/** Makes every secret of a target's configuration known to a redactor, labelled with its key. */
export function addTargetSecrets(redactor: Pick<Redactor, 'add'>, target: ResolvedTarget): void {
  const visit = (value: unknown, key: string, label: string, secret: boolean): void => {
    const isSecret = secret || SECRET_KEY.test(key);
    if (typeof value === 'string') {
      if (isSecret) redactor.add(value, label);
      // In `Bearer abc` the second part is the secret, and it may appear without the first.
      if (isSecret && /^\w+ +\S/.test(value)) redactor.add(value.replace(/^\w+ +/, ''), label);
      addUrlSecrets(redactor, value);
    } else if (value !== null && typeof value === 'object') {
      // The public members of a JWK are no secrets. Every configured header counts as one, since any may
      // carry a credential.
      const all = key === 'headers';
      for (const [name, inner] of Object.entries(value)) {
        if (key === 'key' && !SECRET_KEY.test(name)) continue;
        visit(inner, name, Array.isArray(value) ? label : name, all);
      }
    }
  };
  visit(target, '', 'secret', false);
}

/** Makes the password of a URL known, and the parameters of its query or fragment that are secrets. */
function addUrlSecrets(redactor: Pick<Redactor, 'add'>, text: string): void {
  // Of a path, such as that of the call which a key opens, only the query may hold secrets.
  const isPath = text.startsWith('/') && /[?#]/.test(text);
  if (!isPath && !/^https?:\/\//i.test(text)) return;
  if (!URL.canParse(text, 'http://none.invalid')) return;
  const url = new URL(text, 'http://none.invalid');
  if (url.password !== '') redactor.add(decodePercent(url.password), 'url password');
  // A user name without a password is usually a token.
  else if (url.username !== '') redactor.add(decodePercent(url.username), 'url user');
  for (const query of [url.search.slice(1), url.hash.slice(1)]) {
    for (const [name, value] of new URLSearchParams(query)) {
      if (SECRET_PARAMETER.test(name)) redactor.add(value, name);
    }
  }
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
