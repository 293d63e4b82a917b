/** The meaning of a column's name: names that people and other schedulers use, in all languages. */

import { once } from "../../model/data.ts";
import { ALL_NETWORKS, CATALOGUE, SHARED_HEADERS } from "../../model/options/catalogue.ts";
import { networkNamed } from "../../checks/networks/network-names.ts";
import { type Field, type Status, FIELDS, MEDIA_LIST_FIELDS, VARIANT_FIELDS } from "../../model/fields.ts";
import type { HeaderHint } from "../../settings/languages/language.ts";
import {
  LANGUAGES,
  looseHeader,
  looseHeaders,
  looseWord,
  wordsOf,
} from "../../settings/languages/languages.ts";

/** The field that a common name means. */
interface Meaning {
  readonly field: Field;
  /** Codes of the languages in which it is a name of the field. */
  readonly languages: readonly string[];
}

const meanings = once((): ReadonlyMap<string, Meaning> => {
  const found = new Map<string, Meaning>();
  for (const field of FIELDS) {
    found.set(looseHeader(field), { field, languages: ["en"] });
    for (const { code, columns } of LANGUAGES) {
      for (const name of wordsOf(columns[field])) {
        const others = found.get(looseHeader(name))?.languages ?? [];
        found.set(looseHeader(name), { field, languages: [...new Set([...others, code])] });
      }
    }
  }
  return found;
});

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

/** A key ends with `?` if the name counts only with a question mark. */
const questions = once((): ReadonlyMap<string, Question> => {
  const found = new Map<string, Question>();
  for (const yes of YES_MEANS) {
    for (const { code, questions } of LANGUAGES) {
      for (const name of wordsOf(questions[yes])) {
        const key = looseHeader(name) + (isQuestion(name) ? "?" : "");
        found.set(key, { yes, languages: [...(found.get(key)?.languages ?? []), code] });
      }
    }
  }
  return found;
});

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

const hashtagHeaders = once(() => looseHeaders(({ hashtags }) => hashtags));

/** Whether a header names hashtags. */
export function isHashtags(name: string): boolean {
  return hashtagHeaders().has(looseHeader(name));
}

/** `Caption (Instagram)` may be the text for all networks, or only for this one. */
export function hasNetworkInBrackets(name: string): boolean {
  const [, note] = /[([]([^()[\]]{1,40})[)\]]/.exec(name) ?? [];
  return note !== undefined && networkNamed(note.trim()) !== undefined;
}

// What other headers may mean. Only the proposal asks.

const hints = once(
  (): ReadonlyMap<string, HeaderHint> =>
    new Map(
      LANGUAGES.flatMap((language) =>
        HEADER_HINTS.flatMap((hint) =>
          wordsOf(language.hints[hint]).map((name) => [looseHeader(name), hint] as const),
        ),
      ),
    ),
);

/** The last one counts if a name has several. */
const HEADER_HINTS = ["ignore", ...FIELDS, "content+", "accounts", "approver"] as const;

/** What a header may mean. For an account, the name of its network may be in it, too: `FB page`. */
export function hintedBy(name: string): HeaderHint | undefined {
  const rest = nameWords(name).filter((word) => networkNamed(word) === undefined);
  const ofNetwork = hints().get(looseHeader(rest.join(" ")));
  return hints().get(looseHeader(name)) ?? (ofNetwork === "accounts" ? ofNetwork : undefined);
}

/** The field that a name may mean: only to suggest it. */
export function suggestedFieldOf(name: string): Field | undefined {
  const hint = hintedBy(name);
  return FIELDS.find((field) => field === hint);
}

const optionHeaders = once(
  () =>
    new Map([
      ...Object.entries(CATALOGUE).flatMap(([network, { options }]) =>
        Object.entries(options).flatMap(([option, { headers }]) =>
          wordsOf(headers).map((name) => [looseHeader(name), `${network}.${option}`] as const),
        ),
      ),
      ...Object.entries(SHARED_HEADERS).flatMap(([option, names]) =>
        wordsOf(names).map((name) => [looseHeader(name), `${ALL_NETWORKS}.${option}`] as const),
      ),
    ]),
);

/** The option that a header may mean, such as `youtube.title` for `Video title`: only to suggest it. */
export function optionOfHeader(name: string): string | undefined {
  return optionHeaders().get(looseHeader(name));
}

/** `MM` is a letter of a format, and `Mon` a day of the week. */
const NO_WORD = /^(\w)\1*$|^mon$/;

const datePartHeaders = {
  day: once(() => looseHeaders(({ dateParts }) => dateParts.day)),
  month: once(() => looseHeaders(({ dateParts }) => dateParts.month)),
  year: once(() => looseHeaders(({ dateParts }) => dateParts.year)),
};

/** Whether a header names a part of a date, as in `Month`. */
export function namesDatePart(name: string, part: "day" | "month" | "year"): boolean {
  const loose = looseHeader(name);
  return !NO_WORD.test(loose) && datePartHeaders[part]().has(loose);
}

/** The part of a post that a header names for one network, as in `LinkedIn Copy` or `Caption (Instagram)`. */
export function networkPartOf(name: string): string | undefined {
  const words = nameWords(name);
  for (let length = 1; length < words.length && words.length <= MAX_WORDS; length += 1) {
    for (const [ofNetwork, ofField] of [
      [words.slice(0, length), words.slice(length)],
      [words.slice(length), words.slice(0, length)],
    ] as const) {
      const networks = new Set(ofNetwork.map((word) => networkNamed(word)?.names[0]));
      const [network] = networks;
      const field = VARIANT_FIELDS.find((each) => each === meaningOf(ofField.join(" "))?.field);
      if (networks.size === 1 && network !== undefined && field !== undefined) return `${field}:${network}`;
    }
  }
  return undefined;
}

/** No name of this form has more words. */
const MAX_WORDS = 6;

/** Words after which a state is about something else: who did it, or until when. */
const NOT_STATES: ReadonlySet<string> = new Set(
  "by par por von durch da door przez due deadline until before target bis frist échéance avant date time link url count number total anzahl nombre id".split(
    " ",
  ),
);

/** The words, the starts of words, and the phrases of all languages. */
interface States {
  readonly words: ReadonlySet<string>;
  readonly starts: readonly string[];
  readonly phrases: readonly string[];
}

const states = once((): States => {
  const all = LANGUAGES.flatMap((language) => wordsOf(language.hints.state));
  const single = all.filter((word) => !isPhrase(word));
  return {
    words: new Set(single.filter((word) => !word.endsWith("*")).map(looseWord)),
    starts: single.filter((word) => word.endsWith("*")).map(looseWord),
    phrases: all.filter(isPhrase).map(looseWord),
  };
});

/** Japanese writes no spaces. */
function isPhrase(word: string): boolean {
  return /[\s\p{Script=Han}]/u.test(word);
}

/** Whether a header says something about the state of a row, as in `Client OK?`, `Checked` or `In Buffer`. */
export function namesState(name: string): boolean {
  const words = nameWords(name);
  if (words.some((word) => NOT_STATES.has(word))) return false;
  const known = states();
  const loose = looseHeader(name);
  return (
    known.phrases.some((phrase) => loose.includes(phrase)) ||
    words
      .map(looseWord)
      .some((word) => known.words.has(word) || known.starts.some((start) => word.startsWith(start)))
  );
}

/** The small words of a name. */
export function nameWords(name: string): string[] {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => word !== "");
}

/** Whether one of its words names the field, as in `Best time`. */
export function speaksOf(name: string, field: Field): boolean {
  return nameWords(name).some((word) => word === field || meaningOf(word)?.field === field);
}
