/** A plan for a terminal: what changes, day by day, then the totals and the guards that stop it. */

import { shownZone } from "../../checks/when/local-time.ts";
import { groupBy } from "../../model/data.ts";
import { formatNumber } from "../../model/text.ts";
import { escapeTerminal, terminalText } from "../text/escape.ts";
import { cityOf, timesText } from "../text/local-time.ts";
import { plural } from "../text/numbers.ts";
import {
  type Span,
  advice,
  clipSpans,
  clipStart,
  padded,
  paragraph,
  sections,
  textWidth,
  wrap,
} from "../text/wrap.ts";
import { type Style, oneLine } from "../text/style.ts";
import { diffSpans } from "../text/word-diff.ts";
import { foldSeries } from "./fold-series.ts";
import {
  type ChangeCounts,
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
  ["hold", "on hold"],
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
  const rows = counted.map(({ day, posts }) => ({ day, posts, count: changeCounts(countActions(posts)) }));
  const widest = Math.max(...rows.map(({ day }) => textWidth(escapeTerminal(day))));
  const widestCount = Math.max(...rows.map(({ count }) => count.length));
  return [
    ...rows.map(({ day, posts, count }) => {
      const name = padded(escapeTerminal(day), widest, style);
      const used = networkCounts(posts).map(([network, uses]) => `${network} ${formatNumber(uses)}`);
      const room = style.width - widest - widestCount - 4;
      const networks = oneLine(firstThatFit(used, room, style.marks.ellipsis), style);
      const isShown = room >= MIN_NETWORKS && networks !== "";
      return `${style.colors.bold(name)}  ${isShown ? `${count.padEnd(widestCount)}  ${style.colors.dim(networks)}` : count}`;
    }),
    "",
    ...paragraph(
      `${plural(changes, "change")} in ${what} are too many to list. ${wayToList(changes, short)}, or name a calendar to see only its posts.`,
      style,
    ),
  ];
}

/** What lists changes that are too many. */
function wayToList(changes: number, short: boolean): string {
  if (short) return "Add --verbose to list them with one line each";
  const oneLineEach = changes > MAX_SHORT ? "--short --verbose" : "--short";
  return `Add ${oneLineEach} to list them with one line each, --verbose to see each in full`;
}

/** As many names as fit, with an ellipsis if there are more. */
function firstThatFit(names: readonly string[], width: number, ellipsis: string): string {
  for (let count = names.length; count > 0; count -= 1) {
    const text = [...names.slice(0, count), ...(count < names.length ? [ellipsis] : [])].join(", ");
    if (textWidth(escapeTerminal(text)) <= width) return text;
  }
  return "";
}

/** Columns for the networks of a month: with fewer, they are left out. */
const MIN_NETWORKS = 16;

function countActions(posts: readonly PostView[]): ChangeCounts {
  const counts = { create: 0, replace: 0, cancel: 0, adopt: 0, missing: 0 };
  for (const { action } of posts) if (action !== "keep" && action !== "hold") counts[action] += 1;
  return counts;
}

/** The largest widths of the networks and of the place in a line. */
const MAX_NETWORKS = 24;
const MAX_PLACE = 24;
/** Columns of the sign and the gaps in a line. */
const SHORT_GAPS = 8;
/** Columns that the text has at least. Longer times are left out for it; places if it has fewer than the second. */
const MIN_SHORT_TEXT = 16;
const MIN_TEXT_BESIDE_PLACE = 32;

/** One line for each post, below its month. */
function shortLines({ days }: PlanView, style: Style): string[][] {
  const posts = days.flatMap((day) => day.posts);
  const widthOf = (texts: readonly string[], most: number): number =>
    Math.min(most, Math.max(0, ...texts.map((text) => textWidth(oneLine(text, style)))));
  const networks = widthOf(posts.map(networksOf), Math.min(MAX_NETWORKS, Math.floor(style.tableWidth / 4)));
  const room = style.tableWidth - SHORT_GAPS - networks - MIN_SHORT_TEXT;
  const hasBothTimes = widthOf(posts.map(bothTimesOf), style.width) <= room;
  const timeOf = hasBothTimes ? bothTimesOf : shortTimeOf;
  const time = widthOf(posts.map(timeOf), style.width);
  const months = Array.from(
    groupBy(posts, (post) => rowClock(post).month),
    ([month, those]) => ({ month, those, shared: sharedPlace(those) }),
  );
  const places = widthOf(
    months.flatMap(({ those, shared }) => those.map((post) => placeBelow(shared, post))),
    MAX_PLACE,
  );
  const hasPlaces = time + places + MIN_TEXT_BESIDE_PLACE - MIN_SHORT_TEXT + 2 <= room;
  const columns = { hasBothTimes, time, networks, place: hasPlaces ? places : 0 };
  return months.map(({ month, those, shared }) => {
    const title = escapeTerminal(month);
    const left = style.tableWidth - textWidth(title) - 2;
    const where = hasPlaces ? clipStart(oneLine(shared, style), left, style.marks.ellipsis) : "";
    return [
      style.colors.bold(title) + (where === "" ? "" : `  ${style.colors.dim(where)}`),
      ...those.map((post) => shortLine(post, placeBelow(shared, post), columns, style)),
    ];
  });
}

/** What the places of all posts begin with: their file, otherwise their folder. Their month's line shows it once. */
function sharedPlace(posts: readonly PostView[]): string {
  const files = [...new Set(posts.map(({ source }) => source.file))];
  if (files.length === 1) return files.join("");
  const [first = [], ...others] = files.map((file) => file.split("/").slice(0, -1));
  const end = first.findIndex((folder, index) => others.some((folders) => folders[index] !== folder));
  return first
    .slice(0, end === -1 ? undefined : end)
    .map((folder) => `${folder}/`)
    .join("");
}

/** `:4` below a file, `march.csv:4` below a folder. */
function placeBelow(shared: string, { place }: PostView): string {
  return place.slice(shared.length).trimStart();
}

/** The widths of the columns. */
interface ShortColumns extends Readonly<Record<"time" | "networks" | "place", number>> {
  /** Whether the first column also has the project's time. Otherwise, the text begins with this label. */
  readonly hasBothTimes: boolean;
}

function shortLine(
  post: PostView,
  where: string,
  { hasBothTimes, time, networks, place }: ShortColumns,
  style: Style,
): string {
  const { colors, marks } = style;
  const when = hasBothTimes ? bothTimesOf(post) : shortTimeOf(post);
  const cells = [
    colors.bold(padded(oneLine(when, style), time, style)),
    padded(oneLine(networksOf(post), style), networks, style),
  ];
  const room = style.tableWidth - SHORT_GAPS - time - networks - (place === 0 ? 0 : place + 2);
  const zone = hasBothTimes ? "" : otherTimeText(post);
  const text = clipSpans(shortSpans(post, zone, style), room, marks.ellipsis);
  if (place > 0) {
    const file = clipStart(oneLine(where, style), place, marks.ellipsis);
    cells.push(colors.dim(file + " ".repeat(Math.max(0, place - textWidth(file)))));
  }
  return `  ${actionMark(post.action, style)} ${[...cells, text].join("  ").trimEnd()}`;
}

/** `Mon 1  09:00`: the times are aligned. */
function shortTimeOf(post: PostView): string {
  const { date, clock } = rowClock(post);
  return `${date.padEnd("Mon 10".length)} ${clock}`.trim();
}

/** With another zone, `Mon 1  09:00 Tokyo (01:00)`. */
function bothTimesOf(post: PostView): string {
  const { rowTime } = post;
  return (
    shortTimeOf(post) + (rowTime === undefined ? "" : ` ${cityOf(rowTime.timezone)} (${projectTime(post)})`)
  );
}

function networksOf({ networks }: PostView): string {
  return networks.join(", ");
}

/** Another zone, a slot and what changes besides the text, then the text or its changes. */
function shortSpans(post: PostView, zone: string, style: Style): readonly Span[] {
  const { content, differences, id } = post;
  const others = differences.filter(({ field }) => field !== "content");
  const slot = timeLabel(post);
  const facts = [
    ...(zone === "" ? [] : [`${zone}; `]),
    ...(slot === "" ? [] : [`(${slot}) `]),
    ...others.flatMap((each) => differenceText(each, style)).map((fact) => `${fact}; `),
  ];
  const text = content ?? (id === undefined ? "" : `(${id})`);
  return [
    ...facts.map((fact) => ({ text: oneLine(fact, style) })),
    ...textSpans({ content: text, differences }, style, false),
  ];
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
    style.colors.red("Apply will refuse this plan:"),
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
  const body = post.action === "keep" ? [] : bodyLines(post, style, width, maxLines);
  return [...headLines(post, style, width), ...body.map((line) => INDENT + line)];
}

/** The lines below a post's first line: its text, or what happens to it, then the rest. `width` in columns. */
export function bodyLines(
  post: Pick<PostView, "content" | "differences" | "media" | "campaign" | "extras" | "reason">,
  style: Style,
  width: number,
  maxLines: number | undefined,
): string[] {
  return [...textLines(post, style, width, maxLines), ...factLines(post, style, width)];
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
