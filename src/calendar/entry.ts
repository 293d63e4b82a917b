/**
 * The entry of a record that was read from a file. A key may be any text, such as the id `constructor`: what every
 * object inherits is no entry.
 */
export function getOwn<V>(record: Readonly<Record<string, V>>, key: string): V | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
