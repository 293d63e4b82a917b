/** Posts that may or may not be scheduled. */
import type { Lockfile } from "../calendar/lockfile.ts";
import { terminalText } from "./escape-terminal.ts";
import { clipToWidth } from "./clip-columns.ts";
import { advice, paragraph } from "./paragraph.ts";
import { plural } from "./plural.ts";
import { oneLine, type Style } from "./style.ts";

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
