/** Names the project's calendars in messages about a name that is not one of them. */

import { posix } from "node:path";
import { didYouMean, nearest } from "../model/text.ts";

/** Most calendars that a message lists. */
const MAX_LISTED = 5;

/**
 * A sentence after a blank: the calendar that the name most likely means, else the calendars that exist; nothing
 * without calendars. Paths are relative to the project root, with `/`.
 */
export function suggestCalendar(name: string, found: readonly string[]): string {
  const near = nearest(name, found) ?? nearestName(name, found);
  if (near !== undefined) return didYouMean(near);
  if (found.length === 0) return "";
  const listed = found.slice(0, MAX_LISTED).map((file) => `\`${file}\``);
  const more = found.length - listed.length;
  const all = more > 0 ? `${listed.join(", ")} and ${more} more` : listed.join(", ");
  return found.length === 1 ? ` The project's calendar is ${all}.` : ` The project's calendars are ${all}.`;
}

/** People leave out the folder, and the ending. */
function nearestName(name: string, found: readonly string[]): string | undefined {
  const short = posix.basename(name, posix.extname(name));
  const names = new Map(found.map((file) => [posix.basename(file, posix.extname(file)), file]));
  return names.get(nearest(short, names.keys()) ?? "");
}
