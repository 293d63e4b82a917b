/** Which alt text belongs to which picture, in tables and in YAML. */
import { expect, test } from "vitest";
import { validate } from "../../../src/checks/validate.ts";
import { readCsv } from "../../../src/calendars/formats/csv/read-csv.ts";
import { readContents } from "../../../src/calendars/read-calendar.ts";
import { settingsOf } from "../../../src/settings/calendar-settings.ts";
import { config } from "../../support/rows.ts";
import { csv } from "../../support/scenario.ts";

const CONFIG = config({ defaults: { platforms: ["linkedin"] } });

/** The media and alt texts of each post, and the codes of all problems. */
async function read(file: string, text: string, given: Readonly<Record<string, unknown>> = {}) {
  const settings = { ...settingsOf(CONFIG, []), ...given };
  const calendar = { ...(await readContents(file, new TextEncoder().encode(text), settings)), settings };
  const { posts, problems } = validate([calendar], CONFIG);
  return {
    posts: posts.map(({ media, alt }) => [
      media.map((each) => (each.kind === "file" ? each.path : each.kind)),
      alt,
    ]),
    codes: [...calendar.problems, ...problems].map(({ code }) => code),
  };
}

function table(names: readonly string[], ...rows: readonly (readonly string[])[]): string {
  return csv(
    ["date", "time", "content", ...names],
    ...rows.map((cells, index) => [`2036-03-0${index + 1}`, "09:00", "Hi", ...cells]),
  );
}

test.each([
  ["Red", [["a.png"], ["Red"]]],
  ["Red | or blue", [["a.png"], ["Red | or blue"]]],
  [" Red\nand blue ", [["a.png"], ["Red\nand blue"]]],
  ["", [["a.png"], undefined]],
])("the cell %j of one picture is one text", async (alt, post) => {
  expect(await read("a.csv", table(["media", "alt"], ["a.png", alt]))).toEqual({ posts: [post], codes: [] });
});

test.each([
  ["Red | Blue", ["Red", "Blue"]],
  ["Red\nBlue", ["Red", "Blue"]],
  ["Red\nrose | Blue", ["Red\nrose", "Blue"]],
  ["Red | pink || Blue", ["Red | pink", "Blue"]],
  ["| Blue", ["", "Blue"]],
  ["Red |", ["Red"]],
  ["Red, with a bee; in May", ["Red, with a bee; in May"]],
])("the cell %j of two pictures is %j", async (cell, alt) => {
  const { posts, codes } = await read("a.csv", table(["media", "alt"], ["a.png, b.png", cell]));
  expect({ posts, codes }).toEqual({ posts: [[["a.png", "b.png"], alt]], codes: [] });
});

test("numbered alt texts belong to the pictures with their numbers, even if one is blank", async () => {
  const names = ["Image 1", "Image 2", "Image 3", "Alt text 1", "Alt text 2", "Alt text 3"];
  const { posts, codes } = await read(
    "a.csv",
    table(
      names,
      ["a.png", "b.png", "c.png", "A", "", "C"],
      ["", "b.png", "c.png", "", "B", "C"],
      ["a.png, x.png", "b.png", "", "A", "B", ""],
      ["a.png", "", "", "A", "B", ""],
    ),
  );
  expect(posts).toEqual([
    [
      ["a.png", "b.png", "c.png"],
      ["A", "", "C"],
    ],
    [
      ["b.png", "c.png"],
      ["B", "C"],
    ],
    [
      ["a.png", "x.png", "b.png"],
      ["A", "", "B"],
    ],
    [["a.png"], ["A"]],
  ]);
  expect(codes).toEqual(["row/unused-value"]);
});

test("numbered alt texts beside one column of media belong to its files in their order", async () => {
  const { posts, codes } = await read(
    "a.csv",
    table(["media", "Alt text 1", "Alt text 2"], ["a.png, b.png", "", "B"]),
  );
  expect({ posts, codes }).toEqual({
    posts: [
      [
        ["a.png", "b.png"],
        ["", "B"],
      ],
    ],
    codes: [],
  });
});

test("a carousel over several rows keeps the alt text of each row's picture", async () => {
  const rows = ["A", "", "C"].map((alt, index) => ["2036-03-01 09:00", "Hi", `${index}.png`, alt]);
  const { posts, codes } = await read("a.csv", csv(["scheduled_at", "content", "media", "alt"], ...rows), {
    carousel_rows: "join",
  });
  expect({ posts, codes }).toEqual({
    posts: [
      [
        ["0.png", "1.png", "2.png"],
        ["A", "", "C"],
      ],
    ],
    codes: [],
  });
});

test.each([
  ["the first row says it", "one", "", []],
  ["the rows agree", "one", "one", []],
  ["the rows differ", "one", "two", ["row/carousel"]],
  ["only a later row says it", "", "two", ["row/carousel"]],
])("no row of a carousel loses a cell: %s", async (_what, first, later, codes) => {
  for (const field of ["campaign", "first_comment", "tone", "poll_length", "quote"]) {
    const rows = [first, later].map((cell, index) => ["2036-03-01 09:00", "Hi", `${index}.png`, cell]);
    const text = csv(["scheduled_at", "content", "media", field], ...rows);
    const { problems } = readCsv("a.csv", text, { columns: {}, carousel_rows: "join" });
    expect([field, problems.map(({ code }) => code)]).toEqual([field, codes]);
  }
});

test("a network with its own pictures has none of the row's alt texts", async () => {
  const names = ["platforms", "media", "alt", "media:twitter", "alt:twitter"];
  const { posts, codes } = await read(
    "a.csv",
    table(
      names,
      ["linkedin, twitter", "a.png", "A", "b.png", ""],
      ["linkedin, twitter", "a.png", "A", "b.png", "B"],
    ),
  );
  expect(posts).toEqual([
    [["a.png"], ["A"]],
    [["b.png"], undefined],
    [["a.png"], ["A"]],
    [["b.png"], ["B"]],
  ]);
  expect(codes).toEqual([]);
});

const YAML_POST = "- date: 2036-03-01\n  time: 09:00\n  content: Hi\n";

test.each([
  ["media: [{ file: a.png, alt: A }, b.png]", ["A"]],
  ["media: [a.png, { file: b.png, alt: B }]", ["", "B"]],
  ["media: [{ file: a.png }, { file: b.png, alt: }]", undefined],
  ["media: [a.png, b.png]\n  alt: [A, B]", ["A", "B"]],
  ["media: [a.png, b.png]\n  alt: A | B", ["A", "B"]],
  ["images: [a.png, b.png]\n  Alt text: [A, B]", ["A", "B"]],
])("in YAML, %j is %j", async (media, alt) => {
  const { posts, codes } = await read("a.yaml", `${YAML_POST}  ${media}\n`);
  expect({ posts, codes }).toEqual({ posts: [[["a.png", "b.png"], alt]], codes: [] });
});

test("in YAML, a network's own media have their own alt texts", async () => {
  const text = `${YAML_POST}  platforms: [linkedin, twitter]\n  media: [{ file: a.png, alt: A }]\n  variants: { twitter: { media: [{ file: b.png, alt: B }] } }\n`;
  const { posts, codes } = await read("a.yaml", text);
  expect({ posts, codes }).toEqual({
    posts: [
      [["a.png"], ["A"]],
      [["b.png"], ["B"]],
    ],
    codes: [],
  });
});

test.each([
  ["media: [{ path: a.png }]", "calendar/shape"],
  ["media: [{ file: a.png, alt: [A] }]", "calendar/shape"],
  ["media: [{ file: a.png, alt: A }]\n  alt: B", "row/value-twice"],
  ["media: [a.png]\n  alt: [A, B]", "row/alt-count"],
])("in YAML, %j is the problem %s", async (media, code) => {
  expect((await read("a.yaml", `${YAML_POST}  ${media}\n`)).codes).toContain(code);
});
