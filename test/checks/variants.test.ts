/** One row, several networks: from the file to the posts. */

import { expect, test } from "vitest";
import { readCsv } from "../../src/calendars/formats/csv/read-csv.ts";
import { readYaml } from "../../src/calendars/formats/yaml/read-yaml.ts";
import { validate } from "../../src/checks/validate.ts";
import { settingsOf } from "../../src/settings/calendar-settings.ts";
import { config } from "../support/rows.ts";

function posts(raw: ReturnType<typeof readCsv>, given: Record<string, unknown> = {}) {
  const project = config({ platforms: { x: "twitter" }, ...given });
  const settings = settingsOf(project, []);
  const made = validate([{ ...raw, settings }], project);
  return {
    posts: made.posts.map(
      (post) =>
        `${post.key} ${post.platforms.join("+")} ${post.scheduledAt.slice(5, 16)} ${post.content}` +
        post.media.map((each) => (each.kind === "file" ? ` ${each.path}` : "")).join(""),
    ),
    problems: [...raw.problems, ...made.problems].map((each) => `${each.code}@${each.line}:${each.column}`),
  };
}

function csv(text: string, columns: Record<string, string> = {}) {
  const project = config({ columns });
  return posts(readCsv("a.csv", text, settingsOf(project, [])), { columns });
}

const HEADER = "id,scheduled_at,platforms,content,Content:Twitter,media:instagram,scheduled_at:linkedin";
const BASE = "launch,2030-03-01 09:00,linkedin twitter instagram";

test.each<[string, string, string[]]>([
  ["nothing of its own", `${BASE},Hello,,,`, ["launch instagram+linkedin+twitter 03-01T08:00 Hello"]],
  [
    "a text of its own",
    `${BASE},Hello,Hi,,`,
    ["launch instagram+linkedin 03-01T08:00 Hello", "launch@twitter twitter 03-01T08:00 Hi"],
  ],
  ["the same text again", `${BASE},Hello,Hello ,,`, ["launch instagram+linkedin+twitter 03-01T08:00 Hello"]],
  [
    "text, media and time",
    `${BASE},Hello,Hi,a.png,2030-03-02 10:00`,
    [
      "launch@instagram instagram 03-01T08:00 Hello a.png",
      "launch@linkedin linkedin 03-02T09:00 Hello",
      "launch@twitter twitter 03-01T08:00 Hi",
    ],
  ],
  [
    "only what is its own",
    "launch,2030-03-01 09:00,twitter,,Hi,,",
    ["launch@twitter twitter 03-01T08:00 Hi"],
  ],
])("makes posts of a CSV row with %s", (_what, line, expected) => {
  const made = csv(`${HEADER}\n${line}\n`);
  expect([made.posts.sort(), made.problems]).toEqual([expected.sort(), []]);
});

test("warns about a variant for a platform that the row does not name", () => {
  const made = csv(`${HEADER}\nlaunch,2030-03-01 09:00,linkedin,Hello,Hi,,\n`);
  expect(made).toEqual({
    posts: ["launch linkedin 03-01T08:00 Hello"],
    problems: ["row/unused-value@2:40"],
  });
});

test("reports a problem of a variant once, at its cell", () => {
  const made = csv(`${HEADER}\nlaunch,tomorrow,linkedin twitter,Hello,Hi,,someday\n`);
  expect(made).toEqual({ posts: [], problems: ["schedule/format@2:8", "schedule/format@2:44"] });
});

test("refuses variants for both an alias and its platform", () => {
  const made = csv(
    "id,scheduled_at,platforms,content,content:x,content:twitter\nlaunch,2030-03-01 09:00,x,Hello,Hi,Hey\n",
  );
  expect(made).toEqual({ posts: [], problems: ["row/value-twice@2:36"] });
});

test("refuses a row whose id is the key of another row's variant", () => {
  const made = csv(`${HEADER}\n${BASE},Hello,Hi,,\nlaunch@twitter,2030-03-05 09:00,linkedin,Else,,,\n`);
  expect(made.problems).toEqual(["row/duplicate-id@3:1"]);
});

test("reads platforms from columns of yes and no", () => {
  const columns = { Facebook: "platforms:facebook", "Twitter/X": "platforms:twitter", Draft: "status:draft" };
  const header = "Text,Date,Time,Draft,Facebook,Twitter/X";
  const made = csv(
    `${header}\nA,2030-03-01,09:00,false,TRUE,x\nB,2030-03-01,09:00,yes,true,\nC,2030-03-01,09:00,,no,\nD,2030-03-01,09:00,,perhaps,yes\n`,
    columns,
  );
  expect(made.posts.map((each) => each.replace(/^row:\w+ /, ""))).toEqual([
    "facebook+twitter 03-01T08:00 A",
    "twitter 03-01T08:00 D",
  ]);
  expect(made.problems).toEqual(["columns/unknown-value@1:22", "row/missing-field@4:1"]);
});

test("makes posts of variants in YAML, and joins equal ones", () => {
  const made = posts(
    readYaml(
      "a.yaml",
      `- id: launch
  scheduled_at: 2030-03-01 09:00
  platforms: [linkedin, x, google-business]
  content: Hello
  variants:
    x: { content: Hi }
    google-business:
      content: Hi
      nonsense: 1
`,
    ),
  );
  expect(made.posts).toEqual([
    "launch linkedin 03-01T08:00 Hello",
    "launch@google-business google-business+twitter 03-01T08:00 Hi",
  ]);
  expect(made.problems).toEqual(["columns/unknown@9:7"]);
});

test("a variant may have no media or no text", () => {
  const text = `- id: launch
  scheduled_at: 2030-03-01 09:00
  platforms: linkedin twitter
  content: Open
  media: a.png
  variants: { twitter: { media: [] } }
- id: words
  scheduled_at: 2030-03-02 09:00
  platforms: linkedin twitter
  content: Open
  media: a.png
  variants: { twitter: { content: "" } }
`;
  expect(posts(readYaml("a.yaml", text))).toEqual({
    posts: [
      "launch linkedin 03-01T08:00 Open a.png",
      "launch@twitter twitter 03-01T08:00 Open",
      "words linkedin 03-02T08:00 Open a.png",
      "words@twitter twitter 03-02T08:00  a.png",
    ],
    problems: [],
  });
});
