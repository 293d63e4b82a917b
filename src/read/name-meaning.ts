/** What a column's name means, by the names that people give to columns. */
import { FIELDS, type Field } from "../calendar/row.ts";
import { LANGUAGES, type Language } from "../calendar/table-columns.ts";
import { NAMES, type Names } from "./synonyms.ts";

/** What a name commonly stands for. */
interface Meaning {
  readonly field: Field;
  /** Names that often mean something else are vague. */
  readonly isVague: boolean;
  /** The languages in which it is a name of the field. */
  readonly languages: readonly Language[];
}

/** Made when a name is looked up that is no field's own: many calendars have no other. */
let made: ReadonlyMap<string, Meaning> | undefined;

function meanings(): ReadonlyMap<string, Meaning> {
  made ??= allMeanings();
  return made;
}

function allMeanings(): Map<string, Meaning> {
  const found = new Map<string, Meaning>();
  for (const field of FIELDS) {
    const { clear, vague = {} } = NAMES[field];
    const all = [
      { name: field, language: "en", isVague: false } as const,
      ...namesIn(clear).map((each) => ({ ...each, isVague: false })),
      ...namesIn(vague).map((each) => ({ ...each, isVague: true })),
    ];
    for (const { name, language, isVague } of all) {
      const others = found.get(looseName(name))?.languages ?? [];
      const languages = others.includes(language) ? others : [...others, language];
      found.set(looseName(name), { field, isVague, languages });
    }
  }
  return found;
}

function namesIn(names: Names): { readonly name: string; readonly language: Language }[] {
  return LANGUAGES.flatMap((language) =>
    (names[language]?.split(", ") ?? []).map((name) => ({ name, language })),
  );
}

/** A numbered column, such as `Picture Url 3`. Media alone come in columns of the same name. */
const NUMBERED = /^(.*\p{L})\d{1,2}$/u;

/** What a name other than a field's own commonly stands for. */
export function meaningOf(name: string): Meaning | undefined {
  const loose = looseName(name);
  const known = meanings().get(loose);
  if (known !== undefined) return known;
  const numbered = meanings().get(NUMBERED.exec(loose)?.[1] ?? "");
  return numbered?.field === "media" ? numbered : undefined;
}

/** Letters and digits alone, without case and accents, and without what stands in brackets. */
function looseName(name: string): string {
  return (
    name
      // `Link(s)` is one name; `Caption (EN)` is another than `Caption (FR)` only by what is in brackets.
      .replaceAll(/(?<=\p{L})\((s|es|en)\)/gu, "$1")
      .replaceAll(/\([^)]*\)|\[[^\]]*\]/g, "")
      .normalize("NFKD")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, "")
  );
}
