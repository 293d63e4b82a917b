import { describe, expect, test } from "vitest";
import { fileLinks } from "../../../src/github/pull-request-files.ts";
import type { Change, Plan } from "../../../src/model/plan.ts";
import type { ResolvedPost } from "../../../src/model/post.ts";
import { planMarkdown } from "../../../src/report/plan/plan-markdown.ts";
import { planView } from "../../../src/report/plan/plan-view.ts";
import { cutMarkdown } from "../../../src/report/text/markdown.ts";
import { cancel, create, media, plan, post, replace, weekOfPosts } from "../sample-plan.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const GITHUB = "https://github.example/acme/social";
const JOB = {
  serverUrl: "https://github.example",
  repository: "acme/social",
  sha: COMMIT,
  pullRequest: undefined,
};

type Links = ReturnType<typeof fileLinks>;

const markdown = (of: Plan, links?: Links): string =>
  planMarkdown(planView(of, { timezone: "Europe/Paris", kept: false, reads: 0, expectedMs: 0 }), { links });

const cut = (of: Plan, maxLength: number): string => cutMarkdown(markdown(of), maxLength, "the run has them");

/** The post's cell in the table of a plan with only this change. */
const cell = (of: Change, links?: Links): string =>
  markdown(plan([of]), links)
    .split("\n")
    .at(-2)
    ?.split(" | ")
    .at(-1)
    ?.slice(0, -2) ?? "";

const HEAD = "<b>LinkedIn, X</b> <small>launch · calendars/<wbr>march.csv:4</small><br>";

const many = (count: number): Plan =>
  plan(
    Array.from({ length: count }, (_, index) =>
      create(post({ key: `p${index}`, scheduledAt: `2027-0${1 + (index % 5)}-01T08:00:00Z` })),
    ),
  );

test("no word of a post makes the table too wide, and a long changed word shows its beginning", () => {
  const stacked = cell(create(post({ content: `e${"\u0301".repeat(40)}` })));
  expect(stacked).toContain("&#92;u&#123;301&#125;<wbr>&#92;u&#123;301&#125;");
  const changed = cell(replace(post({ content: "b".repeat(300) }), { content: "a".repeat(300) }));
  expect(changed.replaceAll("<wbr>", "")).toMatch(
    /<summary><del>a{120} …<\/del> <b>b{120} …<\/b><\/summary>/,
  );
});

test("numbers, guards, then one table with the months in it", () => {
  const shown = markdown(
    plan(
      [
        create(post({ content: "Launch | day\n#1 @you" })),
        replace(post({ key: "row:1", content: "Open until five", scheduledAt: "2027-04-02T08:00:00Z" }), {
          content: "Open until four",
          platforms: ["linkedin"],
        }),
        cancel("old", "2027-04-02T09:00:00Z"),
      ],
      { guards: [{ code: "guard/too-many-cancels", cancels: 1, limit: 0, limitFrom: "settings" }] },
    ),
  );
  expect(shown).toMatchInlineSnapshot(`
    "### Plan: ➕ 1 to create, ✏️ 1 to replace, ❌ 1 to cancel

    Apply will send 4 requests.
    Times are in Europe/Paris.

    > [!WARNING]
    > **Apply refuses this plan, unless somebody allows it.** If you merge a pull request with this plan, you allow it.
    > - guard/too-many-cancels: 1 post would be cancelled, but safety.max&#95;cancels allows 0.
    >
    > Did a filter or a deletion remove rows by mistake? Restore them. If you want to cancel these posts, run \`plancast apply --allow-cancels 1\`, or review a saved plan: \`plancast plan --out FILE\`, then \`plancast apply --plan FILE\`.

    | | When | Post |
    | --- | --- | --- |
    | | | **March 2027** |
    | ➕ | Mon&nbsp;1<br>09:00 | <b>LinkedIn, X</b> <small>launch · calendars/<wbr>march.csv:4</small><br><details><summary>Launch &#124; day</summary>Launch &#124; day<br>#<!-- -->1 @&#8203;you</details> |
    | | | **April 2027** |
    | ✏️ | Fri&nbsp;2<br>10:00 | <b>LinkedIn, X</b> <small>calendars/<wbr>march.csv:4</small><br>Open until <del>four</del> <b>five</b><br>networks: <del>LinkedIn</del> → <b>LinkedIn, X</b> |
    | ❌ | Fri&nbsp;2<br>11:00 | <small>old · calendars/march.csv</small><br>The row is gone. |
    "
  `);
});

test("a plan without changes is short", () => {
  expect(markdown(plan([], { summary: { ...plan([]).summary, keep: 2 } }))).toBe(
    "### Plan: nothing to do\n\n2 unchanged.\n",
  );
});

test("pending posts and adopted ones have their own signs", () => {
  const shown = markdown(weekOfPosts());
  expect(shown).toMatch(
    /^### Plan: ➕ 5 to create, ✏️ 3 to replace, ❌ 2 to cancel, ✔️ 1 to adopt, ❓ 1 missing\n\n⏳ 1 pending, /,
  );
  const signs = (shown.match(/^\| [^|-]+ \| \w/gmu) ?? []).map((line) => line.split(" ")[1]);
  expect(signs.join("")).toBe("➕✏️➕❌✏️✏️➕➕❓✔️⏳❌➕");
});

describe("a text", () => {
  test.each([
    ["of one line is there as it is", "We are live.", "We are live."],
    ["that ends with blank lines is one line", "We are live.", "We are live."],
    [
      "of several lines unfolds below its first",
      "\nOne.\n\nTwo & three.",
      "<details><summary>One.</summary><br>One.<br><br>Two &#38; three.</details>",
    ],
    ["without any is empty", "", ""],
  ])("%s", (_name, content, shown) => {
    expect(cell(create(post({ content })))).toBe(shown === "" ? HEAD.slice(0, -4) : HEAD + shown);
  });

  test("that is long can be unfolded, unless it is extremely long", () => {
    const long = cell(create(post({ content: "word ".repeat(200).trim() })));
    expect(long).toMatch(/<details><summary>(?:word )+…<\/summary>(?:word ?){200}<\/details>$/);
    const endless = cell(create(post({ content: "word ".repeat(20_000) })));
    expect(endless).toMatch(/<br>(?:word )+…$/);
    expect(endless.length).toBeLessThan(1_000);
  });

  test("with a long word has places for line breaks", () => {
    expect(cell(create(post({ content: `a${"b".repeat(44)}` })))).toContain(
      `a${"b".repeat(19)}<wbr>${"b".repeat(20)}<wbr>${"b".repeat(5)}`,
    );
    expect(
      cell(create(post({ content: "see https://example.org/a/spring-fair?utm_source=social" }))),
    ).toContain("https:<!-- -->//example.org/<wbr>a/spring-fair?utm&#95;<wbr>source=social");
    expect(cell(create(post({ content: "日本".repeat(30) })))).not.toContain("<wbr>日");
  });
});

/** The changed text in the post's cell. */
const changed = (before: string, after: string): string =>
  cell(replace(post({ content: after }), { content: before })).slice(HEAD.length);

const opening = (hour: string): string => `First line.\n${"Some words. ".repeat(30)}\nOpen until ${hour}.`;

const sameWords = (word: string): string =>
  Array.from({ length: 300 }, (_, at) => `${word}${at} same`).join(" ");

describe("a changed text", () => {
  test.each([
    ["four words here", "five words here", "<del>four</del> <b>five</b> words here"],
    ["one two three", "one three", "one <del>two </del>three"],
    ["one three four", "one two three four", "one <b>two </b>three four"],
    [
      "ten\u{a0}euros, one hour",
      "ten euros, one hour",
      "ten<del>&#92;u&#123;a0&#125;</del> <b>␣</b>euros, one hour",
    ],
    ["by @ann and others", "by @bob and others", "by @&#8203;<del>ann</del> <b>bob</b> and others"],
  ])("from %j to %j marks old and new words", (before, after, shown) => {
    expect(changed(before, after)).toBe(shown);
  });

  test("shows the words around a change far below, and the whole text unfolded", () => {
    const shown = changed(opening("four"), opening("five"));
    expect(shown).toMatch(
      /^<details><summary>… .*Open until <del>four<\/del> <b>five<\/b>\.<\/summary>First line\.<br>/,
    );
    expect(shown).toMatch(/<br>Open until <del>four<\/del> <b>five<\/b>\.<\/details>$/);
  });

  test("with changes everywhere is shown as a new one", () => {
    expect(changed(sameWords("old"), sameWords("new"))).toMatch(
      /<\/details>The text has changed in many places\.$/,
    );
  });
});

test("a row with another zone has its own time, its city and the project's time", () => {
  const at = { scheduledAt: "2027-02-28T22:30:00Z" };
  const shown = markdown(
    plan([
      create(post({ key: "a", ...at, timezone: "Asia/Tokyo" })),
      create(post({ key: "b", ...at, timezone: "America/New_York" })),
      create(post({ key: "c", ...at, timezone: "Europe/Berlin" })),
    ]),
  );
  expect(shown).toContain(
    "\nTimes are in Europe/Paris. If a row has another time zone, its own time is first.\n",
  );
  expect(shown).toContain(
    "| **March 2027** |\n| ➕ | Mon&nbsp;1<br>07:30<br><small>Tokyo<br>(Sun&nbsp;28&nbsp;23:30)</small> |",
  );
  expect(shown).toContain("| ➕ | Sun&nbsp;28<br>17:30<br><small>New York<br>(23:30)</small> |");
  expect(shown).toContain("| ➕ | Sun&nbsp;28<br>23:30 |");
});

const linksTo = (folder: string, ...tracked: string[]): Links => fileLinks(JOB, folder, new Set(tracked));

const from = (file: string, more: object = {}): Partial<ResolvedPost> => ({
  source: { file, line: 12 },
  at: () => ({ file, line: 12, ...more }),
});

describe("on GitHub", () => {
  test.each([
    ["calendars/march.csv", "", "calendars/march.csv#L12"],
    ["a b/c#1 (x)?.yaml", "brands/spring", "brands/spring/a%20b/c%231%20%28x%29%3F.yaml#L12"],
    ['@me/_x_*[`|"<é.csv', "", "%40me/%5Fx%5F%2A%5B%60%7C%22%3C%C3%A9.csv#L12"],
  ])("a row of %s in the folder %j links to its line", (file, folder, path) => {
    const shown = cell(create(post(from(file))), linksTo(folder));
    expect(/\]\((\S+)\)/.exec(shown)?.[1]).toBe(`${GITHUB}/blob/${COMMIT}/${path}`);
  });

  test("a row of a workbook links to the file, and names sheet and row", () => {
    const shown = cell(create(post(from("plan.xlsx", { cell: "My plan!A12" }))), linksTo(""));
    expect(shown).toContain(`[plan.xlsx, sheet My plan, row 12](${GITHUB}/blob/${COMMIT}/plan.xlsx)`);
  });

  test.each(["../other", "a/../../b"])("a project in %s, outside of the checkout, has no links", (folder) => {
    expect(linksTo(folder)).toBeUndefined();
  });

  test.each(["../a.csv", "/etc/passwd", "a//b.csv", "a\u{d800}.csv", "./a.csv"])("%j has no link", (file) => {
    expect(cell(create(post(from(file))), linksTo(""))).not.toContain("](");
  });

  test("pictures that the commit holds are shown, at most four, without their names as markup", () => {
    const names = ["a.png", 'b "x"><b>@me|.png', "c.png", "d.png", "e.png"];
    const files = names.map((name) => media(`media/${name}`, 1_000));
    const shown = cell(create(post({ media: files })), linksTo("", ...names.map((name) => `media/${name}`)));
    expect(shown.match(/<img [^>]*>/g)).toEqual([
      `<img height="64" alt="a.png" src="${GITHUB}/raw/${COMMIT}/media/a.png">`,
      `<img height="64" alt="b  x   b  me .png" src="${GITHUB}/raw/${COMMIT}/media/b%20%22x%22%3E%3Cb%3E%40me%7C.png">`,
      `<img height="64" alt="c.png" src="${GITHUB}/raw/${COMMIT}/media/c.png">`,
      `<img height="64" alt="d.png" src="${GITHUB}/raw/${COMMIT}/media/d.png">`,
    ]);
    expect(shown).toContain("<small>a.png 1 kB, b ");
  });

  test("videos, untracked files, files from the web and ids are only named", () => {
    const file = { kind: "file", path: "a.png", bytes: 1_000, sha256: "ab", mime: "image/png" } as const;
    const others: ResolvedPost["media"] = [
      { ...file, path: "clip.mp4", mime: "video/mp4" },
      { ...file, path: "new.png" },
      { ...file, url: "https://cdn.example/a.png" },
      { kind: "id", id: "media_1" },
    ];
    const shown = cell(create(post({ media: others })), linksTo("", "clip.mp4", "a.png", "media_1"));
    expect(shown).not.toContain("<img");
    expect(shown).toContain("<br>clip.mp4 1 kB, new.png 1 kB, a.png 1 kB from cdn.example, media&#95;1");
  });

  test("without links there are no pictures", () => {
    expect(cell(create(post({ media: [media("a.png", 1_000)] })))).toBe(`${HEAD}We are live.<br>a.png 1 kB`);
  });
});

test("a long plan has a table to unfold for each month, and the first is open", () => {
  expect(markdown(many(30))).not.toContain("<details");
  const folded = markdown(many(31));
  expect(folded).toContain(
    "<details open><summary><b>January 2027</b>: ➕ 7 to create<br>LinkedIn&nbsp;7, X&nbsp;7</summary>\n\n| | When | Post |\n",
  );
  expect(folded.match(/<details>/g)).toHaveLength(4);
  expect(folded.match(/<\/details>/g)).toHaveLength(5);
});

const rows = (text: string): number => text.match(/^\| ➕/gmu)?.length ?? 0;

const long = (index: number): Change =>
  create(post({ key: `p${index}`, content: `Line ${index}.\n${"More words. ".repeat(80)}` }));

describe("a text that is too long", () => {
  test.each([1_500, 4_000, 10_000])(
    "is cut off after a line at %d, and what is left is counted",
    (maxLength) => {
      const shown = cut(many(120), maxLength);
      expect(shown.length).toBeLessThanOrEqual(maxLength);
      expect(shown.length).toBeGreaterThan(maxLength / 2);
      const [, left] = /\*\*(\d+) more lines\*\* did not fit here; the run has them\.\n$/.exec(shown) ?? [];
      expect(Number(left)).toBe(120 - rows(shown) + 1);
      expect(shown.match(/<details/g)?.length).toBe(shown.match(/<\/details>/g)?.length);
    },
  );

  test("stays as it is if it fits", () => {
    expect(rows(markdown(many(120)))).toBe(120);
    expect(cut(many(120), 65_000)).toBe(markdown(many(120)));
  });

  test("keeps the lines that it shows as they are", () => {
    const of = plan(Array.from({ length: 20 }, (_, index) => long(index)));
    const shown = cut(of, 12_000);
    expect(shown.match(/More words/g)).toHaveLength(rows(shown) * 80);
    expect(shown).toContain(`**${20 - rows(shown)} more lines** did not fit here`);
  });

  test("has no open block of code", () => {
    const text = `a\n  \`\`\`yaml\n${"key: value\n".repeat(100)}  \`\`\`\n`;
    expect(cutMarkdown(text, 500, "x").match(/```/g)).toHaveLength(2);
  });
});

test("a long plan says that texts are shortened", () => {
  expect(markdown(many(31))).toContain("\nLong texts are shortened here.\n");
  expect(markdown(many(30))).not.toContain("shortened");
});

test("notes are below the numbers, above the posts", () => {
  const shown = planMarkdown(
    planView(many(40), { timezone: "Europe/Paris", kept: false, reads: 0, expectedMs: 0 }),
    { notes: "**Warnings**\n" },
  );
  expect(shown).toMatch(/^### Plan[^<]*\n\n\*\*Warnings\*\*\n\n<details/);
});

describe("a plan of thousands of changes", () => {
  const year = plan([
    ...Array.from({ length: 4_000 }, (_, index) =>
      create(
        post({
          key: `p${index}`,
          platforms: index % 4 === 0 ? ["instagram"] : ["linkedin", "twitter"],
          scheduledAt: new Date(Date.UTC(2027, 0, 1, 12) + index * 7_200_000)
            .toISOString()
            .replace(".000", ""),
        }),
      ),
    ),
    ...Array.from({ length: 3 }, (_, index) => cancel(`old-${index}`, `2027-0${index + 4}-01T08:00:00Z`)),
  ]);
  const shown = markdown(year, fileLinks(JOB, "", new Set()));

  test("has the numbers of the first month and its networks", () => {
    expect(shown).toContain(
      "<b>January 2027</b>: ➕ 366 to create<br>LinkedIn&nbsp;274, X&nbsp;274, Instagram&nbsp;92<",
    );
  });

  test("shows every cancellation, and then the first posts", () => {
    expect(shown).toContain("<details open><summary><b>❌ To cancel</b>: 3 posts</summary>");
    expect(shown.match(/^\| ❌ /gm)).toHaveLength(3);
    expect(shown).toContain("| | | **April 2027** |\n| ❌ | Thu&nbsp;1<br>10:00 | ");
    expect(rows(shown)).toBe(4_000);
  });
});
