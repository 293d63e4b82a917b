/** The values of options: from what people write to the one form in which posts have them. */

import type { OptionFacts } from "../model/options/catalogue.ts";
import { writtenMedia } from "../model/post.ts";
import { didYouMean, nearest, tidyPath } from "../model/text.ts";
import { looseHeader, wordsOf, yesOrNo } from "../settings/languages/languages.ts";
import { postTypeNamed } from "../settings/post-types.ts";
import { toReference } from "./media-cells.ts";

/** A value; or what is wrong with it, as a sentence with the next step. */
type ReadValue = { readonly value: string } | { readonly why: string };

/** @param name of the option, for messages */
export function readOptionValue(facts: OptionFacts, written: string, name: string): ReadValue {
  const text = written.trim();
  const value = text === "" ? undefined : valueIn(facts, text);
  return value === undefined
    ? { why: `"${text}" is not a value of \`${name}\`. ${wayOn(facts, text)}` }
    : { value };
}

function wayOn(facts: OptionFacts, text: string): string {
  if (facts.values === undefined) return `Write ${valueForm(facts)}.`;
  const names = Object.keys(facts.values);
  const unknown = itemsOf(text).find((each) => itemIn(each, facts) === undefined) ?? "";
  return `${didYouMean(nearest(unknown, names))} It can be ${names.join(", ")}.`.trim();
}

const FORMS: Readonly<Record<Exclude<OptionFacts["kind"], "choice" | "choices">, string>> = {
  flag: "yes or no",
  text: "a text",
  list: "words with commas between them",
  handles: "handles, such as @acme",
  language: "one language code, such as en",
  languages: "language codes, such as en",
  address: "a web address",
  media: "a picture of the project or its web address",
  data: "a value in plancast.yaml, under `options:`",
};

/** The form of a value, as the end of a sentence. @param mark how a value itself is shown */
export function valueForm({ kind, values = {}, max }: OptionFacts, mark = (value: string) => value): string {
  const names = Object.keys(values).map(mark).join(", ");
  if (kind === "choice") return names;
  if (kind === "choices") return `one or more of ${names}`;
  const most = kind === "text" ? `, at most ${max} characters` : `, at most ${max}`;
  return `${FORMS[kind]}${max === undefined ? "" : most}`;
}

/** A value of plancast.yaml as a cell would have it. */
export function writtenValue({ kind }: OptionFacts, given: unknown): string {
  if (kind === "data") return JSON.stringify(given);
  if (typeof given === "boolean") return given ? "yes" : "no";
  if (Array.isArray(given)) return given.map(String).join(", ");
  return typeof given === "string" || typeof given === "number" ? String(given) : "";
}

/** Undefined for a text without the form. */
function valueIn(facts: OptionFacts, text: string): string | undefined {
  switch (facts.kind) {
    case "text":
      return text;
    case "flag": {
      const folded = text.toLowerCase();
      const answer = folded === "true" || (folded === "false" ? false : yesOrNo(text));
      return answer === undefined ? undefined : answer ? "yes" : "no";
    }
    case "address":
      return /^https?:\/\/\S{1,2000}$/i.test(text) ? text : undefined;
    case "media": {
      const read = toReference(tidyPath(text));
      return "kind" in read ? writtenMedia(read) : undefined;
    }
    case "data":
      return isJson(text) ? text : undefined;
    case "choice":
    case "choices":
    case "language":
    case "languages":
    case "handles":
    case "list":
      return itemsIn(facts, text);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function itemsOf(text: string): readonly string[] {
  return text
    .split(/[,;\n]/)
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

/** Each once, in the order of a closed list. */
function itemsIn(facts: OptionFacts, text: string): string | undefined {
  const { kind, values = {}, max = Infinity } = facts;
  const given = itemsOf(text);
  const items = given.flatMap((each) => itemIn(each, facts) ?? []);
  const most = kind === "choice" || kind === "language" ? 1 : max;
  if (given.length === 0 || given.length > most || items.length < given.length) return undefined;
  const order = Object.keys(values);
  return [...new Set(items)].sort((one, other) => order.indexOf(one) - order.indexOf(other)).join(", ");
}

const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/;
const HANDLE = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,59}$/u;

function itemIn(text: string, { kind, values }: OptionFacts): string | undefined {
  if (values !== undefined) return choiceNamed(text, values);
  if (kind === "list") return text;
  const [item, form] = kind === "handles" ? [text.replace(/^@/, ""), HANDLE] : [languageCode(text), LANGUAGE];
  return form.test(item) ? item : undefined;
}

function choiceNamed(text: string, values: NonNullable<OptionFacts["values"]>): string | undefined {
  const loose = looseHeader(text);
  const isWord = (word: string): boolean => looseHeader(word) === loose;
  return Object.keys(values).find(
    (name) => [name, ...wordsOf(values[name])].some(isWord) || postTypeNamed(text) === name,
  );
}

/** `de` for `DE`, and `pt-BR` for `pt_BR`. */
function languageCode(text: string): string {
  return text.replace("_", "-").replace(/^[A-Za-z]{2,3}(?![A-Za-z])/, (code) => code.toLowerCase());
}
