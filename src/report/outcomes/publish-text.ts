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

/** The known state of a post on an account after a run. `due`: it was not tried. */
export interface PublishedTask {
  readonly id: string;
  readonly platform: string;
  readonly scheduledAt: string;
  readonly content: string;
  readonly state: "due" | "published" | "failed" | "expired" | "waiting" | "unknown";
  readonly url?: string | undefined;
  readonly reason?: string | undefined;
}

const STATES = ["published", "due", "waiting", "failed", "expired", "unknown"] as const;

const WORDS: Readonly<Record<PublishedTask["state"], string>> = {
  due: "due",
  published: "published",
  failed: "failed",
  expired: "expired",
  waiting: "not published yet",
  unknown: "unknown",
};

function countOf(tasks: readonly PublishedTask[], state: PublishedTask["state"]): number {
  return tasks.filter((each) => each.state === state).length;
}

export function publishDocument(
  tasks: readonly PublishedTask[],
  isDryRun: boolean,
): DocumentOf<typeof publishSchema> {
  return {
    version: 1,
    dry_run: isDryRun,
    summary: {
      published: countOf(tasks, "published"),
      due: countOf(tasks, "due"),
      waiting: countOf(tasks, "waiting"),
      failed: countOf(tasks, "failed"),
      expired: countOf(tasks, "expired"),
      unknown: countOf(tasks, "unknown"),
    },
    results: tasks.map(({ id, platform, scheduledAt, state, url, reason }) => ({
      post_id: id,
      platform,
      scheduled_at: scheduledAt,
      status: state,
      url,
      reason,
    })),
  };
}

/** Longest excerpt of a post, in UTF-16 units. */
const MAX_EXCERPT = 50;

/** @param timezone in which people read the times */
export function publishText(tasks: readonly PublishedTask[], timezone: string, style: Style): string {
  if (tasks.length === 0) return "Nothing is due.\n";
  const lines = tasks.flatMap(({ platform, scheduledAt, content, state, url, reason }) => {
    const excerpt = clipText(content, MAX_EXCERPT);
    const text = `${WORDS[state]}: ${shortTime(scheduledAt, timezone)}, ${networkTitle(platform)}, ${excerpt}`;
    // People copy addresses, so they are not wrapped.
    const more = url === undefined ? paragraph(reason ?? "", style, "  ") : [`  ${escapeTerminal(url)}`];
    return [...paragraph(text, style), ...(url === undefined && reason === undefined ? [] : more)];
  });
  const counts = STATES.map((state) => [countOf(tasks, state), WORDS[state]] as const);
  return terminalText(sections([lines, [`${counted(counts)}.`]]));
}

/** For the summary of a job. */
export function publishMarkdown(tasks: readonly PublishedTask[], timezone: string): string {
  if (tasks.length === 0) return "Nothing is due.\n";
  const rows = tasks.map(({ platform, scheduledAt, content, state, url, reason = "" }) => {
    const target = url === undefined ? undefined : linkTarget(url);
    const more = target === undefined ? escapeMarkdown(reason) : `[post](${target})`;
    const excerpt = escapeMarkdown(clipText(content.replaceAll(/\s+/g, " "), MAX_EXCERPT));
    return [
      shortTime(scheduledAt, timezone),
      escapeMarkdown(networkTitle(platform)),
      excerpt,
      WORDS[state],
      more,
    ];
  });
  return `${markdownTable(["time", "account", "post", "result", ""], rows)}\n`;
}

/** In a job for several projects: the text for a project that publishes in another way. */
export const SERVICE_PUBLISHES = "The service of this project publishes its posts.\n";
