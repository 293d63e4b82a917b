/** Polls: from a calendar to what Mastodon gets, and where there are none. */
import { expect, test } from "vitest";
import { readTweet } from "../../src/calendars/formats/md/read-post-file.ts";
import { readCsv } from "../../src/calendars/formats/csv/read-csv.ts";
import { readYaml } from "../../src/calendars/formats/yaml/read-yaml.ts";
import { validate } from "../../src/checks/validate.ts";
import { checkPosts } from "../../src/checks/rules/check-posts.ts";
import type { Cell, RawCalendar } from "../../src/model/row.ts";
import type { ResolvedPost } from "../../src/model/post.ts";
import type { Field } from "../../src/model/fields.ts";
import { MASTODON_TOKEN, startMastodon } from "../support/networks/mastodon.ts";
import { account, attempt, networkPost, open, picture } from "../support/networks/open.ts";
import { calendar, config, post, row } from "../support/rows.ts";

const HEAD = "scheduled_at: 2036-03-01T09:00:00Z\nplatforms: mastodon\n";
const MASTODON = { network: "mastodon", server: "https://social.example", token_env: "A" };

function pollsIn({ rows, problems: found }: Pick<RawCalendar, "rows" | "problems">): unknown {
  const { posts, problems } = validate([calendar(rows)], config());
  const all = [...found, ...problems];
  if (all.length > 0) return all.map(({ code, message }) => `${code} ${message}`);
  return posts.map(({ poll, poll_length, poll_multiple }) => [poll, poll_length, poll_multiple]);
}

test.each([
  ["a list", "poll: [Tulips, 'Roses | red']", [["Tulips", "Roses | red"], "1d", undefined]],
  ["a text", "poll: Tulips | Roses", [["Tulips", "Roses"], "1d", undefined]],
  [
    "a mapping",
    "poll: { choices: [Tulips, Roses], length: 3d, multiple: yes }",
    [["Tulips", "Roses"], "3d", "yes"],
  ],
  [
    "keys",
    "poll: [Tulips, Roses]\npoll_length: 12h\npoll_multiple: no",
    [["Tulips", "Roses"], "12h", undefined],
  ],
])("a poll in YAML is %s", (_name, poll, expected) => {
  const yaml = `- ${`${HEAD}content: Which?\n${poll}`.replaceAll("\n", "\n  ")}\n`;
  expect(pollsIn(readYaml("a.yaml", yaml))).toEqual([expected]);
});

test("several columns can hold the choices of a poll, and its type needs them", () => {
  const lines = [
    "date,time,platforms,type,content,Choice A,Choice B,Choice C",
    "2036-03-01,9:00,mastodon,Poll,Which?,Spring,Autumn,",
    "2036-03-02,9:00,mastodon,post,Thanks.,,,",
    "2036-03-03,9:00,mastodon,Poll,Again?,,,",
  ];
  const columns = { "Choice A": "poll", "Choice B": "poll", "Choice C": "poll" };
  const { rows, problems: found } = readCsv("a.csv", lines.join("\n"), { columns });
  expect(found).toEqual([]);
  const { posts, problems } = validate([calendar(rows, {}, config({ timezone: "UTC" }))], config());
  expect(posts.map(({ content, poll }) => [content, poll])).toEqual([
    ["Which?", ["Spring", "Autumn"]],
    ["Thanks.", undefined],
  ]);
  expect(problems).toMatchObject([{ code: "row/type", line: 4 }]);
});

test("a poll is in the front matter of a .tweet file, as other tools write it", () => {
  const tweet = `---\n${HEAD}poll:\n  - Red\n  - Blue\n---\n\nWhat is your favorite color?\n`;
  expect(pollsIn(readTweet("a.tweet", tweet, { columns: {} }))).toEqual([[["Red", "Blue"], "1d", undefined]]);
});

test.each<[string, string, string]>([
  ["a poll of a later text", "---\npoll: [A, B]\n---\nTwo", "calendar/shape A text of `thread` can have"],
  ["a poll as text", "", "row/poll The last lines look like a poll"],
])("%s in a .tweet file is an error", (_name, end, expected) => {
  const body = end === "" ? "Which?\n\n( ) Red\n( ) Blue\n" : `Which?\n\n---\n${end}\n`;
  expect(pollsIn(readTweet("a.tweet", `---\n${HEAD}---\n\n${body}`, { columns: {} }))).toEqual([
    expect.stringContaining(expected),
  ]);
});

test.each<[string, Partial<Record<Field, Cell>>, string]>([
  ["one choice", { poll: "Tulips" }, "row/poll A poll needs two choices or more"],
  ["a choice twice", { poll: "A | B | A" }, 'row/poll The poll has the choice "A" twice'],
  ["a length that is none", { poll: "A | B", poll_length: "soon" }, 'row/poll "soon" is not how long'],
  [
    "an answer that is none",
    { poll: "A | B", poll_multiple: "perhaps" },
    'row/poll "perhaps" is neither yes nor no',
  ],
  ["a length without a poll", { poll_length: "3d" }, "row/poll This belongs to a poll"],
])("%s is an error", (_name, cells, expected) => {
  const rows = [
    row({ content: "Which?", platforms: "mastodon", scheduled_at: "2036-03-01T09:00:00Z", ...cells }),
  ];
  expect(pollsIn({ rows, problems: [] })).toEqual([expect.stringContaining(expected)]);
});

function ruleProblems(settings: object, given: Partial<ResolvedPost>): readonly string[] {
  const platform = String(Reflect.get(settings, "network"));
  return checkPosts({
    posts: [
      post({ platforms: [platform], content: "Which?", poll: ["A", "B"], poll_length: "1d", ...given }),
    ],
    unresolved: [],
    config: config({ accounts: { own: account(settings) } }),
    now: Date.parse("2030-01-01T00:00:00Z"),
  }).map(({ code, severity, message }) => `${severity} ${code} ${message}`);
}

test.each<[string, object, Partial<ResolvedPost>, string[]]>([
  ["a poll", MASTODON, {}, []],
  [
    "on Bluesky",
    { network: "bluesky", handle: "a.test", password_env: "A" },
    {},
    ["error content/poll The post has a poll, and plancast cannot"],
  ],
  ["on Discord", { network: "webhook", url_env: "A", form: "discord" }, {}, ["error content/poll"]],
  [
    "five choices",
    MASTODON,
    { poll: ["A", "B", "C", "D", "E"] },
    ["error content/poll The poll has 5 choices, but Mastodon accepts only 4."],
  ],
  ["a choice of 50 family emoji", MASTODON, { poll: ["👨‍👩‍👧‍👦".repeat(50), "B"] }, []],
  ["a choice of 51 characters", MASTODON, { poll: ["a".repeat(51), "B"] }, ["error content/poll The choice"]],
  ["four minutes", MASTODON, { poll_length: "4m" }, ["error content/poll The poll runs for 4m"]],
  ["31 days", MASTODON, { poll_length: "31d" }, ["error content/poll The poll runs for 31d"]],
])("before apply: %s", (_name, settings, given, expected) => {
  expect(ruleProblems(settings, given)).toEqual(expected.map((start) => expect.stringContaining(start)));
});

test("Mastodon gets the poll with the first text, and its own limits count", async () => {
  const server = await startMastodon();
  const network = open({ network: "mastodon", server: server.origin, token_env: "A" }, MASTODON_TOKEN);
  const poll = { choices: ["Tulips", "Roses"], lengthMs: 3 * 86_400_000, isMultiple: true };
  const published = await network.publish(networkPost({ poll, thread: ["Two"] }), attempt());
  expect(published).toEqual({ state: "published", url: expect.any(String) });
  expect(server.statuses.map(({ fields }) => fields["poll"])).toEqual([
    { options: ["Tulips", "Roses"], expires_in: 259_200, multiple: true },
    undefined,
  ]);
  const wrong = { ...poll, choices: ["a".repeat(51), "B"] };
  expect(await network.publish(networkPost({ key: "b", poll: wrong }), attempt())).toMatchObject({
    state: "failed",
    retry: false,
  });
  // The strict server would have refused a picture, too: nothing was sent for it.
  expect(
    await network.publish(networkPost({ key: "c", poll, media: [picture(1)] }), attempt()),
  ).toMatchObject({ state: "failed" });
  expect(server.statuses).toHaveLength(2);
});
