/** The results of uploading media, and of `media prune`: for people, and as JSON for scripts. */

import type { WriteResult } from "../../service/records.ts";
import { terminalText } from "../text/escape.ts";
import { plural } from "../text/numbers.ts";
import type { Style } from "../text/style.ts";
import { advice, paragraph } from "../text/wrap.ts";
import { writeOutcomeDocument } from "./write-outcome.ts";

export interface UploadedFile {
  readonly path: string;
  readonly sha256: string;
  readonly written: WriteResult<string>;
  /** Whether the service already had it. */
  readonly isKnown: boolean;
}

export function uploadedText(files: readonly UploadedFile[], style: Style): string {
  const isInDoubt = files.some(({ written }) => written.result === "unknown");
  return terminalText([
    ...files.flatMap((file) => paragraph(sentence(file), style)),
    ...(isInDoubt ? advice("Run it again. A file that is on the service twice does no harm.", style) : []),
  ]);
}

function sentence({ path, written, isKnown }: UploadedFile): string {
  switch (written.result) {
    case "done":
      return isKnown
        ? `${path} is on the service as ${written.value}.`
        : `Uploaded ${path} as ${written.value}.`;
    case "refused":
      return `${path} was not uploaded: ${written.message.replace(/\.$/, "")} (${written.code}).`;
    case "unknown":
      return `${path} may or may not have been uploaded: ${written.message.replace(/\.$/, "")}.`;
    case "not_started":
      return `${path} was not uploaded, because the run stopped before it.`;
    default:
      return written satisfies never;
  }
}

export function uploadedDocument(files: readonly UploadedFile[]): object {
  return {
    version: 1,
    outcomes: files.map(({ path, sha256, written, isKnown }) => ({
      path,
      sha256,
      ...writeOutcomeDocument(written),
      media_id: written.result === "done" ? written.value : undefined,
      uploaded: written.result === "done" ? !isKnown : undefined,
    })),
  };
}

interface Pruned {
  readonly pruned: readonly { readonly sha256: string; readonly id: string; readonly path: string }[];
  readonly inUse: number;
}

export function prunedText({ pruned, inUse }: Pruned, lockfile: string, style: Style): string {
  const entries = plural(pruned.length, "media entry", "media entries");
  const done =
    pruned.length === 0
      ? "Nothing to prune."
      : `Removed ${entries} from ${lockfile}, because the service no longer has these files. If a row names one of these files, apply uploads it again.`;
  const kept =
    inUse === 0
      ? ""
      : `${plural(inUse, "entry", "entries")} kept: the service does not list these media, but scheduled posts use them.`;
  return terminalText([
    ...paragraph(done, style),
    ...pruned.flatMap(({ id, path }) => paragraph(`${path} (${id})`, style, "  ")),
    ...(kept === "" ? [] : paragraph(kept, style)),
  ]);
}

export function prunedDocument({ pruned, inUse }: Pruned): object {
  return { version: 1, summary: { pruned: pruned.length, in_use: inUse }, pruned };
}
