/** The meaning of a column's name: names that people and other schedulers use, in all languages. */

import { networkNamed } from "../../checks/networks/network-names.ts";
import { type Field, type Status, FIELDS, MEDIA_LIST_FIELDS, fieldNamed } from "../../model/fields.ts";
import type { Language } from "../../settings/languages/language.ts";
import {
  LANGUAGES,
  looseHeader,
  looseHeadersOf,
  looseWord,
  statusWord,
  wordsOf,
} from "../../settings/languages/languages.ts";

/** The field that a common name means. */
interface Meaning {
  readonly field: Field;
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
      { name: field as string, language: "en" },
      ...(field === "content" ? bodyNames() : []),
      ...namesOf(field),
    ];
    for (const { name, language } of all) {
      const others = found.get(looseHeader(name))?.languages ?? [];
      const languages = others.includes(language) ? others : [...others, language];
      found.set(looseHeader(name), { field, languages });
    }
  }
  return found;
}

function namesOf(field: Field): readonly NameInLanguage[] {
  return LANGUAGES.flatMap(({ code, columns }) =>
    wordsOf(columns[field]?.clear).map((name) => ({ name, language: code })),
  );
}

interface NameInLanguage {
  readonly name: string;
  readonly language: string;
}

/** The main part of the text is the text, unless a column has another part. */
function bodyNames(): readonly NameInLanguage[] {
  return LANGUAGES.flatMap(({ code, textParts }) =>
    wordsOf(textParts.body).map((name) => ({ name, language: code })),
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

/** What the names of numbered columns share, such as `slide` for `Slide 2`; undefined for other names. */
export function numberedName(name: string): string | undefined {
  return NUMBERED.exec(looseHeader(name))?.[1];
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

/**
 * What a yes means in a column with this name, such as `Publish?` or `Posted`; undefined if plancast does not know
 * the question.
 */
export function questionOf(name: string): Question | undefined {
  const loose = looseHeader(name);
  return (isQuestion(name) ? questions().get(`${loose}?`) : undefined) ?? questions().get(loose);
}

/** Whether a header speaks of publishing, approving or posting. */
export function speaksOfPublishing(name: string): boolean {
  const loose = looseHeader(name);
  return LANGUAGES.some(({ publishing }) =>
    [...looseHeadersOf(publishing)].some((part) => loose.includes(part)),
  );
}

/** Words after which a state is about something else: who did it, or until when. */
const NOT_STATES: ReadonlySet<string> = new Set(
  "by par por von durch da door przez due deadline until before target bis frist échéance avant date time link url count number total anzahl nombre id".split(
    " ",
  ),
);

/** Built at the first lookup: the words and phrases of all languages. */
let madeStates: { readonly words: ReadonlySet<string>; readonly phrases: readonly string[] } | undefined;

function states(): NonNullable<typeof madeStates> {
  madeStates ??= allStates();
  return madeStates;
}

/** Japanese writes no spaces. */
function isPhrase(word: string): boolean {
  return /[\s\p{Script=Han}]/u.test(word);
}

function allStates(): NonNullable<typeof madeStates> {
  const all = LANGUAGES.flatMap((language) => wordsOf(language.states));
  return {
    words: new Set(all.filter((word) => !isPhrase(word)).map(looseWord)),
    phrases: all.filter(isPhrase).map(looseWord),
  };
}

/** Whether a header says something about the state of a row, as in `Client OK?`, `Checked` or `In Buffer`. */
export function namesState(name: string): boolean {
  const words = nameWords(name.toLowerCase());
  if (words.some((word) => NOT_STATES.has(word))) return false;
  const { words: known, phrases } = states();
  const loose = looseHeader(name);
  return words.some((word) => known.has(looseWord(word))) || phrases.some((phrase) => loose.includes(phrase));
}

/** Whether a header names an account, a brand, a client, a market or a language, also of one network: `FB page`. */
export function isAccountName(name: string): boolean {
  return isListedForNetwork(name, ({ accounts }) => accounts);
}

/** Whether a header says that its cells name who approved the rows: `Approved by`. */
export function isApproverName(name: string): boolean {
  return isListed(name, ({ approvers }) => approvers);
}

/** Whether a header names notes for the team, such as `Pillar` or `Owner`. They decide nothing. */
export function isTeamNote(name: string): boolean {
  return isListed(name, ({ notes }) => notes);
}

/** Languages and countries that headers name by a code. */
const CODES =
  /^(?:EN|FR|DE|ES|IT|PT|NL|PL|AR|JA|JP|ZH|CN|KO|RU|UK|UA|TR|SV|SE|DA|DK|NO|FI|CS|CZ|HU|RO|EL|GR|US|GB|CA|AT|CH|BE|MX|BR|ENG|FRA|GER|ESP|ITA)$/;

/** Names of languages, folded. Built at the first lookup. */
let madeLanguages: ReadonlySet<string> | undefined;

function languageWords(): ReadonlySet<string> {
  const codes = LANGUAGES.map(({ code }) => code);
  madeLanguages ??= new Set(
    codes.flatMap((inLanguage) => {
      const names = new Intl.DisplayNames([inLanguage], { type: "language" });
      return codes.map((code) => looseWord(names.of(code) ?? code));
    }),
  );
  return madeLanguages;
}

/** `caption_fr`. Words such as `post_at` and `text_no` do not count. */
const SMALL_CODE = /(?<=[_.-])(?!at|be|it|no)[a-z]{2}$/;

/** Whether a header is the text in one language, such as `Caption FR`, `caption_fr` or `French caption`. */
export function isTranslatedText(name: string): boolean {
  const words = nameWords(name.trim().replace(SMALL_CODE, (code) => code.toUpperCase()));
  return isTextWithout(words, (word) => CODES.test(word) || languageWords().has(looseWord(word)));
}

/** Words for a later version of a text. */
const VERSIONS: ReadonlySet<string> = new Set(
  "revised edited corrected changed amended rewritten updated new final approved reworked alternative backup révisé corrigé corrigée nouveau nouvelle finale überarbeitet überarbeiteter korrigiert neuer revisado corregido nuevo corretto nuovo herzien nieuwe".split(
    " ",
  ),
);

/** Whether a header is a further text, such as `Revised caption` or `Text 2`. */
export function isFurtherText(name: string): boolean {
  const words = nameWords(name.toLowerCase());
  return isTextWithout(
    /\p{L}[\s_-]*\d$/u.test(name.trim()) ? [...words, ""] : words,
    (word) => word === "" || VERSIONS.has(word),
  );
}

/**
 * Columns with something that concerns the whole row: the addresses of posts that are out, dates that replace other
 * dates or come after them, or networks to leave out.
 */
export type SpokenOf = "published-links" | "new-dates" | "further-dates" | "exclusions";

/** What a name such as `Live link`, `New date` or `Not on` says about the cells below it. */
export function spokenOf(name: string): SpokenOf | undefined {
  const words = nameWords(name.toLowerCase());
  if (words.length > MAX_NAME_WORDS) return undefined;
  if (words.some((word) => word === "permalink" || statusWord(word) === "skip")) return "published-links";
  if (words.some((word) => EXCLUDING.has(word))) return "exclusions";
  if (isFurtherDate(name, words)) return "further-dates";
  const rest = words.filter((word) => !REPLACING.has(word));
  const isDate = speaksOf(rest.join(" "), "date") || (rest.length < words.length && words.length <= 2);
  return rest.length < words.length && isDate ? "new-dates" : undefined;
}

/** `Repost date`, `Second date` or `Post date 2`. */
function isFurtherDate(name: string, words: readonly string[]): boolean {
  const rest = words.filter((word) => !REPEATING.has(word));
  if (rest.length < words.length) return words.length <= 2 || speaksOf(rest.join(" "), "date");
  return /\p{L}[\s_-]*[2-9]$/u.test(name.trim()) && meaningOf(words.join(" "))?.field === "date";
}

const REPEATING: ReadonlySet<string> = new Set(
  "repost reposting reshare republish rerun repeat second third again republier republication deuxième wiederholung zweites zweiter repetir segunda ripubblicare seconda republicar herhaling tweede ponowna druga".split(
    " ",
  ),
);

/** Words for a date that replaces another one. An updated date may be the time of the last edit. */
const REPLACING: ReadonlySet<string> = new Set(
  "new revised rescheduled moved postponed corrected nouveau nouvelle reportée reporté neu neues neuer verschoben nuevo nueva nuovo nuova novo nova nieuw nieuwe verplaatst nowa nowy przeniesione".split(
    " ",
  ),
);

const EXCLUDING: ReadonlySet<string> = new Set(
  "not except excluding exclude without sauf hors pas nicht außer ohne excepto salvo sin tranne senza exceto menos sem niet behalve zonder nie oprócz bez".split(
    " ",
  ),
);

/** Whether words name the text of a post if some of them are left out. */
function isTextWithout(words: readonly string[], isLeftOut: (word: string) => boolean): boolean {
  const rest = words.filter((word) => !isLeftOut(word));
  if (rest.length === 0 || rest.length === words.length || words.length > MAX_NAME_WORDS) return false;
  return meaningOf(rest.join(" "))?.field === "content" || fieldNamed(rest.join(" ")) === "content";
}

/** Longer headers are notes. */
const MAX_NAME_WORDS = 5;

function nameWords(name: string): string[] {
  return name
    .normalize("NFKC")
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => word !== "");
}

/** Whether a header names hashtags, or another part of the post that has no field. */
export function additionNamed(name: string): "hashtags" | "other" | undefined {
  if (isListed(name, ({ hashtags }) => hashtags)) return "hashtags";
  const isOther = isListed(name, ({ additions }) => additions) || textPartNamed(name) === "closing";
  return isOther ? "other" : undefined;
}

/** Which part of the text a header names, as in `Hook`. */
export function textPartNamed(name: string): keyof Language["textParts"] | undefined {
  return (["opening", "body", "closing"] as const).find((part) =>
    isListed(name, ({ textParts }) => textParts[part]),
  );
}

/** The field that a name may mean: only to suggest it. */
export function suggestedFieldOf(name: string): Field | undefined {
  const listed = FIELDS.find((field) => isListed(name, ({ columns }) => columns[field]?.maybe));
  return listed ?? (isTranslatedText(name) ? "content" : undefined);
}

/** Whether one of its words names the field, as in `Best time`. */
export function speaksOf(name: string, field: Field): boolean {
  const words = name.toLowerCase().split(/[^\p{L}\p{M}]+/u);
  return words.some((word) => word === field || meaningOf(word)?.field === field);
}

/** Whether a list has a name, with or without the networks in the name. */
function isListedForNetwork(name: string, list: (language: Language) => string): boolean {
  const rest = nameWords(name.toLowerCase()).filter((word) => networkNamed(word) === undefined);
  return isListed(name, list) || isListed(rest.join(" "), list);
}

function isListed(name: string, list: (language: Language) => string | undefined): boolean {
  const loose = looseHeader(name);
  return LANGUAGES.some((each) => looseHeadersOf(list(each)).has(loose));
}
