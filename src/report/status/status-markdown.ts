/** `status --format markdown`: the status of the posts, for a comment or a page. */

import { DERIVED_KEY_PREFIX } from "../../model/post.ts";
import type { PlatformResult, RowState, RowStatus } from "../../model/publication.ts";
import { shortTime } from "../text/local-time.ts";
import { escapeMarkdown } from "../text/markdown.ts";
import { plural } from "../text/numbers.ts";
import { clipText } from "../text/wrap.ts";
import { type StatusReport, reasonText, rowChangeText, stateName, summaryText } from "./status-summary.ts";

/** Maximum length in UTF-16 units: a GitHub comment holds 65,536 characters. */
const MAX_LENGTH = 60_000;
const MAX_CONTENT = 120;
const MAX_LABEL = 120;
const MAX_REASON = 400;

/** Statuses that need attention; they come first. */
const TROUBLE: readonly RowState[] = ["failed", "unknown", "cancelled"];

const TABLE_HEAD = "| Time | Status | Platforms | Post | Row |\n| --- | --- | --- | --- | --- |\n";

/** The status of the rows, for a step summary or a comment: problems first, the rest collapsed, as far as it fits. */
export function statusMarkdown(report: StatusReport, timezone: string): string {
  const rows = report.rows.filter(({ state }) => state !== "not_applied");
  const trouble = rows.filter(({ state }) => TROUBLE.includes(state));
  const rest = rows.filter(({ state }) => !TROUBLE.includes(state));
  const summary = summaryText(report);
  const head = `### Status: ${summary === "" ? "no rows" : summary}\n\nTimes are in ${escapeMarkdown(timezone)}.\n`;
  const first = tableOf(trouble, timezone, MAX_LENGTH - head.length);
  const second = tableOf(rest, timezone, MAX_LENGTH - head.length - first.text.length);
  const left = rows.length - first.rows - second.rows;
  const folded =
    second.rows === 0
      ? ""
      : `\n<details><summary>${plural(rest.length, "post")} without problems</summary>\n${second.text}\n</details>\n`;
  const more =
    left === 0
      ? ""
      : `\n**${plural(left, "more post")}** did not fit here; \`plancast status\` shows all of them.\n`;
  return head + first.text + folded + more;
}

function tableOf(rows: readonly RowStatus[], timezone: string, room: number): { text: string; rows: number } {
  let text = `\n${TABLE_HEAD}`;
  let shown = 0;
  for (const row of rows) {
    const line = rowLine(row, timezone);
    if (text.length + line.length > room) break;
    text += line;
    shown += 1;
  }
  return shown === 0 ? { text: "", rows: 0 } : { text, rows: shown };
}

function rowLine(row: RowStatus, timezone: string): string {
  const { key, place, scheduledAt, state, platforms } = row;
  const id = key.startsWith(DERIVED_KEY_PREFIX) ? [] : [label(key)];
  const cells = [
    escapeMarkdown(shortTime(scheduledAt, timezone)),
    TROUBLE.includes(state) ? `**${stateName(state)}**` : stateName(state),
    label(platforms.join(", ")),
    postCell(row),
    [...id, `<code>${label(place)}</code>`].join("<br>"),
  ];
  return `| ${cells.join(" | ")} |\n`;
}

function postCell(row: RowStatus): string {
  const { content, results } = row;
  const facts = [
    escapeMarkdown(clipText(content, MAX_CONTENT)),
    ...results.map(resultText),
    label(reasonText(row) ?? "", MAX_REASON),
    label(rowChangeText(row) ?? "", MAX_REASON),
  ];
  return facts.filter((fact) => fact !== "").join("<br>");
}

function resultText({ platform, state, url, reason }: PlatformResult): string {
  const name = label(platform);
  if (state === "failed")
    return `${name}: failed${reason === undefined ? "" : `: ${label(reason, MAX_REASON)}`}`;
  const address = url === undefined ? undefined : linkTarget(url);
  return address === undefined ? "" : `[${name}](${address})`;
}

/** An address that is safe in a link: nothing in it can end the link or the cell. */
function linkTarget(url: string): string | undefined {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return undefined;
  return new URL(url).href.replaceAll(
    /[^\w\-./:?#@!$&*+,;=%~]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`,
  );
}

function label(text: string, length = MAX_LABEL): string {
  return escapeMarkdown(clipText(text, length));
}
