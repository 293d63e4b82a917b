import { diffSpans } from "./diff-spans.ts";
import { escapeTerminal } from "./escape-terminal.ts";
import { FIELD_NAMES, type Difference, type PostView } from "./post-view.ts";
import { oneLine, type Style } from "./style.ts";
import { wrap, type Span } from "./wrap.ts";
import { textWidth } from "./segments.ts";

/** Where what belongs to a post begins, below its platforms: after `  + 09:00  `. */
const INDENT = " ".repeat(11);

/** Columns, about, of a changed text at least: what changes first has room, also in a narrow terminal. */
const DIFF_COLUMNS = 600;

interface PostTextOptions {
  /** Lines of a text at most; unlimited when absent. */
  readonly maxLines: number | undefined;
}

/** A post as lines for a terminal: mark, time, where; then text, media and reason below. */
export function postLines(post: PostView, style: Style, { maxLines }: PostTextOptions): string[] {
  const width = style.width - INDENT.length;
  const body = post.action === "keep" ? [] : bodyLines(post, style, width, maxLines);
  return [...headLines(post, style, width), ...body.map((line) => INDENT + line)];
}

/** What stands below the head of a post: its text, or what becomes of it, then the rest. `width` in columns. */
export function bodyLines(
  post: Pick<PostView, "content" | "differences" | "media" | "reason">,
  style: Style,
  width: number,
  maxLines: number | undefined,
): string[] {
  return [...textLines(post, style, width, maxLines), ...factLines(post, style, width)];
}

/** The sign that stands before a post. */
export function actionMark(action: PostView["action"], { colors, marks }: Style): string {
  switch (action) {
    case "create":
      return colors.green("+");
    case "replace":
      return colors.yellow(marks.replace);
    case "cancel":
      return colors.red("-");
    case "adopt":
      return colors.cyan("=");
    case "hold":
      return colors.magenta("?");
    case "keep":
      return " ";
    default:
      return action satisfies never;
  }
}

function headLines(post: PostView, style: Style, width: number): string[] {
  const { colors } = style;
  const parts: Span[] = [
    { text: post.platforms.join(", ") },
    { text: post.id ?? "", paint: colors.bold },
    { text: post.place, paint: colors.dim },
  ];
  const [first = "", ...rest] = joinParts(parts, style, width);
  const clock = post.when.clock.padEnd(5);
  return [
    `  ${actionMark(post.action, style)} ${colors.bold(clock)}  ${first}`,
    ...rest.map((line) => INDENT + line),
  ];
}

/** Puts parts beside each other, with separators, on as many lines as they need. */
export function joinParts(parts: readonly Span[], style: Style, width: number): string[] {
  const lines: Span[][] = [];
  let used = 0;
  for (const { text, ...look } of parts) {
    if (text === "") continue;
    const part = { ...look, text: escapeTerminal(text) };
    const separator = ` ${style.marks.separator} `;
    const line = lines.at(-1);
    const needed = used + separator.length + textWidth(part.text);
    if (line !== undefined && needed <= width) line.push({ text: separator }, part);
    else lines.push([part]);
    used = line !== undefined && needed <= width ? needed : textWidth(part.text);
  }
  return lines.flatMap((line) => wrap(line, { width, ellipsis: style.marks.ellipsis }));
}

/** The post's text behind a bar, which tells it from what plancast says. */
function textLines(
  { content, differences }: Pick<PostView, "content" | "differences">,
  style: Style,
  width: number,
  maxLines: number | undefined,
): string[] {
  const changed = differences.find(({ field }) => field === "content");
  const spans =
    changed?.before === undefined
      ? [{ text: oneLine(content ?? "", style) }]
      : diffSpans(changed.before, changed.after, style, maxLines === undefined);
  const diffLines = (lines: number): number => Math.max(3 * lines, Math.ceil(DIFF_COLUMNS / width));
  const limit =
    maxLines === undefined ? {} : { maxLines: changed === undefined ? maxLines : diffLines(maxLines) };
  const bar = style.colors.dim(style.marks.bar);
  return wrap(spans, { ...limit, width: width - 2, ellipsis: style.marks.ellipsis }).map(
    (line) => `${bar} ${line}`,
  );
}

function factLines(
  { differences, media, reason }: Pick<PostView, "differences" | "media" | "reason">,
  style: Style,
  width: number,
): string[] {
  const facts = differences.flatMap((each) => differenceText(each, style));
  if (media.length > 0 && !differences.some(({ field }) => field === "media")) {
    facts.push(`media: ${media.join(", ")}`);
  }
  if (reason !== undefined) facts.push(reason);
  return facts.flatMap((fact) =>
    wrap([{ text: oneLine(fact, style) }], { width, ellipsis: style.marks.ellipsis }),
  );
}

function differenceText({ field, before, after }: Difference, { marks }: Style): string[] {
  if (field !== "content") return [`${FIELD_NAMES[field]}: ${before ?? "not known"} ${marks.arrow} ${after}`];
  return before === undefined ? ["The text has changed; the service does not tell the old one."] : [];
}
