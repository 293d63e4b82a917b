/** Calendars for the preview's page, and where their pages are. */
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "vitest";
import { makeProject, type TestProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";
import type { OpenPage } from "./browser.ts";

export const HEAD = "id,scheduled_at,platforms,content,media,status";
export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const;

/** A row of CSV. */
export function row(...cells: readonly string[]): string {
  return cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",");
}

export async function projectOf(
  rows: readonly string[],
  config: Record<string, unknown> = {},
): Promise<TestProject> {
  const project = await makeProject({
    config: { service: { url: "embedded" }, timezone: "Europe/Paris", project: "Spring", ...config },
    files: { "calendars/a.csv": [HEAD, ...rows, ""].join("\n") },
  });
  const media = new URL("../../calendars/media/", import.meta.url);
  await mkdir(join(project.root, "media"));
  for (const name of ["orchid-1.jpg", "fern.mp4"]) {
    await copyFile(new URL(name, media), join(project.root, "media", name));
  }
  return project;
}

/** Writes the page. Returns its address. */
export async function pageOf({ root }: TestProject, ...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runCommand(["preview", ...args], { cwd: root });
  expect(stdout, stderr).toMatch(/^Wrote preview\.html/);
  return pathToFileURL(join(root, "preview.html")).href;
}

export const MARCH = [
  row("one", "2036-03-03 09:00", "linkedin, bluesky", "The first lantern #light", "media/orchid-1.jpg", ""),
  row("two", "2036-03-03 10:00", "mastodon", "A second one", "", ""),
  row("film", "2036-03-05 12:00", "linkedin", "A film of ferns", "media/fern.mp4", ""),
  row("later", "2036-04-01 08:00", "bluesky", "Only in April", "", "draft"),
  row("long", "2036-03-20 08:00", "bluesky", "word ".repeat(80), "", ""),
];

/** Captions that would do harm if the page took them for anything but text. */
export const HOSTILE = [
  "<script>globalThis.pwned = 1</script>",
  "</script><script>globalThis.pwned = 1</script>",
  "<!--<script>",
  "]]><img src=x onerror='globalThis.pwned = 1'>",
  "<svg/onload=globalThis.pwned=1> javascript:alert(1) https://evil.example/?<b>",
  "\u{202e}reversed\u{202c} \u{2066}isolated",
  "{{constructor.constructor('globalThis.pwned = 1')()}} ${globalThis.pwned = 1}",
  "&lt;img src=x onerror=alert(1)&gt; &#60;",
  '" onmouseover="globalThis.pwned = 1" x="',
  "مرحبا بالعالم ١٢٣ abc",
  "A".repeat(2_900),
  `e${"\u{301}".repeat(100)}`,
];

/** Makes a page for a client. Returns its address. */
export async function clientPageOf({ root }: TestProject, ...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runCommand(["preview", "--for-client", ...args], { cwd: root });
  expect(stdout, stderr).toContain("Send this file to your client.");
  return pathToFileURL(join(root, "client.html")).href;
}

/** The file that the page downloads. */
export async function download({
  page,
}: OpenPage): Promise<{ readonly name: string; readonly text: string }> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download answers" }).click(),
  ]);
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
}
