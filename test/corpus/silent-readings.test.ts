/**
 * What was once read without a word, and published wrongly. Each test has the posts that are right, or says where
 * plancast stops.
 */

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { Problem } from "../../src/model/problem.ts";
import { afterThisTest } from "../support/after-test.ts";
import { ods, styled, xlsx } from "../support/workbook-files.ts";
import { readFolder } from "./measure.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;

interface Outcome {
  /** `2036-03-01T09:00:00Z bluesky Hello`, without those of a calendar with errors. */
  readonly posts: readonly string[];
  readonly errors: readonly Problem[];
  readonly codes: readonly string[];
}

/** Reads files with the settings of a project, in UTC. */
async function read(files: Files, settings = ""): Promise<Outcome> {
  const root = await mkdtemp(join(tmpdir(), "plancast-readings-"));
  afterThisTest(() => rm(root, { recursive: true }));
  const entries = {
    ...files,
    "plancast.yaml": `timezone: UTC\ncalendars: ${calendarsOf(files)}\n${settings}\n`,
  };
  for (const [name, content] of Object.entries(entries)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  const { posts, problems } = await readFolder(root);
  const errors = problems.filter(({ severity }) => severity === "error");
  return {
    posts:
      errors.length > 0
        ? []
        : posts.map(
            ({ scheduledAt, platforms, content }) => `${scheduledAt} ${platforms.join("+")} ${content}`,
          ),
    errors,
    codes: errors.map(({ code }) => code),
  };
}

function calendarsOf(files: Files): string {
  return JSON.stringify(Object.keys(files).filter((name) => /\.(?:csv|ya?ml|md|tweet|xlsx|ods)$/.test(name)));
}

const csv = (...lines: readonly string[]): Files => ({ "posts.csv": `${lines.join("\n")}\n` });

/** The settings that the errors propose, as they are pasted. */
function proposed({ errors }: Outcome): string {
  return errors.map(({ settings, message }) => settings ?? message).join("\n");
}

describe("keys and values that decide", () => {
  test.each([
    "posted: { bluesky: 2035-12-25T10:00:00Z }",
    "published: [bluesky]",
    "draft: { reason: wait }",
    "status: { ready: true }",
    "status: [ready]",
    "posted: 3",
  ])("a value that is not a word stops its post: %s", async (line) => {
    const post = `- content: Hello\n  scheduled_at: 2036-03-01 09:00\n  platforms: bluesky\n  ${line}\n`;
    const { posts, errors } = await read({ "posts.yaml": post });
    expect(posts).toEqual([]);
    expect(errors).not.toEqual([]);
  });

  test.each(["approval_status", "Review Status", "Client approval status"])(
    "a rejected row is not planned without an answer: %s",
    async (header) => {
      const rows = [
        `date,time,platform,caption,status,${header}`,
        "2036-03-01,09:00,bluesky,One,Scheduled,Rejected",
        "2036-03-02,09:00,bluesky,Two,Scheduled,Approved",
      ];
      expect((await read(csv(...rows))).posts).toEqual([]);
      const answers = `columns: { ${header}: status }\nvalues: { status: { Scheduled: ready }, ${header}: { Rejected: skip, Approved: ready } }`;
      expect((await read(csv(...rows), answers)).posts).toEqual(["2036-03-02T09:00:00Z bluesky Two"]);
    },
  );

  test.each([
    ["Russian", "Статус", "Черновик", "Отменено", "Готово"],
    ["Hungarian", "Állapot", "Vázlat", "Törölve", "Kész"],
    ["Greek", "Κατάσταση", "Πρόχειρο", "Ακυρώθηκε", "Έτοιμο"],
  ])("a status in a language without words is asked about: %s", async (_what, header, draft, skip, ready) => {
    const rows = [
      `D,P,T,${header}`,
      `2036-03-01 09:00,bluesky,One,${draft}`,
      `2036-03-02 09:00,bluesky,Two,${skip}`,
      `2036-03-03 09:00,bluesky,Three,${ready}`,
    ];
    const columns = "D: scheduled_at, P: platforms, T: content";
    const unnamed = await read(csv(...rows), `columns: { ${columns} }`);
    expect(unnamed.codes).toEqual(["columns/unknown"]);
    expect(proposed(unnamed)).toContain(header);
    const named = await read(csv(...rows), `columns: { ${columns}, ${header}: status }`);
    expect(named.codes).toEqual(["columns/unknown-value"]);
    for (const word of [draft, skip, ready]) expect(proposed(named)).toContain(word);
    const answers = `columns: { ${columns}, ${header}: status }\nvalues: { status: { ${draft}: draft, ${skip}: skip, ${ready}: ready } }`;
    expect((await read(csv(...rows), answers)).posts).toEqual(["2036-03-03T09:00:00Z bluesky Three"]);
  });

  test("the block for many values is complete, and a new value next month stops", async () => {
    const words = Array.from({ length: 15 }, (_none, index) => `stage ${index + 1}`);
    const rows = [
      "date,time,platform,caption,status",
      ...words.map((word, index) => `2036-03-${index + 10},09:00,bluesky,Text ${index},${word}`),
    ];
    const asked = await read(csv(...rows));
    expect(asked.codes).toEqual(["columns/unknown-value"]);
    for (const word of words) expect(proposed(asked)).toContain(`${word}:`);
    const answers = `values: { status: { ${words.map((word) => `${word}: ready`).join(", ")} } }`;
    expect((await read(csv(...rows), answers)).posts).toHaveLength(15);
    const later = await read(csv(...rows, "2036-04-01,09:00,bluesky,New,stage 16"), answers);
    expect(later.codes).toEqual(["columns/unknown-value"]);
    expect(proposed(later)).toContain("stage 16");
  });

  test.each(["pending", "Pending", "scheduled", "Planned", "geplant"])("%s is asked about", async (word) => {
    const rows = ["date,time,platform,caption,status", `2036-03-01,09:00,bluesky,One,${word}`];
    expect((await read(csv(...rows))).codes).toEqual(["columns/unknown-value"]);
    const answers = `status_values: { ${word}: ready }`;
    expect((await read(csv(...rows), answers)).posts).toEqual(["2036-03-01T09:00:00Z bluesky One"]);
  });

  test("each network can have its own status", async () => {
    const rows = [
      "date,time,caption,LinkedIn status,YouTube status",
      "2036-03-01,09:00,One,Ready,Ready",
      "2036-03-02,09:00,Two,Ready,Draft",
      "2036-03-03,09:00,Three,Draft,Draft",
    ];
    const networks = "defaults: { platforms: [linkedin, youtube] }";
    expect((await read(csv(...rows), networks)).posts).toEqual([]);
    const answers = `columns: { LinkedIn status: "status:linkedin", YouTube status: "status:youtube" }\n${networks}`;
    expect((await read(csv(...rows), answers)).posts.toSorted()).toEqual([
      "2036-03-01T09:00:00Z linkedin+youtube One",
      "2036-03-02T09:00:00Z linkedin Two",
    ]);
  });

  test.each(["Visibility,unlisted", "Sensitive,yes", "Privacy,private", "Audience,members only"])(
    "a column that says who may see the post is not left out silently: %s",
    async (column) => {
      const [header, value] = column.split(",");
      const { posts, codes } = await read(
        csv(`date,time,platform,caption,${header}`, `2036-03-01,09:00,youtube,One,${value}`),
      );
      expect(posts).toEqual([]);
      expect(codes).toContain("columns/unknown");
    },
  );
});

describe("kinds of posts", () => {
  const STORIES = ["IG Story", "Instagram Stories", "story_photo", "Story/Reel", "Post + Story", "story"];

  test.each(STORIES)("no Story becomes a post: %s", async (word) => {
    for (const header of ["type", "format", "Post type"]) {
      const rows = [`date,time,platform,caption,${header}`, `2036-03-01,09:00,instagram,One,${word}`];
      expect((await read(csv(...rows))).posts).toEqual([]);
      expect((await read(csv(...rows), `columns: { ${header}: type }`)).posts).toEqual([]);
    }
  });

  test("rows of other kinds go out", async () => {
    const rows = [
      "date,time,platform,caption,type",
      "2036-03-01,09:00,instagram,One,Post",
      "2036-03-02,09:00,instagram,Two,IG Story",
    ];
    const answers = "values: { type: { IG Story: skip } }";
    expect((await read(csv(...rows), answers)).posts).toEqual(["2036-03-01T09:00:00Z instagram One"]);
  });

  test("the advice for the network Instagram Story is not an ordinary post", async () => {
    const outcome = await read(csv("date,time,platform,caption", "2036-03-01,09:00,Instagram Story,One"));
    expect(outcome.posts).toEqual([]);
    expect(proposed(outcome)).not.toContain("instagrampost");
  });
});

function odsCell(text: string, value = ""): string {
  return `<table:table-cell ${value}><text:p>${text}</text:p></table:table-cell>`;
}

function odsRow(...cells: readonly string[]): string {
  return `<table:table-row>${cells.join("")}</table:table-row>`;
}

describe("times", () => {
  const MIDNIGHTS = [60_000, 60_007, 60_014].map((serial) => styled(serial, 1));

  test("a workbook column with 00:00 in all cells has days, and no times", async () => {
    const rows = [
      ["Date", "Channel", "Text"],
      ...MIDNIGHTS.map((cell, index) => [cell, "bluesky", `Text ${index}`]),
    ];
    const file = { "posts.xlsx": xlsx([{ name: "Plan", rows }], { formats: ["yyyy-mm-dd hh:mm:ss"] }) };
    const outcome = await read(file);
    expect(outcome.posts).toEqual([]);
    expect(proposed(outcome)).toMatch(/time/);
  });

  test("a CSV column with 00:00:00 in all cells has days, and no times", async () => {
    const rows = ["Date,Channel,Text", "2036-03-01 00:00:00,bluesky,One", "2036-03-04 00:00:00,bluesky,Two"];
    expect((await read(csv(...rows))).posts).toEqual([]);
    const answers = 'columns: { Date: date }\ndefaults: { time: "08:30" }';
    expect((await read(csv(...rows), answers)).posts).toEqual([
      "2036-03-01T08:30:00Z bluesky One",
      "2036-03-04T08:30:00Z bluesky Two",
    ]);
  });

  test("midnight beside other times is a time", async () => {
    const rows = [
      "scheduled_at,platform,caption",
      "2036-03-01 00:00,bluesky,One",
      "2036-03-02 17:00,bluesky,Two",
    ];
    expect((await read(csv(...rows))).posts).toEqual([
      "2036-03-01T00:00:00Z bluesky One",
      "2036-03-02T17:00:00Z bluesky Two",
    ]);
  });

  test("a time in a column that plancast does not know is not replaced by a default", async () => {
    const rows = ["due_date,platform,content,time_slot,hour", "2036-05-05,bluesky,One,21:59,"];
    expect((await read(csv(...rows), 'defaults: { time: "12:00" }')).posts).toEqual([]);
    const answers = 'columns: { due_date: date, time_slot: time, hour: ignore }\ndefaults: { time: "12:00" }';
    expect((await read(csv(...rows), answers)).posts).toEqual(["2036-05-05T21:59:00Z bluesky One"]);
  });

  test.each(["scheduled_at_utc", "Scheduled At UTC", "scheduled-at-utc", "scheduled_at (UTC)"])(
    "the zone in the header counts: %s",
    async (header) => {
      const files = csv(`${header},platform,content`, "2036-07-01 14:00,bluesky,One");
      const settings = `columns: { ${JSON.stringify(header)}: scheduled_at }\ndefaults: { timezone: America/New_York }`;
      expect((await read(files, settings)).posts).toEqual(["2036-07-01T14:00:00Z bluesky One"]);
    },
  );

  test("a time of 24 hours or more in an ODS file is an error, as in a workbook of Excel", async () => {
    const long = 'office:value-type="time" office:time-value="PT33H30M00S"';
    const table = `<table:table table:name="Plan">${odsRow(...["date", "time", "platforms", "content"].map((each) => odsCell(each)))}${odsRow(odsCell("2036-03-01"), odsCell("33:30", long), odsCell("bluesky"), odsCell("One"))}</table:table>`;
    const { codes, errors } = await read({ "posts.ods": ods(table) });
    expect(codes).toEqual(["schedule/format"]);
    expect(errors[0]?.cell).toBe("Plan!B2");
  });

  test.each(["2579-03-05", "5/3/2579", "2200-01-01"])(
    "a year of another calendar is an error: %s",
    async (day) => {
      const { codes } = await read(
        csv("date,time,platforms,content", `${day},09:00,bluesky,One`),
        "date_order: dmy",
      );
      expect(codes).toEqual(["schedule/format"]);
    },
  );
});

const withText = (text: string): Files =>
  csv("date,time,platforms,content", `2036-03-01,09:00,bluesky,"${text}"`);

describe("damaged texts", () => {
  test.each(["Tulips.\\n\\nCome and see.", "Open today!\\nSee you."])(
    "a literal backslash and n is an error: %s",
    async (text) => {
      const { posts, codes } = await read(withText(text));
      expect(posts).toEqual([]);
      expect(codes).toHaveLength(1);
    },
  );

  test.each(["Save it to C:\\new today.", "In C, \\n ends a line"])(
    "a backslash that people write stays: %s",
    async (text) => {
      expect((await read(withText(text))).posts).toEqual([`2036-03-01T09:00:00Z bluesky ${text}`]);
    },
  );

  test.each(["[Add tweet content here]", "<your caption>", "[Insert caption]", "Hi {{name}}, we are open"])(
    "a placeholder is an error: %s",
    async (text) => {
      const { posts, codes } = await read(withText(text));
      expect(posts).toEqual([]);
      expect(codes).not.toEqual([]);
    },
  );

  test("the rule can be switched off", async () => {
    const outcome = await read(withText("[Add tweet content here]"));
    const [code = ""] = outcome.codes;
    const { posts } = await read(withText("[Add tweet content here]"), `rules: { ${code}: off }`);
    expect(posts).toHaveLength(1);
  });
});

describe("posts in files of their own", () => {
  const FRONT = "---\nscheduled_at: 2036-03-01 09:00\nplatforms: bluesky\n---\n";

  test.each([
    ["One\n---\nmedia:\n  - file: c1.png\n---\nTwo\n", "markdown/front-matter"],
    ["One\n---\n\n---\nreply: https://example.com/1\n---\nTwo\n", "calendar/shape"],
  ])("fields of a later post are never published: %j", async (body, code) => {
    for (const name of ["a.md", "a.tweet"]) {
      const { posts, codes } = await read({ [name]: FRONT + body });
      expect(posts).toEqual([]);
      expect(codes).toEqual([code]);
    }
  });

  test.each(["One\n---\nNote: doors open at nine\n---\nTwo\n", "One\n---\n- tulips\n- roses\n---\nTwo\n"])(
    "a later post may look like a list: %j",
    async (body) => {
      expect((await read({ "a.md": FRONT + body })).posts).toEqual(["2036-03-01T09:00:00Z bluesky One"]);
    },
  );

  test("a key that asks for a reply is not left out", async () => {
    const text = FRONT.replace("platforms", "reply: https://example.com/1\nplatforms");
    expect((await read({ "a.tweet": `${text}Hello\n` })).posts).toEqual([]);
  });

  test.each([
    [
      "with fields below two keys",
      "- when: { date: 2036-03-01, time: '09:00' }\n  post: { text: One, networks: [bluesky] }\n",
    ],
    [
      "with one field below a key",
      "- date: 2036-03-01\n  time: '09:00'\n  platforms: bluesky\n  post: { text: One }\n",
    ],
  ])("nested YAML is one error that names the nesting: %s", async (_what, text) => {
    const { codes, errors } = await read({ "posts.yaml": text.repeat(3) });
    expect(codes).toEqual(["calendar/shape"]);
    expect(errors[0]?.message).toContain("level up");
    expect(errors[0]?.message).toContain("3 posts");
  });
});

describe("columns that are not texts", () => {
  test("paths of texts are not proposed as texts", async () => {
    const rows = [
      "date,time,platform,content_file",
      "2036-03-01,09:00,linkedin,linkedin/launch-post.md",
      "2036-03-02,09:00,linkedin,linkedin/second-post.md",
    ];
    const outcome = await read({ ...csv(...rows), "linkedin/launch-post.txt": "Launch" });
    expect(outcome.posts).toEqual([]);
    expect(outcome.errors.map(({ message }) => message).join(" ")).not.toContain("texts of the posts");
    expect(proposed(outcome)).not.toContain("content_file: content");
  });

  test.each(["post_url", "Original FB Post URL", "Live link"])(
    "links of published posts ask whether the row is out: %s",
    async (header) => {
      const rows = [
        `date,time,platform,caption,${header}`,
        "2036-03-01,09:00,facebook,One,https://facebook.example/p/1",
        "2036-03-02,09:00,facebook,Two,",
      ];
      const outcome = await read(csv(...rows));
      expect(outcome.posts).toEqual([]);
      expect(outcome.errors.map(({ message }) => message).join(" ")).not.toContain("into the text");
      const answers = `columns: { ${header}: status }\nvalues: { ${header}: { "*": skip, "": ready } }`;
      expect((await read(csv(...rows), answers)).posts).toEqual(["2036-03-02T09:00:00Z facebook Two"]);
    },
  );

  test("posted_at beside likes is not the date", async () => {
    const rows = ["date,time,platform,caption,posted_at,likes", "2036-03-01,09:00,bluesky,One,2035-12-01,12"];
    const outcome = await read(csv(...rows));
    expect(outcome.posts).toEqual([]);
    expect(proposed(outcome)).not.toMatch(/posted_at: (?:date|scheduled_at)/);
  });
});

const header = ["Date", "Time", "Channel", "Text"];
const right = (cells: readonly string[]): (string | undefined)[] => [
  ...Array.from({ length: 6 }, () => undefined),
  ...cells,
];

function approvedFile(line: string): string {
  return `---\nscheduled_at: 2036-03-01 09:00\nplatforms: bluesky\n${line}---\n${line || "Nobody"}\n`;
}

describe("rows and files beside others", () => {
  const HEAD = "date,time,Main,Also,text";

  test("two columns that `columns:` calls networks count together; others ask", async () => {
    const rows = csv(HEAD, "2036-03-01,9:00,bluesky,mastodon,Both", "2036-03-02,at 9.30,,mastodon,One");
    const { posts } = await read(rows, "columns: { Main: platforms, Also: platforms }");
    expect(posts).toEqual([
      "2036-03-01T09:00:00Z bluesky+mastodon Both",
      "2036-03-02T09:30:00Z mastodon One",
    ]);
    expect((await read(rows, "columns: { Main: platforms }")).codes).toContain("columns/unknown");
  });

  test.each(["platforms", "platforms:bluesky"])(
    "a row without a network is left out on request: %s",
    async (to) => {
      const mark = to === "platforms" ? "bluesky" : "x";
      const rows = csv("date,time,Main,text", `2036-03-01,9:00,${mark},A`, "2036-03-02,9:00,,By hand");
      const columns = `columns: { Main: "${to}" }`;
      expect((await read(rows, columns)).codes).toEqual(["row/missing-field"]);
      const { posts } = await read(rows, `${columns}\ndefaults: { platforms: [skip] }`);
      expect(posts).toEqual(["2036-03-01T09:00:00Z bluesky A"]);
    },
  );

  test("a file without the key of an approval waits if other files have it", async () => {
    const files = { "a.md": approvedFile("approved: yes\n"), "b.md": approvedFile("") };
    expect((await read(files)).posts).toEqual(["2036-03-01T09:00:00Z bluesky approved: yes"]);
  });

  test("a year of another calendar is an error", async () => {
    const row = "2092-11-20,09:00,bluesky,Hello";
    expect((await read(csv("date,time,platforms,text", row))).codes).toEqual(["schedule/format"]);
  });
});

describe("workbooks", () => {
  test.each([
    ["merged", '<mergeCells><mergeCell ref="G2:J2"/></mergeCells>'],
    ["not merged", ""],
  ])("a title above week blocks from column G is not a post: %s", async (_what, after) => {
    const rows = [header, ["Week 18: babies"], ["2036-05-01", "10:00", "bluesky", "Twins"]].map(right);
    const { posts, codes } = await read({ "posts.xlsx": xlsx([{ name: "May", rows, after }]) });
    expect(codes).toEqual([]);
    expect(posts).toEqual(["2036-05-01T10:00:00Z bluesky Twins"]);
  });

  test("an error of a row names a cell of the table, wherever it starts", async () => {
    const rows = [header, ["2036-05-01", "10:00", "bluesky", ""]].map(right);
    const { errors } = await read({ "posts.xlsx": xlsx([{ name: "May", rows }]) });
    expect(errors.map(({ cell }) => cell)).toEqual(["May!G2"]);
  });

  test.each([["Instructions"], ["Read Me"]])(
    "of sheets with unknown columns, the one with dates is the calendar, not %s",
    async (name) => {
      const sheets = [
        { name, rows: [["How to use this file"], ["1. Write a post"], ["2. Ask Tom"]] },
        {
          name: "Календарь",
          rows: [
            ["Когда", "Что"],
            ["2036-05-01", "Раз"],
            ["2036-05-02", "Два"],
          ],
        },
      ];
      const outcome = await read({ "posts.xlsx": xlsx(sheets) });
      expect(outcome.codes).toEqual(["columns/unknown"]);
      expect(outcome.errors[0]?.cell).toContain("Календарь!");
    },
  );
});

test.each(["posts.csv", "posts.yaml", "posts.md", "posts.xlsx"])(
  "a pointer of Git LFS is named: %s",
  async (name) => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 12\n`;
    const { errors } = await read({ [name]: pointer });
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).toContain("git lfs pull");
  },
);

test("each proposed block is YAML that can be pasted", async () => {
  const rows = ["date,time,platform,caption,Client says,Zone", "2036-03-01,09:00,bluesky,One,No: wait,x"];
  const { errors } = await read(csv(...rows));
  expect(errors.map(({ code }) => code)).toEqual(["columns/unknown"]);
  for (const { settings } of errors)
    expect(parse(settings ?? "")).toMatchObject({ columns: expect.anything() });
});
