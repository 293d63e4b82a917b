/** What `media prune` forgot. */
import { terminalText } from "./escape-terminal.ts";
import { paragraph } from "./paragraph.ts";
import { plural } from "./plural.ts";
import type { Style } from "./style.ts";

interface Pruned {
  readonly pruned: readonly { readonly sha256: string; readonly id: string; readonly path: string }[];
  readonly inUse: number;
}

export function prunedText({ pruned, inUse }: Pruned, lockfile: string, style: Style): string {
  const entries = plural(pruned.length, "media entry", "media entries");
  const done =
    pruned.length === 0
      ? "Nothing to prune."
      : `Removed ${entries} from ${lockfile} that the service no longer has; a row that names the file uploads it again.`;
  const kept =
    inUse === 0
      ? ""
      : `${plural(inUse, "entry", "entries")} kept: the service does not list the media, but scheduled posts hold them.`;
  return terminalText([
    ...paragraph(done, style),
    ...pruned.flatMap(({ id, path }) => paragraph(`${path} (${id})`, style, "  ")),
    ...(kept === "" ? [] : paragraph(kept, style)),
  ]);
}

export function prunedDocument({ pruned, inUse }: Pruned): object {
  return { version: 1, summary: { pruned: pruned.length, in_use: inUse }, pruned };
}
