/** A plan in Markdown: for `plan --format markdown`, step summaries, and the comment on a pull request. */

import { groupBy } from "../../model/data.ts";
import { formatNumber } from "../../model/text.ts";
import { problemsMarkdown } from "../problems/github.ts";
import { timesText } from "../text/local-time.ts";
import {
  type RepositoryLinks,
  escapeMarkdown,
  linkTarget,
  markdownTable,
  markdownWithCode,
} from "../text/markdown.ts";
import { counted, plural } from "../text/numbers.ts";
import { clipText } from "../text/wrap.ts";
import { foldSeries } from "./fold-series.ts";
import {
  type ChangeCounts,
  type PlanRun,
  type PlanView,
  type PostView,
  changeCounts,
  hasOtherZones,
  networkCounts,
  rowClock,
  trialSentence,
  unchangedCounts,
} from "./plan-view.ts";
import { type PostDetail, POST_TABLE_HEAD, SIGNS, postRow } from "./post-markdown.ts";
import { requestsSentence } from "./decisions.ts";

export interface PlanMarkdownOptions {
  /**
   * Most UTF-16 units. A GitHub comment holds 65,536 characters, a step summary 1 MiB of UTF-8. The numbers and the
   * guards are always included, so limits far below 4,000 are exceeded.
   */
  readonly maxLength: number;
  /** Where the whole plan is, as the end of a sentence in Markdown: `… shows every one.` */
  readonly whole?: string;
  /** Without it, rows have no links and posts no pictures. */
  readonly links?: RepositoryLinks | undefined;
}

const WHOLE = "`plancast plan --verbose` shows all of them";

/** In a plan with more posts, months are folded. */
const MAX_OPEN = 30;
const MAX_MESSAGE = 400;

/** For `plan --format markdown`: a GitHub comment holds 65,536 characters; the rest is for a title or a marker. */
const MAX_OUTPUT = 60_000;

/** `plan --format markdown`: the plan, or the problems that stopped the run. */
export async function planRunMarkdown({ planned, problems, counts, now }: PlanRun): Promise<string> {
  if (planned === undefined) return problemsMarkdown(problems, { maxLength: MAX_OUTPUT, counts });
  const trial = trialSentence(now);
  const first = trial === "" ? "" : `${escapeMarkdown(trial)}\n\n`;
  return first + planMarkdown(planned.view(), { maxLength: MAX_OUTPUT - first.length });
}

/** How much of each post the comment shows, so that all posts fit. */
const DETAILS: readonly PostDetail[] = [
  { wholeTexts: true, pictures: true },
  { wholeTexts: false, pictures: true },
  { wholeTexts: false, pictures: false },
];
const LEAST: PostDetail = { wholeTexts: false, pictures: false };

/**
 * A plan for a pull request or a step summary: the numbers first, then the posts by month. If not all posts fit, even
 * with shorter texts, it counts the posts of each month and shows the first ones.
 */
export function planMarkdown(
  view: PlanView,
  { maxLength, whole = WHOLE, links }: PlanMarkdownOptions,
): string {
  const head = headText(view) + missingText(view) + guardText(view);
  const posts = foldSeries(view.days).flatMap((day) => day.posts);
  const months = monthsOf(posts);
  for (const detail of DETAILS) {
    const end = detail.wholeTexts ? "" : `\nLong texts are shortened here; ${whole}.\n`;
    const room = maxLength - head.length - end.length;
    const shown = allPosts(months, { isFolded: posts.length > MAX_OPEN, detail, room, links });
    if (shown !== undefined) return head + shown + end;
  }
  return (
    head +
    firstPosts(monthsOf(view.days.flatMap((day) => day.posts)), {
      room: maxLength - head.length,
      whole,
      links,
    })
  );
}

/** The posts of one month, by the local times of their rows. */
interface Month {
  /** `March 2027` */
  readonly month: string;
  readonly posts: readonly PostView[];
}

function monthsOf(posts: readonly PostView[]): readonly Month[] {
  return [...groupBy(posts, monthOf)].map(([month, those]) => ({ month, posts: those }));
}

function monthOf(post: PostView): string {
  return rowClock(post).month;
}

function headText(view: PlanView): string {
  const doing = signedCounts(view.summary);
  const rest = unchangedCounts(view);
  const facts = [
    ...(rest === "" ? [] : [`${view.held > 0 ? `${SIGNS.hold} ` : ""}${rest}.`]),
    ...(view.changes === 0 ? [] : [requestsSentence(view)]),
    ...view.assumptions.map(escapeMarkdown),
    ...(view.days.length === 0 ? [] : [escapeMarkdown(timesText(view.timezone, hasOtherZones(view)))]),
  ];
  return `### Plan: ${doing === "" ? "nothing to do" : doing}\n\n${facts.map((fact) => `${fact}\n`).join("")}`;
}

/** `➕ 2 to create, ❌ 1 to cancel`; empty without changes. */
function signedCounts(counts: ChangeCounts): string {
  return ACTIONS.filter((action) => counts[action] > 0)
    .map((action) => `${SIGNS[action]} ${changeCounts({ ...NO_CHANGES, [action]: counts[action] })}`)
    .join(", ");
}

const ACTIONS = ["create", "replace", "cancel", "adopt", "missing"] as const;
const NO_CHANGES: ChangeCounts = { create: 0, replace: 0, cancel: 0, adopt: 0, missing: 0 };

/** Whoever merges a pull request with this plan has decided. */
function missingText({ summary: { missing }, missingAdvice: how }: PlanView): string {
  if (how === "") return "";
  const rows =
    missing === 1 ? "1 row is missing on the service" : `${missing} rows are missing on the service`;
  return [
    "",
    "> [!WARNING]",
    `> **${rows}: create again?** If you merge a pull request with this plan, plancast creates ${missing === 1 ? "it" : "them"} again.`,
    ">",
    `> ${markdownWithCode(how)}`,
    "",
  ].join("\n");
}

function guardText(view: PlanView): string {
  if (view.guards.length === 0) return "";
  return [
    "",
    "> [!WARNING]",
    "> **Apply will refuse this plan.**",
    ...view.guards.map(
      ({ code, message }) => `> - ${code}: ${escapeMarkdown(clipText(message, MAX_MESSAGE))}`,
    ),
    ">",
    `> ${markdownWithCode(view.guardAdvice)}`,
    "",
  ].join("\n");
}

interface Shown {
  /** UTF-16 units. */
  readonly room: number;
  readonly links: RepositoryLinks | undefined;
}

/** All posts: one table for a short plan, otherwise a folded table for each month. Undefined if they do not fit. */
function allPosts(
  months: readonly Month[],
  { room, links, detail, isFolded }: Shown & { readonly detail: PostDetail; readonly isFolded: boolean },
): string | undefined {
  if (months.length === 0) return "";
  let text = isFolded ? "" : `\n${POST_TABLE_HEAD}`;
  for (const [index, { month, posts }] of months.entries()) {
    text += isFolded ? foldHead(month, changeCountsOf(posts), index === 0) : monthRow(month);
    for (const post of posts) {
      text += postRow(post, detail, links);
      if (text.length > room) return undefined;
    }
    if (isFolded) text += CLOSE_FOLD;
  }
  return text.length > room ? undefined : text;
}

/** A row that begins a month. */
function monthRow(month: string): string {
  return month === "" ? "" : `| | | **${month}** |\n`;
}

function foldHead(title: string, what: string, isOpen: boolean): string {
  return `\n<details${isOpen ? " open" : ""}><summary><b>${escapeMarkdown(title)}</b>: ${what}</summary>\n\n${POST_TABLE_HEAD}`;
}

const CLOSE_FOLD = "\n</details>\n";

/** Also counts posts that do not change. */
function changeCountsOf(posts: readonly PostView[]): string {
  const { counts, others } = countPosts(posts);
  return [signedCounts(counts), othersText(others)].filter((part) => part !== "").join(", ");
}

/** `➕&nbsp;343 ❌&nbsp;34`: the heading has the words, and a phone has little space. */
function signsText(posts: readonly PostView[]): string {
  const { counts, others } = countPosts(posts);
  const signs = ACTIONS.filter((action) => counts[action] > 0).map(
    (action) => `${SIGNS[action]}&nbsp;${formatNumber(counts[action])}`,
  );
  return [...signs, othersText(others)].filter((part) => part !== "").join(" ");
}

function othersText(others: number): string {
  return others === 0 ? "" : counted([[others, "without a change"]]);
}

function countPosts(posts: readonly PostView[]): {
  readonly counts: ChangeCounts;
  readonly others: number;
} {
  const counts = { ...NO_CHANGES };
  let others = 0;
  for (const { action, folded } of posts) {
    if (action === "keep" || action === "hold") others += folded?.posts ?? 1;
    else counts[action] += folded?.posts ?? 1;
  }
  return { counts, others };
}

/** Largest share of the space for the cancellations of a long plan, and for its totals. */
const MAX_SHARE = 0.3;
/** UTF-16 units that a month of a long plan must have: enough for some posts. */
const MIN_MONTH = 2_000;
const MAX_MONTHS = 36;
const MAX_NETWORKS = 10;
/** Graphemes of a name. */
const MAX_NETWORK = 30;

/** A plan that is too long: its totals, cancellations that nobody must miss, and the first posts of each month. */
function firstPosts(
  months: readonly Month[],
  { room, whole, links }: Shown & { readonly whole: string },
): string {
  const total = months.reduce((sum, { posts }) => sum + posts.length, 0);
  const totals = totalsTable(months, room * MAX_SHARE);
  const cancels = months.flatMap(({ posts }) => posts.filter(({ action }) => action === "cancel"));
  const end = leftOutText(total, whole);
  let left = room - totals.length - end.length;
  const first = someOf(`${SIGNS.cancel} To cancel`, cancels, {
    room: Math.min(left, room * MAX_SHARE),
    links,
    isOpen: true,
  });
  left -= first.text.length;
  const others = months
    .map(({ month, posts }) => ({ month, posts: posts.filter(({ action }) => action !== "cancel") }))
    .filter(({ posts }) => posts.length > 0);
  const most = Math.max(1, Math.floor(left / MIN_MONTH));
  let text = totals + first.text;
  let shown = first.shown;
  for (const [index, { month, posts }] of others.slice(0, most).entries()) {
    const share = left / (Math.min(most, others.length) - index);
    const some = someOf(month, posts, { room: share, links });
    text += some.text;
    left -= some.text.length;
    shown += some.shown;
  }
  return text + leftOutText(total - shown, whole);
}

/** As many of these posts as fit, to unfold. Each month that the title does not name has a row. */
function someOf(
  title: string,
  posts: readonly PostView[],
  { room, links, isOpen = false }: Shown & { readonly isOpen?: boolean },
): { readonly text: string; readonly shown: number } {
  const head = (count: number): string =>
    foldHead(
      title,
      (count === posts.length ? "" : `the first ${formatNumber(count)} of `) + plural(posts.length, "post"),
      isOpen,
    );
  let left = room - head(posts.length - 1).length - CLOSE_FOLD.length;
  const rows: string[] = [];
  let shownMonth = title;
  for (const post of posts) {
    const month = monthOf(post);
    const row = (month === shownMonth ? "" : monthRow(month)) + postRow(post, LEAST, links);
    if (row.length > left) break;
    shownMonth = month;
    rows.push(row);
    left -= row.length;
  }
  if (rows.length === 0) return { text: "", shown: 0 };
  return { text: head(rows.length) + rows.join("") + CLOSE_FOLD, shown: rows.length };
}

/** Two columns, so that a phone has room for the networks. */
function totalsTable(months: readonly Month[], room: number): string {
  const rows: string[][] = [];
  let left = room;
  for (const { month, posts } of months.slice(0, MAX_MONTHS)) {
    const name = escapeMarkdown(month).replaceAll(" ", "&nbsp;");
    const row = [`${name}<br>${signsText(posts)}`, networksText(posts)];
    left -= row.join(" | ").length + 5;
    if (left < 0) break;
    rows.push(row);
  }
  if (rows.length === 0) return "";
  const later = months.length - rows.length;
  const more = later === 0 ? "" : `\n… and ${plural(later, "later month")}\n`;
  return `\n${markdownTable(["Month", "Networks"], rows)}${more}`;
}

/** `linkedin&nbsp;12, twitter&nbsp;3`, the most used first. */
function networksText(posts: readonly PostView[]): string {
  const counts = networkCounts(posts);
  const shown = counts
    .slice(0, MAX_NETWORKS)
    .map(
      ([network, count]) => `${escapeMarkdown(clipText(network, MAX_NETWORK))}&nbsp;${formatNumber(count)}`,
    );
  return [...shown, ...(counts.length > MAX_NETWORKS ? ["…"] : [])].join(", ");
}

function leftOutText(posts: number, whole: string): string {
  if (posts === 0) return "";
  return `\n**${plural(posts, "more post")}** did not fit here; ${whole}.\n`;
}

interface CommentFacts {
  /** Distinguishes several projects of one repository. */
  readonly name: string;
  /** Address of the run's page. */
  readonly runUrl: string;
  /** The commit of the plan. */
  readonly sha: string;
  /** The plan's hash; empty without a plan. */
  readonly hash: string;
}

/** The beginning of the comment, by which it is found again. It is invisible. */
export function commentMarker(name: string): string {
  return `<!-- plancast: ${name} -->`;
}

/** Where the preview of a plan is. Who may open it, and when, depends on the kind. */
export interface PreviewLink {
  readonly kind: "pages" | "artifact";
  readonly url: string;
}

/** The comment: below the heading of its content, the link to the preview. */
export function commentMarkdown(
  { name, runUrl, sha, hash }: CommentFacts,
  content: string,
  preview: PreviewLink | undefined,
): string {
  const plan = hash === "" ? "" : ` · plan <code>${hash.replace("sha256:", "").slice(0, 12)}</code>`;
  const end = content.indexOf("\n") + 1;
  const link = preview === undefined ? "" : `\n${previewLine(preview)}`;
  const foot = `\n<small>Commit ${sha.slice(0, 7)}${plan} · [the run](${runUrl}) has all of it.</small>\n`;
  return `${commentMarker(name)}\n${content.slice(0, end)}${link}${content.slice(end)}${foot}`;
}

/** A line in Markdown. */
export function previewLine({ kind, url }: PreviewLink): string {
  const target = linkTarget(url);
  if (target === undefined) return "";
  const how =
    kind === "pages" ? "Ready in about a minute." : "Opens in the browser. You must be signed in to GitHub.";
  return `👀 **[See the posts as readers will](${target})**. ${how}\n`;
}

/** Above a plan of a project, if the job applies only plans with certain hashes. */
export const NOT_NAMED = "**Not applied:** the input `plan` names other plans.\n\n";

/** How to apply a plan that a job refused, for its summary. @param hash of the plan that is shown below */
export function applyByHandMarkdown(hash: string): string {
  return `To apply exactly the plan below, read it. Then choose _Run workflow_ on this workflow's page, with this as \`plan\`:

\`\`\`
${hash}
\`\`\`

If the workflow does not have this input, an earlier plancast wrote it: \`plancast init\` in an empty folder writes the current one.
`;
}
