/** A plan in Markdown: for `plan --format markdown`, step summaries, and the comment on a pull request. */

import { groupBy } from "../../model/data.ts";
import { formatNumber } from "../../model/text.ts";
import { problemsMarkdown } from "../problems/github.ts";
import { timesText } from "../text/local-time.ts";
import {
  type RepositoryLinks,
  cutMarkdown,
  escapeMarkdown,
  linkTarget,
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
import { POST_TABLE_HEAD, SIGNS, postRow } from "./post-markdown.ts";
import { requestsSentence } from "./decisions.ts";

interface PlanMarkdownOptions {
  /** Below the numbers and the guards, in Markdown: what a reader must not miss in a long plan. */
  readonly notes?: string;
  /** Without it, rows have no links and posts no pictures. */
  readonly links?: RepositoryLinks | undefined;
}

/** In a plan with more posts, months are folded. */
const MAX_OPEN = 30;
const MAX_MESSAGE = 400;

/** UTF-16 units. A GitHub comment holds 65,536; the rest is for a title or a marker. */
const MAX_OUTPUT = 60_000;

/** `plan --format markdown`: the plan, or the problems that stopped the run. */
export async function planRunMarkdown({ planned, problems, counts, now }: PlanRun): Promise<string> {
  const trial = trialSentence(now);
  const first = trial === "" ? "" : `${escapeMarkdown(trial)}\n\n`;
  return cutMarkdown(
    planned === undefined ? problemsMarkdown(problems, { counts }) : first + planMarkdown(planned.view()),
    MAX_OUTPUT,
    "`plancast plan --verbose` shows all of them",
  );
}

/**
 * A plan for a pull request or a step summary: the numbers first, then the posts. A short plan is one table with whole
 * texts and pictures. A longer one has its cancellations first, and then a folded table for each month.
 */
export function planMarkdown(view: PlanView, { notes, links }: PlanMarkdownOptions = {}): string {
  const posts = foldSeries(view.days).flatMap((day) => day.posts);
  const isShort = posts.length <= MAX_OPEN;
  return [
    headText(view),
    missingText(view),
    guardText(view),
    ...(notes === undefined ? [] : [`\n${notes}`]),
    ...(isShort ? openSection(posts) : foldedSections(posts)).map((each) =>
      sectionText(each, isShort, links),
    ),
    isShort ? "" : "\nLong texts are shortened here.\n",
  ].join("");
}

/** A table of posts. */
interface Section {
  readonly open: string;
  readonly close: string;
  /** The month that the title names. */
  readonly month?: string;
  readonly posts: readonly PostView[];
}

function openSection(posts: readonly PostView[]): readonly Section[] {
  return posts.length === 0 ? [] : [{ open: `\n${POST_TABLE_HEAD}`, close: "", posts }];
}

/** Nobody must miss a cancellation of a long plan. */
function foldedSections(posts: readonly PostView[]): readonly Section[] {
  const cancels = posts.filter(({ action }) => action === "cancel");
  const others = posts.filter(({ action }) => action !== "cancel");
  const months = [...groupBy(others, monthOf)].map(([month, those], index) => {
    const facts = [changeCountsOf(those), networksText(those)].filter(Boolean).join("<br>");
    return { ...folded(month, facts, those, index === 0), month };
  });
  if (cancels.length === 0) return months;
  const title = `${SIGNS.cancel} To cancel`;
  return [folded(title, plural(countOf(cancels), "post"), cancels, true), ...months];
}

function folded(title: string, facts: string, posts: readonly PostView[], isOpen: boolean): Section {
  const summary = `<summary><b>${escapeMarkdown(title)}</b>: ${facts}</summary>`;
  const open = `\n<details${isOpen ? " open" : ""}>${summary}\n\n${POST_TABLE_HEAD}`;
  return { open, close: "\n</details>\n", posts };
}

function sectionText(
  { open, close, posts, ...section }: Section,
  isWhole: boolean,
  links: RepositoryLinks | undefined,
): string {
  let { month } = section;
  const rows = posts.map((post) => {
    const begins = monthOf(post) === month ? "" : monthRow(monthOf(post));
    month = monthOf(post);
    return begins + postRow(post, isWhole, links);
  });
  return open + rows.join("") + close;
}

/** A series that is one row has several posts. */
function countOf(posts: readonly PostView[]): number {
  return posts.reduce((sum, { folded: series }) => sum + (series?.posts ?? 1), 0);
}

/** `March 2027`, by the local time of the row. */
function monthOf(post: PostView): string {
  return rowClock(post).month;
}

function headText(view: PlanView): string {
  const doing = signedCounts(view.summary);
  const rest = unchangedCounts(view);
  const facts = [
    ...(rest === "" ? [] : [`${view.pending > 0 ? `${SIGNS.pending} ` : ""}${rest}.`]),
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
    "> **Apply refuses this plan, unless somebody allows it.** If you merge a pull request with this plan, you allow it.",
    ...view.guards.map(
      ({ code, message }) => `> - ${code}: ${escapeMarkdown(clipText(message, MAX_MESSAGE))}`,
    ),
    ">",
    `> ${markdownWithCode(view.guardAdvice)}`,
    "",
  ].join("\n");
}

/** A row that begins a month. */
function monthRow(month: string): string {
  return month === "" ? "" : `| | | **${month}** |\n`;
}

/** Also counts posts that do not change. */
function changeCountsOf(posts: readonly PostView[]): string {
  const { counts, others } = countPosts(posts);
  return [signedCounts(counts), othersText(others)].filter((part) => part !== "").join(", ");
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
    if (action === "keep" || action === "pending") others += folded?.posts ?? 1;
    else counts[action] += folded?.posts ?? 1;
  }
  return { counts, others };
}

const MAX_NETWORKS = 10;
/** Graphemes of a name. */
const MAX_NETWORK = 30;

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
