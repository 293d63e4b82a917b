/** Posts that may or may not be scheduled. */

import type { Lockfile } from "../../model/lockfile.ts";
import { terminalText } from "../text/escape.ts";
import { plural } from "../text/numbers.ts";
import { clipToWidth } from "../text/segments.ts";
import { type Style, oneLine } from "../text/style.ts";
import { advice, paragraph } from "../text/wrap.ts";

type PendingCreates = Lockfile["unknown"];

export function pendingCreatesText(unknown: PendingCreates, style: Style): string {
  const entries = Object.entries(unknown);
  if (entries.length === 0) return "Nothing is in doubt.\n";
  return terminalText([
    `${plural(entries.length, "post")} may or may not be scheduled:`,
    ...entries.flatMap(([key, attempt]) => {
      const facts = [attempt.scheduled_at, attempt.platforms.join(", "), attempt.file].join(
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
      "Look at the service, then say what you found: plancast resolve KEY --exists POST_ID, or --absent; or let plancast look: --look-again.",
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
