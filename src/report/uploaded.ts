/** What became of files that were to be uploaded. */
import { terminalText } from "./escape-terminal.ts";
import { advice, paragraph } from "./paragraph.ts";
import type { Style } from "./style.ts";
import { writeOutcomeDocument, type WriteOutcome } from "./write-outcome.ts";

export interface UploadedFile {
  readonly path: string;
  readonly sha256: string;
  readonly written: WriteOutcome<string>;
  /** Whether the service had it before. */
  readonly isKnown: boolean;
}

export function uploadedText(files: readonly UploadedFile[], style: Style): string {
  const isInDoubt = files.some(({ written }) => written.result === "unknown");
  return terminalText([
    ...files.flatMap((file) => paragraph(sentence(file), style)),
    ...(isInDoubt ? advice("Run it again: a file that is on the service twice does no harm.", style) : []),
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
      return `${path} may or may not be uploaded: ${written.message.replace(/\.$/, "")}.`;
    case "not_started":
      return `${path} was not uploaded: the run was stopped before.`;
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
