/** What a page from a server gets, and what is in a page as a file. */
import { expect, test } from "vitest";
import { LiveData } from "../../src/preview/live/server.ts";
import { previewHtml } from "../../src/preview/preview-html.ts";
import type { PreviewData } from "../../src/preview/preview-data.ts";

function named(title: string): PreviewData {
  return {
    title,
    timezone: "Europe/Paris",
    madeAt: "2036-03-01 09:00",
    today: "2036-03-01",
    notices: [],
    platforms: [],
    media: [],
    problems: [],
    posts: [],
  };
}

test("a page gets the newest data if it is older or of another server, and nothing if it is up to date", () => {
  const live = new LiveData(named("First"));
  const { version: first } = live.data;
  expect(live.json(first)).toBeUndefined();
  live.set(named("Second"));
  expect(live.json(live.data.version)).toBeUndefined();
  for (const since of [first, undefined, "", new LiveData(named("Second")).data.version])
    expect(JSON.parse(live.json(since) ?? "")).toEqual({ ...named("Second"), version: live.data.version });
});

test("a page has two blocks, of inert JSON and of code, whatever its texts contain", () => {
  const html = previewHtml(
    named("</script><!--<script>".repeat(200)),
    { script: "document;", style: "" },
    "file",
  );
  expect(html).not.toContain("<!--");
  expect(html.match(/<\/?script/gi)).toHaveLength(4);
});
