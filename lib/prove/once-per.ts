/** Returns a function that computes its result once for each object that it is given. */
export function oncePer<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { value: Value }>();
  return (key) => {
    const entry = known.get(key) ?? { value: compute(key) };
    known.set(key, entry);
    return entry.value;
  };
}
