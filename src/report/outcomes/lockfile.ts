/**
 * The lockfile's pending creates, and the questions and results of `plancast lockfile`: for people, and as JSON for
 * scripts.
 */

import { networkTitles } from "../../checks/networks/network-names.ts";
import type { Lockfile } from "../../model/lockfile.ts";
import { sameList } from "../../model/text.ts";
import { terminalText } from "../text/escape.ts";
import { plural } from "../text/numbers.ts";
import { advice, clipToWidth, paragraph } from "../text/wrap.ts";
import { type Style, oneLine } from "../text/style.ts";

/** What a project would forget, or forgot. */
export interface Forgotten {
  /** Service in the lockfile; undefined if it cannot be read. */
  readonly origin: string | undefined;
  /** Number of owned posts, and of those that are still due. */
  readonly posts: number;
  readonly due: number;
  /** Whether a run on the service was interrupted. */
  readonly hasJournal: boolean;
}

/** Escaped. */
export function forgetQuestion(found: Forgotten, lockfile: string, style: Style): string {
  const { origin = "an unknown service", posts, due, hasJournal } = found;
  const stay =
    due === 0
      ? "None of them is due later."
      : `${plural(due, "post")} due later ${due === 1 ? "stays" : "stay"} scheduled there, and plancast no longer manages them.`;
  const cut = hasJournal
    ? " A run on that service was interrupted. plancast also forgets what happened to its posts."
    : "";
  return oneLine(
    `${lockfile} knows ${plural(posts, "post")} on ${origin}. ${stay}${cut} Remove it and start fresh?`,
    style,
  );
}

export function forgottenText({ origin }: Forgotten, lockfile: string, style: Style): string {
  const service =
    origin === undefined ? "a service" : origin === "embedded" ? "the embedded service" : origin;
  return terminalText(paragraph(`Removed ${lockfile}, which was for ${service}.`, style));
}

/** @param found undefined if there was nothing to forget */
export function forgottenDocument(found: Forgotten | undefined): object {
  if (found === undefined) return { version: 1, outcome: { status: "done", posts: 0 } };
  const { origin, posts, due } = found;
  return { version: 1, outcome: { status: "done", origin, posts, due } };
}

/** Ids of the accounts before and after; empty if the lockfile had none, or the service shows none. */
export interface AcceptedAccounts {
  readonly known: readonly string[];
  readonly connected: readonly string[];
}

/** Escaped. */
export function acceptQuestion({ known, connected }: AcceptedAccounts, style: Style): string {
  if (connected.length === 0)
    return oneLine(
      `The lockfile knows ${shown(known)}, but the service does not show the ids of its accounts. Should this project continue without checking accounts?`,
      style,
    );
  return oneLine(
    `The lockfile knows ${shown(known)}. Connected now: ${connected.join(", ")}. Should this project publish on these accounts from now on?`,
    style,
  );
}

export function acceptedText({ known, connected }: AcceptedAccounts, style: Style): string {
  const after = shown(connected);
  const text = sameList(known, connected)
    ? `The lockfile already knows ${after}.`
    : `The lockfile knew ${shown(known)}. It now knows ${after}.`;
  return terminalText(paragraph(text, style));
}

function shown(ids: readonly string[]): string {
  return ids.length === 0 ? "no accounts" : ids.join(", ");
}

export function acceptedDocument({ known, connected }: AcceptedAccounts): object {
  return { version: 1, outcome: { status: "done", before: known, accounts: connected } };
}

/**
 * @param posts number of posts that the merged lockfile owns
 * @param rivals posts that lost their row to another one: id and key
 */
export function mergedText(posts: number, rivals: ReadonlyMap<string, string>, style: Style): string {
  const merged = `Merged the lockfile: it owns ${plural(posts, "post")}.`;
  if (rivals.size === 0) return terminalText(paragraph(merged, style));
  const text = `${merged} Both sides scheduled a post for ${plural(rivals.size, "row")}. The next apply keeps one of each:`;
  return terminalText([
    ...paragraph(text, style),
    ...[...rivals].flatMap(([id, key]) =>
      paragraph(`${key} ${style.marks.separator} also scheduled as ${id}`, style, "  "),
    ),
  ]);
}

/** @param file name of the schedule */
export function mergedScheduleText(file: string): string {
  return `Merged ${file}: it has what both sides scheduled and published.\n`;
}

/** @param posts that the lockfile owns; undefined if only the schedule had a conflict */
export function mergedDocument(posts: number | undefined, rivals: ReadonlyMap<string, string>): object {
  const twice = [...rivals].map(([post_id, key]) => ({ key, post_id }));
  return { version: 1, outcome: { status: "done", posts, scheduled_twice: twice } };
}

type PendingCreates = Lockfile["unknown"];

export function pendingCreatesText(unknown: PendingCreates, style: Style): string {
  const entries = Object.entries(unknown);
  if (entries.length === 0)
    return "There are no pending creates: plancast knows the outcome of every post.\n";
  return terminalText([
    `${plural(entries.length, "post")} may or may not be scheduled:`,
    ...entries.flatMap(([key, attempt]) => {
      const facts = [attempt.scheduled_at, networkTitles(attempt.platforms), attempt.file].join(
        ` ${style.marks.separator} `,
      );
      const text = clipToWidth(oneLine(attempt.content, style), style.width - 4, style.marks.ellipsis);
      return [
        "",
        ...paragraph(`${key} ${style.marks.separator} ${facts}`, style, "  "),
        ...paragraph(text, style, "    "),
      ];
    }),
    "",
    ...advice(
      "Check each post on the service, then run plancast resolve KEY --exists POST_ID, or --absent. With --look-again, plancast checks the service's list itself.",
      style,
    ),
  ]);
}

export function pendingCreatesDocument(unknown: PendingCreates): object {
  return {
    version: 1,
    unknown: Object.entries(unknown).map(([key, attempt]) => ({
      key,
      file: attempt.file,
      attempted_at: attempt.attempted_at,
      post: {
        content: attempt.content,
        platforms: attempt.platforms,
        scheduled_at: attempt.scheduled_at,
        media_ids: attempt.media_ids,
      },
    })),
  };
}
