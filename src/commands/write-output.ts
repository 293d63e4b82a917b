import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Failure, reasonOf } from "../calendar/failure.ts";
import type { Shell } from "./shell.ts";

/** By the beginning of a file, whether an earlier run wrote it. */
const GENERATED = {
  plan: /^\{\s*"version": \d+,\s*"hash": "sha256:/,
  page: /^<!doctype html>\s<html lang="en" data-kind="/,
  feed: /^BEGIN:VCALENDAR\s[\s\S]{0,80}PRODID:-\/\/plancast\/\//,
  month: /^\S+ \d{4} {2}times in /,
} as const;

/** Writes a file that the user named. Nothing but what an earlier run wrote is replaced: a calendar is named easily. */
export async function writeGenerated(
  path: string,
  text: string,
  kind: keyof typeof GENERATED,
  { cwd }: Shell,
): Promise<void> {
  const file = resolve(cwd, path);
  const there = await readFile(file, "utf8").catch(() => "");
  if (there !== "" && !GENERATED[kind].test(there)) {
    const message = `${path} is there already, and is no such file as this command writes.`;
    throw new Failure("write/exists", message, "Name another file with --out, or remove that one first.");
  }
  try {
    await writeFile(file, text);
  } catch (error) {
    const why = reasonOf(error);
    throw new Failure("disk/not-writable", `${path} cannot be written: ${why}`, "Name another file.");
  }
}
