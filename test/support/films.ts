/** Small films of all shapes: see test/media/films.test.ts. */
import { statSync } from "node:fs";
import { DiskFile, readFacts } from "../../src/media/media-file.ts";
import type { NetworkMedia } from "../../src/networks/network.ts";

const FOLDER = new URL("../media/films/", import.meta.url);

interface Film {
  readonly name: string;
  readonly path: string;
  readonly mime: string;
  /** Px, as people see it. */
  readonly width: number;
  readonly height: number;
  /** Whether the file has a location. */
  readonly hasPlace: boolean;
}

function film(
  name: string,
  mime: string,
  [width, height]: readonly [number, number],
  hasPlace = false,
): Film {
  return { name, path: new URL(name, FOLDER).pathname, mime, width, height, hasPlace };
}

export const FILMS: readonly Film[] = [
  film("landscape.mp4", "video/mp4", [64, 36]),
  film("portrait.mp4", "video/mp4", [36, 64]),
  film("fast.mp4", "video/mp4", [36, 64], true),
  film("rotated-placed.mp4", "video/mp4", [36, 64], true),
  film("placed.mov", "video/quicktime", [64, 36], true),
  film("portrait.webm", "video/webm", [36, 64], true),
];

/** Whether a file has a location as text, or in the box of MP4 for it. */
export function showsPlace(bytes: Buffer): boolean {
  return bytes.includes("48.8577") || bytes.includes("loci");
}

/** A film as networks get it. */
export async function filmMedia(name: string): Promise<NetworkMedia> {
  const found = FILMS.find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no film ${name}.`);
  const { path, mime } = found;
  const facts = await readFacts(path, mime);
  return { mime, bytes: statSync(path).size, facts, open: () => DiskFile.open(path, mime) };
}
