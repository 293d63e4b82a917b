/** How sure it is what a column stands for. */
import type { Field } from "../calendar/row.ts";
import type { Evidence } from "../calendar/table-columns.ts";

/** Words that teams use for other things too, such as `Content` for a kind of post: no surer than a clear name. */
const COMMON_WORDS: ReadonlySet<Field> = new Set(["content", "date"]);

export function isCommonWord(field: Field): boolean {
  return COMMON_WORDS.has(field);
}

/** How sure it is what a column stands for: 0 is said outright. */
export function certaintyRank(evidence: Evidence, isCommonWord = false): 0 | 1 | 2 {
  if (evidence.by === "name" && isCommonWord) return 1;
  if (evidence.by !== "synonym") return 0;
  return evidence.isVague ? 2 : 1;
}

/** Whether it goes by the header alone, not by what the project file says. */
export function isGuess({ by }: Evidence): boolean {
  return by === "name" || by === "synonym";
}
