/** The meaning of a column's name: names that people and other schedulers use, in all languages. */

import { type Field, type Status, FIELDS, MEDIA_LIST_FIELDS } from "../../model/fields.ts";
import type { ColumnNames, Language } from "../../settings/languages/language.ts";
import { LANGUAGES, looseHeader, looseHeadersOf, wordsOf } from "../../settings/languages/languages.ts";

/** The field that a common name means. */
interface Meaning {
  readonly field: Field;
  /** Vague names often mean something else. */
  readonly isVague: boolean;
  /** Codes of the languages in which it is a name of the field. */
  readonly languages: readonly string[];
}

/** Built at the first lookup of an unknown name, because many calendars use only the fields' own names. */
let made: ReadonlyMap<string, Meaning> | undefined;

function meanings(): ReadonlyMap<string, Meaning> {
  made ??= allMeanings();
  return made;
}

function allMeanings(): Map<string, Meaning> {
  const found = new Map<string, Meaning>();
  for (const field of FIELDS) {
    const all = [
      { name: field, language: "en", isVague: false },
      ...namesOf(field, "clear").map((each) => ({ ...each, isVague: false })),
      ...namesOf(field, "vague").map((each) => ({ ...each, isVague: true })),
    ];
    for (const { name, language, isVague } of all) {
      const others = found.get(looseHeader(name))?.languages ?? [];
      const languages = others.includes(language) ? others : [...others, language];
      found.set(looseHeader(name), { field, isVague, languages });
    }
  }
  return found;
}

function namesOf(
  field: Field,
  kind: keyof ColumnNames,
): { readonly name: string; readonly language: string }[] {
  return LANGUAGES.flatMap(({ code, columns }) =>
    wordsOf(columns[field]?.[kind]).map((name) => ({ name, language: code })),
  );
}

/** A numbered column, such as `Picture Url 3`. Only columns of media and of their alt texts are numbered. */
const NUMBERED = /^(.*\p{L})\d{1,2}$/u;
/** `Image 1 alt text`. */
const NUMBERED_WITHIN = /^(\p{L}+)\d{1,2}(\p{L}+)$/u;

/** The field that a common name means. Not for the field's own name. */
export function meaningOf(name: string): Meaning | undefined {
  const loose = looseHeader(name);
  const known = meanings().get(loose);
  if (known !== undefined) return known;
  const numbered = meanings().get(NUMBERED.exec(loose)?.[1] ?? "");
  if (numbered !== undefined) return MEDIA_LIST_FIELDS.has(numbered.field) ? numbered : undefined;
  const within = meanings().get(loose.replace(NUMBERED_WITHIN, "$1$2"));
  return within?.field === "alt" ? within : undefined;
}

/** What a yes in a yes-or-no column means for the row. */
interface Question {
  readonly yes: Status;
  readonly languages: readonly string[];
}

const YES_MEANS = ["ready", "skip", "draft"] as const satisfies readonly Status[];

/** Built at the first lookup. A key ends with `?` if the name counts only with a question mark. */
let madeQuestions: ReadonlyMap<string, Question> | undefined;

function questions(): ReadonlyMap<string, Question> {
  if (madeQuestions !== undefined) return madeQuestions;
  const found = new Map<string, Question>();
  for (const yes of YES_MEANS) {
    for (const { code, questions } of LANGUAGES) {
      for (const name of wordsOf(questions[yes])) {
        const key = looseHeader(name) + (isQuestion(name) ? "?" : "");
        found.set(key, { yes, languages: [...(found.get(key)?.languages ?? []), code] });
      }
    }
  }
  madeQuestions = found;
  return found;
}

function isQuestion(name: string): boolean {
  return /[?？؟]/u.test(name);
}

/** What a yes means in a column with this name, such as `Publish?` or `Posted`; undefined if it asks nothing known. */
export function questionOf(name: string): Question | undefined {
  const loose = looseHeader(name);
  return (isQuestion(name) ? questions().get(`${loose}?`) : undefined) ?? questions().get(loose);
}

/** Whether a header speaks of publishing, approving or posting. */
export function speaksOfPublishing(name: string): boolean {
  const loose = looseHeader(name);
  return LANGUAGES.some(({ publishing }) => [...looseHeadersOf(publishing)].some((part) => loose.includes(part)));
}

/** Whether a header names an account, a brand or a client. */
export function isAccountName(name: string): boolean {
  return isListed(name, ({ accounts }) => accounts);
}

/** Whether a header names hashtags, or another part of the post that has no field. */
export function additionNamed(name: string): "hashtags" | "other" | undefined {
  if (isListed(name, ({ hashtags }) => hashtags)) return "hashtags";
  return isListed(name, ({ additions }) => additions) ? "other" : undefined;
}

/** The field that a name may mean: only to suggest it. */
export function suggestedFieldOf(name: string): Field | undefined {
  return FIELDS.find((field) => isListed(name, ({ columns }) => columns[field]?.maybe));
}

/** The names that may mean the field are first, then those with a word for it, such as `Air date`. */
export function likelyFirst(names: readonly string[], field: Field): string[] {
  const doubt = (name: string): number => {
    if (suggestedFieldOf(name) === field) return 0;
    return speaksOf(name, field) ? 1 : 2;
  };
  return [...names].sort((one, other) => doubt(one) - doubt(other));
}

/** Whether one of its words names the field, as in `Best time`. */
export function speaksOf(name: string, field: Field): boolean {
  const words = name.toLowerCase().split(/[^\p{L}\p{M}]+/u);
  return words.some((word) => word === field || meaningOf(word)?.field === field);
}

function isListed(name: string, list: (language: Language) => string | undefined): boolean {
  const loose = looseHeader(name);
  return LANGUAGES.some((each) => looseHeadersOf(list(each)).has(loose));
}
