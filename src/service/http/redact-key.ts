/** Hides the key in answers: services often echo a bad key, and no output or file may contain it. */

import type { HttpAnswer, HttpFault } from "./request.ts";

const REDACTED = "(the key)";

/**
 * The answer to a request, without the key in any form. Valid JSON stays valid.
 * @param keys the key, then its parts that are secret too. An empty one hides nothing
 */
export function redactKey(result: HttpAnswer | HttpFault, keys: readonly string[]): HttpAnswer | HttpFault {
  const hide = hiderOf(keys);
  if (result.kind === "fault") return { ...result, reason: hide(result.reason) };
  const headers = Object.entries(result.headers).map(
    ([name, value]) => [name, Array.isArray(value) ? value.map(hide) : value && hide(value)] as const,
  );
  return { ...result, text: hide(result.text), headers: Object.fromEntries(headers) };
}

/** Hides the keys in a text. */
export function hiderOf(keys: readonly string[]): (text: string) => string {
  const hiders = keys.filter((key) => key !== "").map(keyHider);
  return (text) => hiders.reduce((shown, each) => each(shown), text);
}

/** A part of a text, `end` exclusive. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** A text inside a text: gateways quote an answer as a string inside their own. */
const MAX_LAYERS = 5;

/**
 * Returns a function that hides a key in a text: unescaped, in Base64 or hexadecimal digits, and escaped as in JSON,
 * JavaScript, URLs and HTML. Finds it also if it is escaped several times, or has line breaks in it.
 */
function keyHider(key: string): (text: string) => string {
  const written = [key, ...base64Forms(key), ...hexForms(key)];
  const forms = [...written];
  for (let form = decode({ text: key })?.text; form !== undefined; form = decode({ text: form })?.text)
    if (form.length * 2 >= key.length) forms.push(form);
  const relevant = new Set((forms.join("") + INTRODUCING).split(""));
  return (text) => {
    let shown = "";
    let at = 0;
    for (const part of partsOf(text, relevant)) {
      for (const { start, end } of findKey(text.slice(part.start, part.end), { written, forms, relevant })) {
        shown += text.slice(at, part.start + start) + REDACTED;
        at = part.start + end;
      }
    }
    return at === 0 ? text : shown + text.slice(at);
  };
}

/** Least length of a part, in UTF-16 units. Searching a long list at once takes twice as long, and four times its size. */
const PART_LENGTH = 65_536;

/**
 * The parts of a text in which to search. Each ends with a quote. A key without quotes cannot continue after one, and
 * neither can an escape or a break inside the key.
 */
function* partsOf(text: string, relevant: ReadonlySet<string>): Iterable<Range> {
  let start = 0;
  while (start < text.length) {
    const quote = relevant.has('"') ? -1 : text.indexOf('"', start + PART_LENGTH);
    const end = quote === -1 ? text.length : quote + 1;
    yield { start, end };
    start = end;
  }
}

/** Shorter ones could be in any text. */
const MIN_BASE64 = 8;

/**
 * The characters of a key in a Base64 text, whatever is before the key. Three bytes become four characters, so the key can
 * begin at three places. Leaves out characters that also depend on the bytes beside the key.
 */
function base64Forms(key: string): string[] {
  const bytes = Buffer.from(key);
  const forms = [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6)];
    return [whole.toString("base64"), whole.toString("base64url")].map((text) => text.slice(from, to));
  });
  return [...new Set(forms)].filter((form) => form.length >= MIN_BASE64);
}

function hexForms(key: string): string[] {
  const digits = Buffer.from(key).toString("hex");
  return digits.length < MIN_BASE64 ? [] : [digits, digits.toUpperCase()];
}

/** How a key may be written: without an escape, behind one, and the characters of both and of escapes. */
interface Written {
  readonly written: readonly string[];
  readonly forms: readonly string[];
  readonly relevant: ReadonlySet<string>;
}

/** Where the key is in the text, in order. Each layer of the text has one layer of escapes less. */
function findKey(text: string, { written, forms, relevant }: Written): readonly Range[] {
  // Includes a backslash that escapes the key's first character.
  const found = occurrences(text, written).map((each) => withBackslash(text, each));
  let layer: Layer | undefined = { text: masked(text, found) };
  for (let depth = 0; depth < MAX_LAYERS; depth += 1) {
    layer = decode(layer, relevant);
    if (layer === undefined) break;
    const { text: decoded, starts, ends } = layer;
    const here = occurrences(decoded, forms);
    for (const { start, end } of here) found.push({ start: starts?.[start] ?? 0, end: ends?.[end - 1] ?? 0 });
    layer = { ...layer, text: masked(decoded, here) };
  }
  return found.sort((one, other) => one.start - other.start);
}

/** The text without what is already found, so that no other layer shows it again. */
function masked(text: string, found: readonly Range[]): string {
  let [shown, at] = ["", 0];
  for (const { start, end } of found) {
    shown += text.slice(at, start) + "\0".repeat(end - start);
    at = end;
  }
  return at === 0 ? text : shown + text.slice(at);
}

function occurrences(text: string, forms: readonly string[]): Range[] {
  const found: Range[] = [];
  let at = 0;
  const next = forms.map((form) => ({ form, start: text.indexOf(form) }));
  for (;;) {
    for (const each of next)
      if (each.start !== -1 && each.start < at) each.start = text.indexOf(each.form, at);
    const [first] = next
      .filter(({ start }) => start !== -1)
      .sort((one, other) => one.start - other.start || other.form.length - one.form.length);
    if (first === undefined) return found;
    at = first.start + first.form.length;
    found.push({ start: first.start, end: at });
  }
}

function withBackslash(text: string, { start, end }: Range): Range {
  let first = start;
  while (text[first - 1] === "\\") first -= 1;
  return { start: start - ((start - first) % 2), end };
}

/** Characters that begin or end an escape, and may be escaped themselves. */
const INTRODUCING = String.raw`\%&#;`;

/** Hexadecimal digits of an ASCII character. */
const HEX = String.raw`([2-7][\da-f])`;

/** A line break, also escaped, or an invisible character. */
const BREAK = String.raw`(?:\\?[\r\n]|[\xad\u200b-\u200d\u2060\ufeff]|\\(?:[nr]|u00(?:0[ad]|ad)|u200[b-d]|x0[ad]|01[25])|%0[ad]|&(?:#x0{0,20}[ad];|#0{0,20}1[03];|shy;)|<w?br ?/?>)`;

/**
 * Places where a program has wrapped a text: breaks, with the indentation of the next line. A line of formatted JSON
 * that begins like
 * this continues no text.
 */
const WRAPPED = String.raw`(?:${BREAK}[ \t>|]*){1,500}(?![ \t"{}[\]]|$)`;

/**
 * A break, or escaped ASCII in JSON, JavaScript, C, URLs and HTML. A backslash before a letter gives another character.
 */
const ESCAPE = new RegExp(
  [
    WRAPPED,
    String.raw`\\(?:(?:u00|u0{6}|x)${HEX}|[ux]\{0{0,20}${HEX}\}|o\{0{0,20}([0-7]{2,3})\}|([01][0-7]{2}|[4-7][0-7])|([!-/:-@[-\`{-~]))`,
    String.raw`%(?:u00)?${HEX}`,
    String.raw`&(?:#x0{0,20}${HEX}|#0{0,20}(\d{2,3})|([a-z]{2,8}));?`,
  ].join("|"),
  "gi",
);

/** HTML's names for ASCII characters. */
const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "!": "excl",
    '"': "quot",
    "#": "num",
    $: "dollar",
    "%": "percnt",
    "&": "amp",
    "'": "apos",
    "(": "lpar",
    ")": "rpar",
    "*": "ast midast",
    "+": "plus",
    ",": "comma",
    ".": "period",
    "/": "sol",
    ":": "colon",
    ";": "semi",
    "<": "lt",
    "=": "equals",
    ">": "gt",
    "?": "quest",
    "@": "commat",
    "[": "lsqb lbrack",
    "\\": "bsol",
    "]": "rsqb rbrack",
    "^": "hat",
    _: "lowbar underbar",
    "`": "grave",
    "{": "lcub lbrace",
    "|": "verbar vert",
    "}": "rcub rbrace",
  }).flatMap(([character, names]) => names.split(" ").map((name) => [name, character])),
);

/** A text, and the place of each of its UTF-16 units in the original. Without places, it is the original. */
interface Layer {
  readonly text: string;
  readonly starts?: Uint32Array;
  readonly ends?: Uint32Array;
}

/**
 * Removes one layer of escapes, and breaks. Undefined if there are no breaks, and none of the relevant characters occurs.
 * @param relevant characters to look for; undefined for any
 */
function decode({ text, ...places }: Layer, relevant?: ReadonlySet<string>): Required<Layer> | undefined {
  const escapes = [...text.matchAll(ESCAPE)].flatMap((match) => {
    const character = characterOf(match);
    const isWanted = character !== undefined && (character === "" || relevant?.has(character) !== false);
    return isWanted ? { character, start: match.index, end: match.index + match[0].length } : [];
  });
  if (escapes.length === 0) return undefined;
  const { starts = counting(text.length, 0), ends = counting(text.length, 1) } = places;
  const decoded = { starts: new Uint32Array(text.length), ends: new Uint32Array(text.length) };
  const parts: string[] = [];
  let [at, length] = [0, 0];
  const copyTo = (end: number): void => {
    parts.push(text.slice(at, end));
    // A loop is several times faster than copying each short part with `set`.
    for (; at < end; at += 1, length += 1) {
      decoded.starts[length] = starts[at] ?? 0;
      decoded.ends[length] = ends[at] ?? 0;
    }
  };
  for (const { character, start, end } of escapes) {
    copyTo(start);
    parts.push(character);
    if (character !== "") {
      decoded.starts[length] = starts[start] ?? 0;
      decoded.ends[length] = ends[end - 1] ?? 0;
      length += 1;
    }
    at = end;
  }
  copyTo(text.length);
  return { text: parts.join(""), ...decoded };
}

function counting(length: number, from: number): Uint32Array {
  const numbers = new Uint32Array(length);
  for (let index = 0; index < length; index += 1) numbers[index] = from + index;
  return numbers;
}

/** Empty for a break. Undefined for another character. */
function characterOf(match: RegExpExecArray): string | undefined {
  const [, unit, point, octalPoint, octal, sign, percent, hex, decimal, name] = match;
  const code = unit ?? point ?? percent ?? hex;
  const byte = octalPoint ?? octal;
  if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 8));
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  if (decimal !== undefined) return Number(decimal) < 127 ? String.fromCharCode(Number(decimal)) : undefined;
  return name === undefined ? (sign ?? "") : NAMED.get(name.toLowerCase());
}
