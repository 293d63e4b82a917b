/** Hides the key in answers: services often echo a bad key, and no output or file may contain it. */

import type { HttpAnswer, HttpFault } from "./request.ts";

const REDACTED = "(the key)";

/**
 * The answer to a request, without the key in any form. Valid JSON stays valid.
 * @param keys the key, then its parts that are secret too. An empty one hides nothing
 */
export function redactKey(result: HttpAnswer | HttpFault, keys: readonly string[]): HttpAnswer | HttpFault {
  const hiders = keys.filter((key) => key !== "").map(keyHider);
  const hide = (text: string): string => hiders.reduce((shown, each) => each(shown), text);
  if (result.kind === "fault") return { ...result, reason: hide(result.reason) };
  const headers = Object.entries(result.headers).map(
    ([name, value]) => [name, Array.isArray(value) ? value.map(hide) : value && hide(value)] as const,
  );
  return { ...result, text: hide(result.text), headers: Object.fromEntries(headers) };
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
  for (let form = decode(key, undefined)?.text; form !== undefined; form = decode(form, undefined)?.text)
    if (form.length * 2 >= key.length) forms.push(form);
  const relevant = new Set((forms.join("") + INTRODUCING).split(""));
  return (text) => {
    let shown = "";
    let at = 0;
    for (const part of partsOf(text, relevant)) {
      for (const { start, end } of findKey(
        text.slice(part.start, part.end),
        { written, forms, relevant },
        0,
      )) {
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

/** Positions of the key in the text, in order. */
function findKey(text: string, key: Written, layer: number): readonly Range[] {
  const { written, forms, relevant } = key;
  const plain = occurrences(text, layer === 0 ? written : forms);
  // Includes a backslash that escapes the key's first character.
  const found = layer === 0 ? plain.map((each) => withBackslash(text, each)) : plain;
  if (layer === MAX_LAYERS) return found;
  const decoded = decode(text, relevant, found);
  if (decoded === undefined) return found;
  const deeper = findKey(decoded.text, key, layer + 1).map(({ start, end }) => ({
    start: decoded.origin(start),
    end: decoded.originOfEnd(end),
  }));
  return [...found, ...deeper].sort((one, other) => one.start - other.start);
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

interface Decoded {
  readonly text: string;
  /** Offset of each character in the original. */
  readonly origin: (offset: number) => number;
  /** Like `origin`, for an exclusive end: a line break after it is not part of it. */
  readonly originOfEnd: (offset: number) => number;
}

/**
 * Removes one layer of escapes, and breaks. Undefined if there are no breaks, and none of the relevant characters occurs.
 * @param relevant characters to look for; undefined for any
 * @param found positions that are already hidden, and become gaps
 */
function decode(
  text: string,
  relevant: ReadonlySet<string> | undefined,
  found: readonly Range[] = [],
): Decoded | undefined {
  const parts: string[] = [];
  /** Offsets at which the decoded text is in step with the other again. */
  const [inDecoded, inText] = [[0], [0]];
  let [at, length, escapes, gap] = [0, 0, 0, 0];
  const step = (position: number): void => {
    inDecoded.push(length);
    inText.push(position);
  };
  const put = (character: string, { start, end }: Range): void => {
    parts.push(text.slice(at, start), character);
    length += start - at;
    // A range that ends before a line break does not include the break.
    if (character === "") step(start);
    length += character.length;
    at = end;
    step(at);
  };
  const putGaps = (before: number): void => {
    for (let range = found[gap]; range !== undefined && range.start < before; range = found[(gap += 1)])
      put("\0", range);
  };
  for (const match of text.matchAll(ESCAPE)) {
    const character = characterOf(match);
    if (character === undefined || (character !== "" && relevant?.has(character) === false)) continue;
    putGaps(match.index);
    const end = match.index + match[0].length;
    // Part of it may be hidden already.
    if (match.index < at || end > (found[gap]?.start ?? Infinity)) continue;
    put(character, { start: match.index, end });
    escapes += 1;
  }
  if (escapes === 0) return undefined;
  putGaps(Infinity);
  parts.push(text.slice(at));
  const originFrom = (index: number, offset: number): number =>
    (inText[index] ?? 0) + offset - (inDecoded[index] ?? 0);
  return {
    text: parts.join(""),
    origin: (offset) => originFrom(lastAtMost(inDecoded, offset), offset),
    originOfEnd: (offset) => {
      let index = lastAtMost(inDecoded, offset);
      while (index > 0 && inDecoded[index - 1] === offset) index -= 1;
      return originFrom(index, offset);
    },
  };
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

/** The index of the last number that is not larger, in ascending numbers. */
function lastAtMost(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle;
    else high = middle;
  }
  return low;
}
