/** What the rows above a table say about the whole of it: its title, and the time zone in a note such as `All times UK time`. */

import { placeNamed, zoneNamed } from "../../checks/when/zone-names.ts";
import { namesDay } from "../columns/cell-kinds.ts";
import { zonesOf } from "../columns/header-notes.ts";

export interface SheetNotes {
  /** The text of the only filled cell in the first row, unless that is a note. */
  readonly title: string | undefined;
  /** The zones that a note may mean, the likely one first, and the note. */
  readonly zone: { readonly zones: readonly string[]; readonly text: string } | undefined;
}

/** A longer cell is a text, in UTF-16 units. */
const LONGEST_NOTE = 200;
const LONGEST_TITLE = 60;

/** @param above the records above the header @param below some records below it */
export function sheetNotes(
  above: readonly (readonly string[])[],
  below: readonly (readonly string[])[],
): SheetNotes {
  const notes = [...above, ...below.map(onlyCell)].flat().map((cell) => cell.trim());
  const zone = notes.flatMap((text) => zoneInNote(text) ?? [])[0];
  const title = above.map(onlyCell).find((texts) => texts.length > 0)?.[0];
  const isTitle =
    title !== undefined &&
    title.length <= LONGEST_TITLE &&
    /\p{L}/u.test(title) &&
    !namesDay(title) &&
    !/[.:!?]$/.test(title) &&
    zoneInNote(title) === undefined;
  return { title: isTitle ? title.replaceAll(/\s+/g, " ") : undefined, zone };
}

/** The text of a record with only one filled cell. */
function onlyCell(cells: readonly string[]): string[] {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== "");
  return filled.length === 1 ? filled : [];
}

/** Words for times, in the languages of plancast. */
const TIMES =
  /(?<!\p{L})(?:times?|timezone|heures?|fuseau|uhrzeit(?:en)?|zeit(?:en)?|horas?|horarios?|orari[oi]?|ore|tijd(?:en)?|godziny?)(?!\p{L})|時間|時刻|التوقيت|توقيت/iu;

/** No name of a zone has more words. */
const MAX_WORDS = 4;

/** The zone in a note about times, such as `All times are UK time` or `Toutes les heures : Paris`. */
function zoneInNote(text: string): SheetNotes["zone"] {
  if (text.length > LONGEST_NOTE || !TIMES.test(text)) return undefined;
  const words = text.split(/[\s,;:()[\]]+/).filter((word) => word !== "");
  for (let length = Math.min(MAX_WORDS, words.length); length > 0; length -= 1) {
    for (let start = 0; start + length <= words.length; start += 1) {
      const part = words
        .slice(start, start + length)
        .join(" ")
        .replace(/\.$/, "");
      // `AT` is a zone, and the small word `at` is not.
      const zone = /^\p{Lu}|^[+-]/u.test(part) ? (zoneNamed(part) ?? placeNamed(part)) : undefined;
      if (zone !== undefined && part !== words[0]) return { zones: zonesOf(zone), text };
      if (zone !== undefined && words.length > 1) return { zones: zonesOf(zone), text };
    }
  }
  return undefined;
}
