import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Failure, reasonOf } from "../calendar/failure.ts";
import type { Shell } from "./shell.ts";

/** Writes a file that the user named. */
export async function writeOutput(path: string, text: string, { cwd }: Shell): Promise<void> {
  try {
    await writeFile(resolve(cwd, path), text);
  } catch (error) {
    const why = reasonOf(error);
    throw new Failure("disk/not-writable", `${path} cannot be written: ${why}`, "Name another file.");
  }
}
