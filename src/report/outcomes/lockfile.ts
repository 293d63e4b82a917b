/**
 * The lockfile's pending creates, and the questions and results of `plancast lockfile`: for people, and as JSON for
 * scripts.
 */

import { networkTitles } from "../../checks/networks/network-names.ts";
import type { Lockfile } from "../../model/lockfile.ts";
import { sameList } from "../../model/text.ts";
import type {
  AcceptedDocument,
  ForgottenDocument,
  MergedDocument,
  PendingCreatesDocument,
} from "../documents/project.ts";
import { terminalText } from "../text/escape.ts";
import { plural } from "../text/numbers.ts";
import { advice, clipToWidth, paragraph } from "../text/wrap.ts";
import { type Style, oneLine } from "../text/style.ts";

/** Escaped. @param hasJournal whether a run on the service was interrupted */
export function forgetQuestion(
  { origin = "an unknown service", posts, due = 0 }: ForgottenDocument,
  lockfile: string,
  hasJournal: boolean,
  style: Style,
): string {
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

export function forgottenText({ origin }: ForgottenDocument, lockfile: string, style: Style): string {
  const service =
    origin === undefined ? "a service" : origin === "embedded" ? "the embedded service" : origin;
  return terminalText(paragraph(`Removed ${lockfile}, which was for ${service}.`, style));
}

/** Escaped. */
export function acceptQuestion({ before, accounts }: AcceptedDocument, style: Style): string {
  if (accounts.length === 0)
    return oneLine(
      `The lockfile knows ${shown(before)}, but the service does not show the ids of its accounts. Should this project continue without checking accounts?`,
      style,
    );
  return oneLine(
    `The lockfile knows ${shown(before)}. Connected now: ${accounts.join(", ")}. Should this project publish on these accounts from now on?`,
    style,
  );
}

export function acceptedText({ before, accounts }: AcceptedDocument, style: Style): string {
  const after = shown(accounts);
  const text = sameList(before, accounts)
    ? `The lockfile already knows ${after}.`
    : `The lockfile knew ${shown(before)}. It now knows ${after}.`;
  return terminalText(paragraph(text, style));
}

function shown(ids: readonly string[]): string {
  return ids.length === 0 ? "no accounts" : ids.join(", ");
}

export function mergedText({ posts = 0, scheduled_twice: twice }: MergedDocument, style: Style): string {
  const merged = `Merged the lockfile: it owns ${plural(posts, "post")}.`;
  if (twice.length === 0) return terminalText(paragraph(merged, style));
  const text = `${merged} Both sides scheduled a post for ${plural(twice.length, "row")}. The next apply keeps one of each:`;
  return terminalText([
    ...paragraph(text, style),
    ...twice.flatMap(({ key, post_id: id }) =>
      paragraph(`${key} ${style.marks.separator} also scheduled as ${id}`, style, "  "),
    ),
  ]);
}

/** @param file name of the schedule */
export function mergedScheduleText(file: string): string {
  return `Merged ${file}: it has what both sides scheduled and published.\n`;
}

export function pendingCreatesText({ unknown }: PendingCreatesDocument, style: Style): string {
  if (unknown.length === 0)
    return "There are no pending creates: plancast knows the outcome of every post.\n";
  return terminalText([
    `${plural(unknown.length, "post")} may or may not be scheduled:`,
    ...unknown.flatMap(({ key, file, post }) => {
      const facts = [post.scheduled_at, networkTitles(post.platforms), file].join(
        ` ${style.marks.separator} `,
      );
      const text = clipToWidth(oneLine(post.content, style), style.width - 4, style.marks.ellipsis);
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

export function pendingCreatesDocument(unknown: Lockfile["unknown"]): PendingCreatesDocument {
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
