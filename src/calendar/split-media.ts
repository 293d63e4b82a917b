/** The media of one cell, told apart. */
import { isAddress } from "./media-address.ts";
import { tidyPath } from "./tidy-text.ts";

const SEPARATOR = /([|;,\n\r])/;

/** What an address may hold itself, where something of it follows. */
const IN_ADDRESS = new Set([",", ";"]);

/** Not the rest of an address: nothing, a blank or a quote first, another address, or an id of the service. */
const NO_REST = /^(?:$|[\s"'“”„«»‘’‚\p{Cf}]|https?:\/\/|media_[\w-]+\s*$)/iu;

/** An address holds no blank, so one that follows a blank is the next. */
const NEXT_ADDRESS = /(?<=\S)\s+(?=https?:\/\/)/i;

/**
 * Splits at `|` `;` `,` and line ends. Addresses may hold commas and semicolons: one that more of the address follows
 * at once, without a blank, belongs to it. Parts are as written, and may be blank.
 */
export function splitMedia(cell: string): readonly string[] {
  const [first = "", ...rest] = cell.split(SEPARATOR);
  const parts = [first];
  let isInAddress = isAddress(tidyPath(first));
  for (let index = 0; index < rest.length; index += 2) {
    const [separator = "", next = ""] = rest.slice(index, index + 2);
    if (isInAddress && IN_ADDRESS.has(separator) && !NO_REST.test(next)) {
      parts[parts.length - 1] += separator + next;
    } else {
      parts.push(next);
      isInAddress = isAddress(tidyPath(next));
    }
  }
  return parts.flatMap((part) => part.split(NEXT_ADDRESS));
}

/** Whether a part stays one when it stands in a cell with others. */
export function isOnePart(part: string): boolean {
  return splitMedia(part).length === 1;
}
