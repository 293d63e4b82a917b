/** Following doctor's advice gives a plancast.yaml with the new lines, and everything that it had before. */

import { expect, test } from "vitest";
import { parseProject } from "../../src/calendars/project.ts";
import { pasteMapping } from "../../src/doctor/paste-mapping.ts";

const FILE = "plancast.yaml";
const SHAPE = {
  list: "data.items",
  record: "0",
  post: { id: "ref", content: "copy.text" },
  status: { no: "draft" },
} as const;

/** Does what is said, as a person would. */
function pasted(text: string): { readonly text: string; readonly where: string } {
  const { where, lines } = pasteMapping(SHAPE, { file: FILE, text });
  const all = text.split("\n");
  const [, below] = /below line (\d+)$/.exec(where) ?? [];
  const [, from, to = from] = /in place of lines? (\d+)(?: to (\d+))?$/.exec(where) ?? [];
  const [, braces] = /^write the last of these lines into line (\d+) .*before the brace/.exec(where) ?? [];
  const [, inside] = /^write the last of these lines into line (\d+) .*in place of what/.exec(where) ?? [];
  const own = lines.replace(/\n$/, "").split("\n");
  if (below !== undefined) all.splice(Number(below), 0, ...own);
  else if (from !== undefined) all.splice(Number(from) - 1, Number(to) - Number(from) + 1, ...own);
  else if (braces !== undefined)
    all[Number(braces) - 1] = all[Number(braces) - 1]?.replace(/\s*\}\s*$/, `${own[0]} }`) ?? "";
  else if (inside !== undefined)
    all[Number(inside) - 1] = all[Number(inside) - 1]?.replace(/shape: \{[^}]*\}/, own[0] ?? "") ?? "";
  else return { text: `${text}\n${lines}`, where };
  return { text: all.join("\n"), where };
}

test.each<[string, string, string]>([
  ["no service", "timezone: UTC\n", "put this into plancast.yaml"],
  ["an empty file", "", "put this into plancast.yaml"],
  ["settings", "service:\n  url: https://x.example # it\n  plan: pro\n\ntimezone: UTC\n", "below line 3"],
  [
    "settings with comments after",
    "service:\n    plan: pro\n    # list_limit: 5\ntimezone: UTC",
    "below line 2",
  ],
  ["nothing in it", "timezone: UTC\nservice:\n", "below line 2"],
  ["empty braces", "service: {}\ntimezone: UTC\n", "in place of line 1"],
  ["braces", "timezone: UTC\nservice: { plan: pro }\n", "line 2 of plancast.yaml, before the brace"],
  ["a shape", "service:\n  shape:\n    list: a.b\n    post:\n      id: nr\n  plan: pro\n", "lines 2 to 5"],
  ["a shape on one line", "service:\n  plan: pro\n  shape: { list: a.b }\n", "in place of line 3"],
  ["a shape within braces", "service: { plan: pro, shape: { list: a.b } }\n", "what `shape:` is there"],
])("a shape pasted into %s takes effect and keeps the rest", (_name, text, place) => {
  const done = pasted(text);
  expect(done.where).toContain(place);
  const { service, ...rest } = parseProject(FILE, done.text);
  expect(service).toEqual({ ...parseProject(FILE, text).service, shape: SHAPE });
  expect(rest.timezone).toBe(parseProject(FILE, text).timezone);
});

test("gives the whole shape without plancast.yaml, or where it has no place for it", () => {
  expect(pasteMapping(SHAPE, undefined)).toMatchObject({ where: "put this into plancast.yaml" });
  const aliased = "service: &s\n  plan: pro\nx: *s\n";
  expect(pasteMapping(SHAPE, { file: FILE, text: aliased }).lines).toContain("list: data.items");
});

test("never shows a secret of the settings around the shape", () => {
  const text = "service: { share: 'redis://me:secret@x.example' }\n";
  expect(JSON.stringify(pasteMapping(SHAPE, { file: FILE, text }))).not.toContain("secret");
});
