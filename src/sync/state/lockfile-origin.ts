/** Which service a lockfile belongs to: known before a key is sent, also from a lockfile that cannot be used otherwise. */

import { basename } from "node:path";
import { z } from "zod";
import { readRegular } from "../../disk/files.ts";
import type { Project } from "../../settings/config.ts";
import { lockfilePlace, otherService } from "./lockfile.ts";

/**
 * Throws a Failure if the project's lockfile belongs to another origin. A lockfile that does not say, or cannot be read,
 * stops nothing here: whoever needs what it holds reports what is wrong with it. Throws a Failure for a link.
 */
export async function checkLockfileOrigin(project: Project, origin: string): Promise<void> {
  const place = await lockfilePlace(project);
  const text = await readRegular(place).then(String, () => "");
  const other = originsIn(text, origin).find((each) => each !== origin);
  if (other !== undefined) throw otherService(basename(place.path), other, origin);
}

/** As plancast writes it: two blanks before a key of the whole, more before all others. */
const WRITTEN = /^ {2}"origin": ("[^"\\]*"),?$/gm;

const withOrigin = z.object({ origin: z.string() });

/** The origins that a lockfile names: several, if git left conflict markers in it. */
function originsIn(text: string, expected: string): string[] {
  const written = [...text.matchAll(WRITTEN)].map(([, json = ""]) => String(JSON.parse(json)));
  // Nearly always; parsing a long lockfile takes its time.
  if (written.length === 1 && written[0] === expected) return written;
  try {
    const { origin } = withOrigin.parse(JSON.parse(text));
    return [origin];
  } catch {
    return written;
  }
}
