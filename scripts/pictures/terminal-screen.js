/**
 * Reads text with ANSI escape sequences as a terminal does: into lines of cells, each with its style.
 */
import stringWidth from "string-width";

/**
 * @typedef {object} Style
 * @property {boolean} bold
 * @property {boolean} dim
 * @property {boolean} italic
 * @property {boolean} underline
 * @property {boolean} strike
 * @property {boolean} inverse
 * @property {number | undefined} color 0 to 15
 * @property {number | undefined} background 0 to 15
 *
 * @typedef {object} Cell one grapheme, which takes one or two columns
 * @property {string} text
 * @property {number} width
 * @property {Style} style
 */

const TAB = 8;
/** The palette's colours that are kept; the others are read past. */
const COLOR_COUNT = 16;

/** @type {Readonly<Style>} */
const PLAIN = {
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  strike: false,
  inverse: false,
  color: undefined,
  background: undefined,
};

/**
 * What the SGR codes other than colours do. Source: ECMA-48, section 8.3.117.
 * @type {readonly (readonly [number, Partial<Style>])[]}
 */
const EFFECTS = [
  [0, PLAIN],
  [1, { bold: true }],
  [2, { dim: true }],
  [3, { italic: true }],
  [4, { underline: true }],
  [7, { inverse: true }],
  [9, { strike: true }],
  [22, { bold: false, dim: false }],
  [23, { italic: false }],
  [24, { underline: false }],
  [27, { inverse: false }],
  [29, { strike: false }],
  [39, { color: undefined }],
  [49, { background: undefined }],
];
const EFFECT_OF = new Map(EFFECTS);

/**
 * @param {number} code
 * @returns {Partial<Style>}
 */
function effectOf(code) {
  if (code >= 30 && code <= 37) return { color: code - 30 };
  if (code >= 40 && code <= 47) return { background: code - 40 };
  if (code >= 90 && code <= 97) return { color: code - 90 + 8 };
  if (code >= 100 && code <= 107) return { background: code - 100 + 8 };
  return EFFECT_OF.get(code) ?? {};
}

/**
 * The style after an SGR sequence. Of the palette (`38;5;n`) only the first 16 colours are drawn; it skips the rest
 * and true colours, so that their numbers do not count as other codes.
 * @param {Style} style
 * @param {string} parameters such as `1;31`
 * @returns {Style}
 */
function restyle(style, parameters) {
  const codes = parameters.split(/[;:]/).map(Number);
  let next = style;
  for (let i = 0; i < codes.length; i += 1) {
    const code = codes[i] ?? 0;
    if (code !== 38 && code !== 48) {
      next = { ...next, ...effectOf(code) };
      continue;
    }
    const index = codes[i + 1] === 5 ? codes[i + 2] : undefined;
    const drawn = index !== undefined && index < COLOR_COUNT ? index : undefined;
    next = code === 38 ? { ...next, color: drawn } : { ...next, background: drawn };
    i += codes[i + 1] === 5 ? 2 : 4;
  }
  return next;
}

/** An escape sequence of any kind, or a stretch of text without one. */
const TOKEN = new RegExp(
  [
    String.raw`\u001b\[([\d;:]*)m`, // SGR: colours and the like, the only one that is drawn
    String.raw`\u001b\[[0-?]*[ -/]*[@-~]`, // other control sequences
    String.raw`\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)`, // operating system commands, such as links
    String.raw`\u001b[^[\]]`,
    String.raw`[^\u001b]+`,
    String.raw`\u001b`, // the start of nothing
  ].join("|"),
  "g",
);
/** Characters that XML 1.0 does not allow, other control characters, and characters that reverse text. */
const UNPRINTABLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;

/**
 * @param {string} text
 * @returns {string} the text, well formed and without what would not be seen
 */
export function printable(text) {
  return text.toWellFormed().replace(UNPRINTABLE, "");
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * Reads text as a terminal does that is `columns` wide. A lone carriage return, as progress bars send it, starts
 * the line again.
 * @param {string} text
 * @param {number} columns
 * @returns {Cell[][]} lines of cells
 */
export function readScreen(text, columns) {
  /** @type {Cell[]} */
  let line = [];
  const lines = [line];
  let used = 0;
  /** @type {Style} */
  let style = PLAIN;
  const newLine = () => {
    line = [];
    used = 0;
    lines.push(line);
  };
  /** @param {string} grapheme */
  const put = (grapheme) => {
    const shown = printable(grapheme);
    const width = stringWidth(shown);
    if (width === 0) return;
    if (used + width > columns) newLine();
    line.push({ text: shown, width, style });
    used += width;
  };
  /** @param {string} grapheme */
  const write = (grapheme) => {
    if (grapheme === "\n" || grapheme === "\r\n") newLine();
    else if (grapheme === "\t") for (let n = TAB - (used % TAB); n > 0; n -= 1) put(" ");
    else if (grapheme === "\r") used = line.length = 0;
    else put(grapheme);
  };
  for (const [token, parameters] of text.matchAll(TOKEN)) {
    if (parameters !== undefined) style = restyle(style, parameters);
    if (token.startsWith("\u001b")) continue;
    for (const { segment } of graphemes.segment(token)) write(segment);
  }
  while (lines.length > 1 && lines.at(-1)?.length === 0) lines.pop();
  return lines;
}
