/** What `plancast publish` did, or would do: for people, and as JSON for scripts. */

import { networkTitle } from "../../checks/networks/network-names.ts";
import type { DocumentOf } from "../documents/parts.ts";
import type { publishSchema } from "../documents/runs.ts";
import { escapeMarkdown, linkTarget, markdownTable } from "../text/markdown.ts";
import { escapeTerminal, terminalText } from "../text/escape.ts";
import { shortTime } from "../text/local-time.ts";
import { counted } from "../text/numbers.ts";
import type { Style } from "../text/style.ts";
import { clipText, paragraph, sections } from "../text/wrap.ts";

type PublishDocument = DocumentOf<typeof publishSchema>;

/** The known state of a post on an account after a run. */
export type PublishedTask = PublishDocument["results"][number];

const STATUSES = ["published", "due", "held", "scheduled", "failed", "expired", "unknown"] as const;

/** @param next when the next post is due, if that is known */
export function publishDocument(
  results: readonly PublishedTask[],
  isDryRun: boolean,
  next?: string,
): PublishDocument {
  const count = (status: PublishedTask["status"]): number =>
    results.filter((each) => each.status === status).length;
  return {
    version: 1,
    dry_run: isDryRun,
    summary: {
      published: count("published"),
      due: count("due"),
      held: count("held"),
      scheduled: count("scheduled"),
      failed: count("failed"),
      expired: count("expired"),
      unknown: count("unknown"),
    },
    results,
    ...(next === undefined ? {} : { next }),
  };
}

const NOTHING_DUE = "Nothing is due.\n";

/** Longest excerpt of a post, in UTF-16 units. */
const MAX_EXCERPT = 50;

/** @param timezone in which people read the times */
export function publishText(
  { results, summary, next }: PublishDocument,
  timezone: string,
  style: Style,
): string {
  const later = next === undefined ? [] : [`The next post is due at ${shortTime(next, timezone)}.`];
  if (results.length === 0) return NOTHING_DUE + terminalText(later);
  const lines = results.flatMap(({ platform, scheduled_at: at, content, status, url, reason }) => {
    const excerpt = clipText(content, MAX_EXCERPT);
    const text = `${status}: ${shortTime(at, timezone)}, ${networkTitle(platform)}, ${excerpt}`;
    // People copy addresses, so they are not wrapped.
    const address = url === undefined ? [] : [`  ${escapeTerminal(url)}`];
    const why = reason === undefined ? [] : paragraph(reason, style, "  ");
    return [...paragraph(text, style), ...address, ...why];
  });
  const counts = STATUSES.map((status) => [summary[status], status] as const);
  return terminalText(sections([lines, [`${counted(counts)}.`, ...later]]));
}

/** For the summary of a job. */
export function publishMarkdown({ results }: PublishDocument, timezone: string): string {
  if (results.length === 0) return NOTHING_DUE;
  const rows = results.map(({ platform, scheduled_at: at, content, status, url, reason = "" }) => {
    const target = url === undefined ? undefined : linkTarget(url);
    const link = target === undefined ? "" : `[post](${target})`;
    const more = [link, escapeMarkdown(reason)].filter((each) => each !== "").join(", ");
    const excerpt = escapeMarkdown(clipText(content.replaceAll(/\s+/g, " "), MAX_EXCERPT));
    return [shortTime(at, timezone), escapeMarkdown(networkTitle(platform)), excerpt, status, more];
  });
  return `${markdownTable(["time", "account", "post", "result", ""], rows)}\n`;
}

/** In a job for several projects: the text for a project that publishes in another way. */
export const SERVICE_PUBLISHES = "The service of this project publishes its posts.\n";
