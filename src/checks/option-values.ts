/** The values of options: from what people write to the one form in which posts have them. */

import type { OptionFacts } from "../options/catalogue.ts";
import { didYouMean, nearest } from "../model/text.ts";
import { looseHeader, wordsOf, yesOrNo } from "../settings/languages/languages.ts";
import { postTypeNamed } from "../settings/post-types.ts";

/** A value; or what is wrong with it, as a sentence with the next step. */
type ReadValue = { readonly value: string } | { readonly why: string };

/** A value, or the form that it should have, as a sentence. */
type Found = { readonly value: string } | { readonly wanted: string };

/** @param name of the option, for messages */
export function readOptionValue(facts: OptionFacts, written: string, name: string): ReadValue {
  const text = written.trim();
  const found = text === "" ? { wanted: "Write a value." } : valueIn(facts, text);
  return "value" in found ? found : { why: `"${text}" is not a value of \`${name}\`. ${found.wanted}` };
}

/** A value of plancast.yaml as a cell would have it. */
export function writtenValue({ kind }: OptionFacts, given: unknown): string {
  if (kind === "data") return JSON.stringify(given);
  if (typeof given === "boolean") return given ? "yes" : "no";
  if (Array.isArray(given)) return given.map(String).join(", ");
  return typeof given === "string" || typeof given === "number" ? String(given) : "";
}

function valueIn(facts: OptionFacts, text: string): Found {
  switch (facts.kind) {
    case "text":
      return { value: text };
    case "flag":
      return readFlag(text);
    case "address":
      return /^https?:\/\/\S{1,2000}$/i.test(text) ? { value: text } : { wanted: "Write a web address." };
    case "data":
      return isJson(text) ? { value: text } : { wanted: "Set it in plancast.yaml, under `options:`." };
    case "choice":
    case "choices":
      return readChoice(facts, text);
    case "language":
    case "languages":
    case "handles":
    case "list":
      return readList(facts, text);
  }
}

function readFlag(text: string): Found {
  const folded = text.toLowerCase();
  const answer = folded === "true" || (folded === "false" ? false : yesOrNo(text));
  return answer === undefined ? { wanted: "Write yes or no." } : { value: answer ? "yes" : "no" };
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

function readChoice({ kind, values = {} }: OptionFacts, text: string): Found {
  const given = kind === "choice" ? [text] : itemsOf(text);
  const names = Object.keys(values);
  const chosen = given.map((each) => names.find((name) => isWordFor(each, name, values[name])));
  const unknown = given.find((_each, index) => chosen[index] === undefined);
  if (unknown === undefined) return { value: names.filter((name) => chosen.includes(name)).join(", ") };
  const near = didYouMean(nearest(unknown, names)).trim();
  return { wanted: `${near} It can be ${names.join(", ")}.`.trim() };
}

function isWordFor(text: string, name: string, words: string | undefined): boolean {
  const loose = looseHeader(text);
  return (
    [name, ...wordsOf(words)].some((word) => looseHeader(word) === loose) || postTypeNamed(text) === name
  );
}

const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/;

/** What the items of a list are, and their form. */
const ITEMS = {
  language: { what: "one language code, such as en", form: LANGUAGE },
  languages: { what: "language codes, such as en", form: LANGUAGE },
  handles: { what: "handles, such as @acme", form: /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,59}$/u },
  list: { what: "words with commas between them", form: /^/ },
} as const;

function readList({ kind, max = Infinity }: OptionFacts, text: string): Found {
  const { what, form } =
    ITEMS[kind === "language" || kind === "languages" || kind === "handles" ? kind : "list"];
  const items = itemsOf(text).map((each) =>
    form === LANGUAGE ? languageCode(each) : each.replace(/^@/, ""),
  );
  const most = kind === "language" ? 1 : max;
  if (items.length > 0 && items.length <= most && items.every((each) => form.test(each)))
    return { value: [...new Set(items)].join(", ") };
  return { wanted: `Write ${what}${most > 1 && most < Infinity ? `, at most ${most}` : ""}.` };
}

/** `de` for `DE`, and `pt-BR` for `pt_BR`. */
function languageCode(text: string): string {
  return text.replace("_", "-").replace(/^[A-Za-z]{2,3}(?![A-Za-z])/, (code) => code.toLowerCase());
}
