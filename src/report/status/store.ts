/** What `plancast store` says about the store of the embedded service. */

import type { StoreCopyDocument, StoreDocument } from "../documents/project.ts";
import { terminalText } from "../text/escape.ts";
import { counted, formatBytes, plural } from "../text/numbers.ts";
import type { Style } from "../text/style.ts";
import { paragraph } from "../text/wrap.ts";

const PLACES = { file: "files in .plancast/embedded", postgres: "the database" } as const;

const STATES: Readonly<Record<StoreDocument["state"], string>> = {
  used: "",
  copying: " A copy is not complete, so nothing uses this store. Run `plancast store copy` again.",
  left: " The project uses another store now.",
};

export function storeText(document: StoreDocument, style: Style): string {
  const { store, state, posts, archived, media, bytes, schema_version: schema } = document;
  const { scheduled, published, failed, cancelled } = posts;
  const listed = counted([
    [scheduled, "scheduled"],
    [published, "published"],
    [failed, "failed"],
    [cancelled, "cancelled"],
  ]);
  const years = Object.entries(archived).map(([year, count]) => `${year}: ${count}`);
  return terminalText(
    [
      `The posts are in ${PLACES[store]}.${STATES[state]}`,
      `Posts: ${listed === "" ? "none" : listed}.`,
      `Archived: ${years.length === 0 ? "none" : years.join(", ")}.`,
      `Media: ${plural(media.files, "file")} with ${formatBytes(media.bytes)}.`,
      `Size of the records${store === "postgres" ? " of all projects" : ""}: ${formatBytes(bytes)} (schema ${schema}).`,
    ].flatMap((line) => paragraph(line, style)),
  );
}

export function storeCopyText(
  { from, to, result, records, missing_media: missing }: StoreCopyDocument,
  style: Style,
): string {
  const lines = {
    copied: `Copied ${plural(records, "record")} from ${PLACES[from]} to ${PLACES[to]}.`,
    there: `The posts were copied before, and are in ${PLACES[to]}. Nothing was changed.`,
    back: `The copy to ${PLACES[from]} was given up. The posts are in ${PLACES[to]}, as before.`,
  };
  const lost =
    missing.length === 0
      ? []
      : [`The files of these media were missing, so they were not copied: ${missing.join(", ")}.`];
  return terminalText([lines[result], ...lost].flatMap((line) => paragraph(line, style)));
}
