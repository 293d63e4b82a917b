/** Edits plancast.yaml as text. */

import { readRegular, writeAtomic } from "../../disk/files.ts";
import { placeInProject } from "../../disk/place.ts";
import { Failure, reasonOf } from "../../model/failure.ts";
import type { Project } from "../../settings/config.ts";

export interface ProjectFile {
  /** The text without a byte order mark. */
  readonly text: string;
  /** Replaces the whole text. Throws a Failure if the file cannot be written. */
  readonly write: (text: string) => Promise<void>;
}

/** Throws a Failure for a file that is not UTF-8, because an edit would damage it. */
export async function openProjectFile({ root, file }: Project): Promise<ProjectFile> {
  const place = await placeInProject(root, file);
  const bytes = await readRegular(place);
  const text = bytes.toString("utf8");
  if (!bytes.equals(Buffer.from(text)))
    throw new Failure(
      "project/not-extended",
      `${file} is not UTF-8, so nothing was written.`,
      "Save it as UTF-8.",
    );
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  return {
    text: text.slice(mark.length),
    async write(changed) {
      try {
        await writeAtomic(place, mark + changed);
      } catch (error) {
        const why = reasonOf(error);
        throw new Failure("disk/not-writable", `${file} cannot be written: ${why}`, "Check its permissions.");
      }
    },
  };
}
