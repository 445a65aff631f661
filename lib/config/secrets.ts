import type { ResolvedTarget } from './types.ts';

/** Takes secrets that must never be written anywhere. */
export interface SecretSink {
  add(secret: string, label: string): void;
}

/** Names of configuration values that are secrets, wherever they stand. */
const SECRET_KEY = /secret|token$|^key$|^d$|^p$|^q$|^dp$|^dq$|^qi$|password|authorization|api-?key/i;

/** Hands every secret of a target's configuration to a redactor, labelled with its key. */
export function addTargetSecrets(sink: SecretSink, target: ResolvedTarget): void {
  const visit = (value: unknown, key: string, label: string, secret: boolean): void => {
    const isSecret = secret || SECRET_KEY.test(key);
    if (typeof value === 'string') {
      if (isSecret && value !== '') sink.add(value, label);
    } else if (value !== null && typeof value === 'object') {
      // The public parts of a key are no secret; headers all are, since nobody knows what they carry.
      const all = key === 'headers';
      for (const [name, inner] of Object.entries(value)) {
        if (key === 'key' && !SECRET_KEY.test(name)) continue;
        visit(inner, name, Array.isArray(value) ? label : name, all);
      }
    }
  };
  visit(target, '', 'secret', false);
}
