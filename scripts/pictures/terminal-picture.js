/**
 * Makes a picture of a terminal: text with ANSI colours on stdin, SVG on stdout.
 *
 *   some-command --color | node scripts/pictures/terminal-picture.js --title "some-command" --columns 100 > picture.svg
 *
 * The idea: a terminal is a grid, but a reader's font may be wider or narrower than ours. So each run of text says at
 * which column it starts (`x`) and how wide it is (`textLength`), and no run can push the next one aside.
 */
import { parseArgs } from "node:util";
import { text as textOf } from "node:stream/consumers";
import { printable, readScreen } from "./terminal-screen.js";

/**
 * @typedef {import("./terminal-screen.js").Cell} Cell
 * @typedef {import("./terminal-screen.js").Style} Style
 *
 * @typedef {object} Run cells of one style, side by side
 * @property {string} text
 * @property {number} column where it starts, from 0
 * @property {number} width in columns
 * @property {boolean} wide whether it is a single wide cell
 * @property {Style} style
 */

/** The size of a cell is that of a 14 px font whose letters are 0.6 em wide, as most monospace fonts have them. */
const CELL = { width: 8.4, height: 20, baseline: 14.5 };
const PADDING = 18;
const BAR_HEIGHT = 36;
const FONTS =
  "ui-monospace, 'SF Mono', 'Cascadia Mono', 'JetBrains Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace";

/** Dark, with a border that shows on white and on dark pages alike. */
const THEME = { window: "#171c28", bar: "#222938", border: "#3d4659", text: "#d9dfeb", title: "#98a3b8" };
const DIM_OPACITY = "0.62";
/** The 16 colours: black, red, green, yellow, blue, magenta, cyan, white, and a bright version of each. */
const COLORS = (
  "#5c6679 #ff7a72 #6cd48a #ecc15c #77b4ff #d69bf5 #62d6e0 #c7cedb " +
  "#7f8aa0 #ffa198 #97e9ae #f7d98c #a5cfff #e6bdfb #97e8ee #ffffff"
).split(" ");

/**
 * Whether a blank in this style can be seen.
 * @param {Style} style
 */
function isPainted(style) {
  return style.underline || style.strike || style.inverse || style.background !== undefined;
}

/**
 * @param {Style} a
 * @param {Style} b
 */
function isSame(a, b) {
  return fontOf(a) === fontOf(b) && inkOf(a) === inkOf(b) && paperOf(a) === paperOf(b);
}

/**
 * Joins cells to runs. A wide cell is a separate run, because no two fonts agree on its width. A gap of two spaces
 * ends a run, so that tables stay aligned even in viewers that do not know `textLength`.
 * @param {readonly Cell[]} line
 * @returns {Run[]}
 */
function runsOf(line) {
  /** @type {Run[]} */
  const runs = [];
  let column = 0;
  for (const { text, width, style } of line) {
    const last = runs.at(-1);
    const gap = last === undefined ? column : column - last.column - last.width;
    if (text !== " " || isPainted(style)) {
      const near = gap === 0 || (gap === 1 && !isPainted(style));
      if (last?.wide === false && width === 1 && near && isSame(last.style, style)) {
        last.text += " ".repeat(gap) + text;
        last.width += gap + 1;
      } else runs.push({ text, column, width, wide: width > 1, style });
    }
    column += width;
  }
  return runs;
}

/** @param {number} value */
function number(value) {
  return String(Math.round(value * 100) / 100);
}

/** @param {string} text for an element or an attribute in double quotes */
function escape(text) {
  const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (character) => Reflect.get(entities, character));
}

/** @param {Style} style */
function inkOf(style) {
  if (style.inverse) return style.background === undefined ? THEME.window : COLORS[style.background];
  // Our black is grey, so that it is visible on the dark window. On a coloured background, it must be dark.
  if (style.color === 0 && style.background !== undefined) return THEME.window;
  return style.color === undefined ? THEME.text : COLORS[style.color];
}

/** @param {Style} style */
function paperOf(style) {
  if (style.inverse) return style.color === undefined ? THEME.text : COLORS[style.color];
  return style.background === undefined ? undefined : COLORS[style.background];
}

/** @param {Style} style */
function fontOf(style) {
  const lines = [style.underline ? "underline" : "", style.strike ? "line-through" : ""].filter(Boolean);
  return [
    style.bold ? ' font-weight="700"' : "",
    style.italic ? ' font-style="italic"' : "",
    style.dim ? ` fill-opacity="${DIM_OPACITY}"` : "",
    lines.length > 0 ? ` text-decoration="${lines.join(" ")}"` : "",
  ].join("");
}

/**
 * @param {Run} run
 * @returns {string} a tspan on the grid
 */
function spanOf({ text, column, width, wide, style }) {
  const ink = inkOf(style);
  const fill = ink === THEME.text ? "" : ` fill="${ink}"`;
  // A single cell needs no length: the next run says where it starts.
  const length =
    width > 1 && !wide ? ` textLength="${number(width * CELL.width)}" lengthAdjust="spacingAndGlyphs"` : "";
  return `<tspan x="${number(PADDING + column * CELL.width)}"${length}${fill}${fontOf(style)}>${escape(text)}</tspan>`;
}

/**
 * @param {readonly Cell[]} line
 * @param {number} index
 * @returns {string} the line's coloured grounds, and its text
 */
function drawLine(line, index) {
  const top = BAR_HEIGHT + PADDING + index * CELL.height;
  const runs = runsOf(line);
  const grounds = runs.flatMap(({ column, width, style }) => {
    const paper = paperOf(style);
    if (paper === undefined) return [];
    const [x, w] = [number(PADDING + column * CELL.width), number(width * CELL.width)];
    return [`<rect x="${x}" y="${top}" width="${w}" height="${CELL.height}" fill="${paper}"/>\n`];
  });
  if (runs.length === 0) return "";
  return `${grounds.join("")}<text xml:space="preserve" y="${number(top + CELL.baseline)}">${runs.map(spanOf).join("")}</text>\n`;
}

/**
 * @param {string} title
 * @param {number} width px
 * @returns {string} the window's bar, with three buttons and the title
 */
function drawBar(title, width) {
  const buttons = ["#ff6b63", "#f2bd4b", "#5dcb7a"].map(
    (fill, i) => `<circle cx="${PADDING + 4 + i * 20}" cy="${BAR_HEIGHT / 2}" r="6" fill="${fill}"/>`,
  );
  return [
    `<path d="M.5 ${BAR_HEIGHT}V10.5a10 10 0 0 1 10-10H${width - 10.5}a10 10 0 0 1 10 10V${BAR_HEIGHT}z" fill="${THEME.bar}"/>`,
    ...buttons,
    `<text x="${width / 2}" y="${BAR_HEIGHT / 2 + 4.5}" text-anchor="middle" font-size="13" fill="${THEME.title}">${escape(title)}</text>`,
  ].join("\n");
}

/**
 * @param {string} text what a program wrote to a terminal
 * @param {{ columns: number, title: string }} window
 * @returns {string} an SVG document
 */
function terminalPicture(text, { columns, title }) {
  const lines = readScreen(text, columns);
  const width = Math.ceil(columns * CELL.width + 2 * PADDING);
  const height = BAR_HEIGHT + lines.length * CELL.height + 2 * PADDING;
  const name = printable(title);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="${FONTS}">
<title>${escape(name === "" ? "Terminal" : name)}</title>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10" fill="${THEME.window}"/>
${drawBar(name, width)}
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10" fill="none" stroke="${THEME.border}"/>
<g font-size="14" fill="${THEME.text}">
${lines.map(drawLine).join("")}</g>
</svg>
`;
}

const { values } = parseArgs({
  options: { columns: { type: "string", default: "100" }, title: { type: "string", default: "" } },
});
const columns = Number(values.columns);
if (!Number.isInteger(columns) || columns < 20 || columns > 400) {
  process.stderr.write(`--columns is a whole number from 20 to 400, not "${values.columns}".\n`);
  process.exitCode = 1;
} else {
  process.stdout.write(terminalPicture(await textOf(process.stdin), { columns, title: values.title }));
}
