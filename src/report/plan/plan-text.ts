/** A plan for a terminal: what changes, day by day, then the totals and the guards that stop it. */

import { shownZone } from "../../checks/when/local-time.ts";
import { groupBy } from "../../model/data.ts";
import { formatNumber } from "../../model/text.ts";
import { escapeTerminal, terminalText } from "../text/escape.ts";
import { cityOf, timesText } from "../text/local-time.ts";
import { plural } from "../text/numbers.ts";
import {
  type Column,
  type Span,
  advice,
  clipToWidth,
  paragraph,
  sections,
  tableLines,
  textWidth,
  wrap,
} from "../text/wrap.ts";
import { type Style, createStyle, oneLine } from "../text/style.ts";
import { diffSpans } from "../text/word-diff.ts";
import { foldSeries } from "./fold-series.ts";
import {
  type ChangeCounts,
  type DayView,
  type Difference,
  type PlanRun,
  type PlanView,
  type PostView,
  FIELD_NAMES,
  changeCounts,
  hasOtherZones,
  networkCounts,
  projectTime,
  rowClock,
  timeLabel,
  trialSentence,
  unchangedCounts,
} from "./plan-view.ts";
import { requestsSentence } from "./decisions.ts";

export interface PlanTextOptions {
  /** Shows every change, and each text in full. */
  readonly verbose: boolean;
  /** One line for each post. */
  readonly short?: boolean;
  /** With more changes, days or months are only counted. */
  readonly maxChanges?: number;
}

/** The maximum numbers of changes in a terminal, in full and with one line each. Nobody reads more. */
const MAX_CHANGES = 200;
const MAX_SHORT = 1000;
/** Lines of a post's text: enough to recognise it. */
const MAX_LINES = 3;

const LEGEND: readonly (readonly [PostView["action"], string])[] = [
  ["create", "create"],
  ["replace", "replace"],
  ["cancel", "cancel"],
  ["adopt", "adopt"],
  ["missing", "missing"],
  ["pending", "pending"],
];

/** `plan --format text`. Problems are shown on stderr, so nothing is added if they stopped the run. */
export async function planRunText({ planned, style, verbose, short, now }: PlanRun): Promise<string> {
  if (planned === undefined) return "";
  const trial = trialSentence(now);
  const first = trial === "" ? "" : terminalText([escapeTerminal(trial), ""]);
  return first + planText(planned.view(), style, { verbose, short });
}

/** A plan for a terminal: the changes, day by day, then the numbers and the guards. */
export function planText(view: PlanView, style: Style, options: PlanTextOptions): string {
  return terminalText(
    sections([
      view.days.length > 0 ? headingLines(view, style) : [],
      ...dayLines(view, style, options),
      totalLines(view, style),
      missingLines(view, style),
      guardLines(view, style),
    ]),
  );
}

function headingLines(view: PlanView, style: Style): string[] {
  const { days } = view;
  const actions = new Set(days.flatMap(({ posts }) => posts.map(({ action }) => action)));
  const signs = LEGEND.filter(([action]) => actions.has(action)).map(
    ([action, meaning]) => `${actionMark(action, style)} ${meaning}`,
  );
  return paragraph(timesText(view.timezone, hasOtherZones(view)), style).concat(
    signs.length > 0 ? [signs.join("   ")] : [],
  );
}

function dayLines(
  view: PlanView,
  style: Style,
  { verbose, short = false, maxChanges = short ? MAX_SHORT : MAX_CHANGES }: PlanTextOptions,
): string[][] {
  const days = verbose || short ? view.days : foldSeries(view.days);
  const listed = days === view.days ? view.changes : days.reduce((sum, { posts }) => sum + posts.length, 0);
  if (!verbose && listed > maxChanges)
    return [...listedCancels(view, style, maxChanges), countedChanges(view, short, style)];
  if (short) return shortLines(view, style);
  const maxLines = verbose ? undefined : MAX_LINES;
  return days.map(({ day, posts }) => [
    style.colors.bold(day),
    ...posts.flatMap((post) => postLines(post, style, { maxLines })),
  ]);
}

/** Cancels are always shown, because a reviewer must not miss them. */
function listedCancels({ days }: PlanView, style: Style, most: number): string[][] {
  const cancels = days.flatMap(({ day, posts }) =>
    posts.filter(({ action }) => action === "cancel").map((post) => ({ day, post })),
  );
  if (cancels.length === 0) return [];
  const more = cancels.length - most;
  return [
    [
      style.colors.bold(`To cancel: ${plural(cancels.length, "post")}`),
      ...cancels
        .slice(0, most)
        .flatMap(({ day, post }, index) => [
          ...(cancels[index - 1]?.day === day ? [] : [`  ${day}`]),
          ...postLines(post, style, { maxLines: 1 }),
        ]),
      ...(more > 0 ? [`  and ${plural(more, "more", "more")}; --verbose lists them`] : []),
    ],
  ];
}

/** More days are counted by month. */
const MAX_DAYS = 31;

function countedChanges({ days, changes }: PlanView, short: boolean, style: Style): string[] {
  const months = groupBy(
    days.flatMap(({ posts }) => posts),
    (post) => rowClock(post).month,
  );
  const counted =
    days.length <= MAX_DAYS ? days : Array.from(months, ([month, posts]) => ({ day: month, posts }));
  const what = days.length <= MAX_DAYS ? plural(days.length, "day") : plural(months.size, "month");
  const columns: Column<DayView>[] = [
    { title: days.length <= MAX_DAYS ? "day" : "month", cell: ({ day }) => day },
    { title: "changes", cell: ({ posts }) => changeCounts(countActions(posts)) },
    { title: "networks", cell: ({ posts }) => networkUses(posts), mayTruncate: true },
  ];
  return [
    ...tableLines(counted, columns, style),
    "",
    ...paragraph(
      `${plural(changes, "change")} in ${what} are too many to list. ${wayToList(changes, short)}, or name a calendar to see only its posts.`,
      style,
    ),
  ];
}

function networkUses(posts: readonly PostView[]): string {
  return networkCounts(posts)
    .map(([network, uses]) => `${network} ${formatNumber(uses)}`)
    .join(", ");
}

/** What lists changes that are too many. */
function wayToList(changes: number, short: boolean): string {
  if (short) return "Add --verbose to list them with one line each";
  const oneLineEach = changes > MAX_SHORT ? "--short --verbose" : "--short";
  return `Add ${oneLineEach} to list them with one line each, --verbose to see each in full`;
}

function countActions(posts: readonly PostView[]): ChangeCounts {
  const counts = { create: 0, replace: 0, cancel: 0, adopt: 0, missing: 0 };
  for (const { action } of posts) if (action !== "keep" && action !== "pending") counts[action] += 1;
  return counts;
}

/** In a narrower terminal, the lines have no places. */
const MIN_PLACE_WIDTH = 100;
/** In a narrower terminal, the ends of the lines are cut off. */
const MIN_SHORT_WIDTH = 60;
/** UTF-16 units of a text: more than a line shows. */
const MAX_SHORT_TEXT = 500;

/** One line for each post, below its month. */
function shortLines({ days }: PlanView, style: Style): string[][] {
  const posts = days.flatMap((day) => day.posts);
  const { tableWidth, marks } = style;
  const plain = createStyle({ ...style, color: false });
  const isNarrow = tableWidth < MIN_SHORT_WIDTH;
  const look = isNarrow ? plain : style;
  const columns: Column<PostView>[] = [
    {
      title: "",
      cell: (post) => `${actionMark(post.action, plain)} ${shortTimeOf(post)}`,
      paint: ({ action }, text) => actionMark(action, look) + look.colors.bold(text.slice(1)),
      mayTruncate: true,
    },
    { title: "", cell: networksOf, mayTruncate: true },
    { title: "", cell: (post) => shortText(post, plain), mayTruncate: true },
    ...(tableWidth < MIN_PLACE_WIDTH ? [] : [PLACE_COLUMN]),
  ];
  const width = Math.max(tableWidth, MIN_SHORT_WIDTH) - SHORT_INDENT.length;
  const [, ...lines] = tableLines(posts, columns, { ...look, tableWidth: width });
  const months = groupBy(
    posts.map((post, index) => ({ post, line: SHORT_INDENT + (lines[index] ?? "") })),
    ({ post }) => rowClock(post).month,
  );
  return Array.from(months, ([month, those]) => [
    style.colors.bold(escapeTerminal(month)),
    ...those.map(({ line }) => (isNarrow ? clipToWidth(line, tableWidth, marks.ellipsis) : line)),
  ]);
}

const SHORT_INDENT = "  ";

const PLACE_COLUMN: Column<PostView> = { title: "", cell: ({ place }) => place, mayTruncate: "start" };

/** `Mon 1  09:00`, aligned. With another zone, `Mon 1  09:00 Tokyo (01:00)`. */
function shortTimeOf(post: PostView): string {
  const { rowTime } = post;
  const { date, clock } = rowClock(post);
  const own = `${date.padEnd("Mon 10".length)} ${clock}`.trim();
  return own + (rowTime === undefined ? "" : ` ${cityOf(rowTime.timezone)} (${projectTime(post)})`);
}

function networksOf({ networks }: PostView): string {
  return networks.join(", ");
}

/** A slot and what changes besides the text, then the text or its changes. @param plain without colours */
function shortText(post: PostView, plain: Style): string {
  const { content, differences, id } = post;
  const slot = timeLabel(post);
  const others = differences.filter(({ field }) => field !== "content");
  const text = (content ?? (id === undefined ? "" : `(${id})`)).slice(0, MAX_SHORT_TEXT);
  return [
    slot === "" ? "" : `(${slot}) `,
    ...others.flatMap((each) => differenceText(each, plain)).map((fact) => `${fact}; `),
    ...textSpans({ content: text, differences }, plain, false).map((span) => span.text),
  ].join("");
}

function totalLines(view: PlanView, style: Style): string[] {
  const doing = changeCounts(view.summary);
  const rest = unchangedCounts(view);
  if (doing === "") return paragraph(`Nothing to do${rest === "" ? "" : `: ${rest}`}.`, style);
  return [
    // On one line, however long, because scripts and people look for it.
    `Plan: ${doing}${rest === "" ? "" : `; ${rest}`}`,
    ...(view.changes === 0 ? [] : paragraph(requestsSentence(view), style)),
    ...view.assumptions.flatMap((text) => paragraph(escapeTerminal(text), style)),
  ];
}

function missingLines({ missingAdvice: how }: PlanView, style: Style): string[] {
  if (how === "") return [];
  const what = paragraph("Apply leaves missing rows as they are (apply/missing).", style);
  return [...what.map((line) => style.colors.yellow(line)), ...advice(how, style)];
}

function guardLines(view: PlanView, style: Style): string[] {
  if (view.guards.length === 0) return [];
  return [
    style.colors.red("Apply refuses this plan, unless somebody allows it:"),
    ...view.guards.flatMap(({ code, message }) => paragraph(`${code}: ${message}`, style, "  ")),
    ...advice(view.guardAdvice, style),
  ];
}

/** Column of a post's details, below its networks: after `  + 09:00  `. */
const INDENT = " ".repeat(11);

/** Minimum for the first changes of a text, columns, even in a narrow terminal. */
const DIFF_COLUMNS = 600;

interface PostTextOptions {
  /** Lines of a text at most; unlimited when absent. */
  readonly maxLines: number | undefined;
}

/** A post as lines for a terminal: mark, time, networks; then text, media and reason below. */
function postLines(post: PostView, style: Style, { maxLines }: PostTextOptions): string[] {
  const width = style.width - INDENT.length;
  const body =
    post.action === "keep"
      ? []
      : [...textLines(post, style, width, maxLines), ...factLines(post, style, width)];
  return [...headLines(post, style, width), ...body.map((line) => INDENT + line)];
}

/** The sign before a post. */
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
    case "missing":
      return colors.yellow("!");
    case "pending":
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
    { text: otherTimeText(post) },
    { text: timeLabel(post) },
    { text: networksOf(post) },
    { text: post.id ?? "", paint: colors.bold },
    { text: post.place, paint: colors.dim },
  ];
  const [first = "", ...rest] = joinParts(parts, style, width);
  const clock = rowClock(post).clock.padEnd(5);
  return [
    `  ${actionMark(post.action, style)} ${colors.bold(clock)}  ${first}`,
    ...rest.map((line) => INDENT + line),
  ];
}

/** The zone of the row, and the time in the project's: `Asia/Tokyo (Sun 28 23:30 in Europe/Paris)`. */
function otherTimeText(post: PostView): string {
  const { rowTime, when } = post;
  return rowTime === undefined
    ? ""
    : `${shownZone(rowTime.timezone)} (${projectTime(post)} in ${shownZone(when.timezone)})`;
}

/** Joins parts with separators, on as many lines as needed. */
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

/** The post's text after a bar, which separates it from plancast's own words. */
function textLines(
  { content, differences }: Pick<PostView, "content" | "differences">,
  style: Style,
  width: number,
  maxLines: number | undefined,
): string[] {
  const changed = differences.some(({ field }) => field === "content");
  const spans = textSpans({ content, differences }, style, maxLines === undefined);
  const diffLines = (lines: number): number => Math.max(3 * lines, Math.ceil(DIFF_COLUMNS / width));
  const limit = maxLines === undefined ? {} : { maxLines: changed ? diffLines(maxLines) : maxLines };
  const bar = style.colors.dim(style.marks.bar);
  return wrap(spans, { ...limit, width: width - 2, ellipsis: style.marks.ellipsis }).map(
    (line) => `${bar} ${line}`,
  );
}

/** The text, or its changes if the old text is known. `whole` leaves nothing out. */
function textSpans(
  { content, differences }: Pick<PostView, "content" | "differences">,
  style: Style,
  whole: boolean,
): readonly Span[] {
  const changed = differences.find(({ field }) => field === "content");
  return changed?.before === undefined
    ? [{ text: oneLine(content ?? "", style) }]
    : diffSpans(changed.before, changed.after, style, whole);
}

function factLines(
  {
    differences,
    media,
    campaign,
    extras,
    reason,
  }: Pick<PostView, "differences" | "media" | "campaign" | "extras" | "reason">,
  style: Style,
  width: number,
): string[] {
  const facts = differences.flatMap((each) => differenceText(each, style));
  if (media.length > 0 && !differences.some(({ field }) => field === "mediaIds")) {
    facts.push(`media: ${media.join(", ")}`);
  }
  for (const { field, name, text } of extras)
    if (!differences.some((each) => each.field === field)) facts.push(`${name}: ${text}`);
  if (campaign !== undefined) facts.push(`campaign: ${campaign}`);
  if (reason !== undefined) facts.push(reason);
  return facts.flatMap((fact) =>
    wrap([{ text: oneLine(fact, style) }], { width, ellipsis: style.marks.ellipsis }),
  );
}

function differenceText({ field, before, after }: Difference, { marks }: Style): string[] {
  if (field !== "content") return [`${FIELD_NAMES[field]}: ${before ?? "not known"} ${marks.arrow} ${after}`];
  return before === undefined ? ["The text has changed. The service does not show the old text."] : [];
}
