/** V8 keeps parts of a string shorter than this as strings of their own. */
const SHARED_FROM = 13;

/**
 * The same text in memory of its own. What is cut out of a large text shares its memory, so that one cell would keep
 * alive the piece of the file in which it stood.
 */
export function detachText(text: string): string {
  return text.length < SHARED_FROM ? text : Buffer.from(text).toString();
}
