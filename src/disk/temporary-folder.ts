/** Folders in the system's place for temporary files. */

import { mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "./files.ts";
import { Place } from "./place.ts";

export interface TemporaryFolder {
  readonly place: Place;
  /** With all that is in it. */
  remove(): Promise<void>;
}

/** Makes an empty folder that only this user can look into. @param prefix of its name, which ends at random */
export async function makeTemporaryFolder(prefix: string): Promise<TemporaryFolder> {
  const parent = await realpath(tmpdir());
  const place = Place.checked(await mkdtemp(join(parent, prefix)));
  return { place, remove: () => removeFolder(place, Place.checked(parent)) };
}
