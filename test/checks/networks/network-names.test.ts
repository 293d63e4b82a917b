import { expect, test } from "vitest";
import { networkTitles, networksIn } from "../../../src/checks/networks/network-names.ts";
import { aliasesOf } from "../../../src/checks/platforms.ts";
import { makeProject } from "../../support/project.ts";
import { runCommand } from "../../support/run-command.ts";

const NONE = aliasesOf({ platforms: {} });

test("people read the names of networks, with the account of a name, and other names as they are", () => {
  const titles = networkTitles(["twitter", "linkedin/founder", "googlebusiness", "account_17", "x/y"]);
  expect(titles).toBe("X, LinkedIn/founder, Google Business, account_17, X/y");
});

test.each([
  ["twitter/x", ["twitter"]],
  ["x (twitter)", ["twitter"]],
  ["x (formerly twitter)", ["twitter"]],
  ["x（旧twitter）", ["twitter"]],
  ["facebook (not twitter)", undefined],
  ["x", ["twitter"]],
  ["ig", ["instagram"]],
  ["insta", ["instagram"]],
  ["fb", ["facebook"]],
  ["gmb", ["googlebusiness"]],
  ["google my business", ["googlebusiness"]],
  ["instagram (reel)", ["instagram"]],
  ["instagram reels", ["instagram"]],
  ["linked in", ["linkedin"]],
  ["linkedin company page", ["linkedin"]],
  ["facebook / instagram", ["facebook", "instagram"]],
  ["fb/ig/linked in", ["facebook", "instagram", "linkedin"]],
  ["facebook & x/twitter", ["facebook", "twitter"]],
  ["facebook + tik tok", ["facebook", "tiktok"]],
  ["facebook and instagram", ["facebook", "instagram"]],
  ["facebook et linkedin", ["facebook", "linkedin"]],
  ["instagram i facebook", ["instagram", "facebook"]],
  ["linkedin twitter", ["linkedin", "twitter"]],
  ["telegram", ["telegram"]],
  ["インスタグラム", ["instagram"]],
  ["google-business", ["google-business"]],
])("reads %j as %j", (text, names) => {
  expect(networksIn(text, NONE)).toEqual(names);
});

test.each([
  "instagran",
  "instagram story",
  "blog",
  "facebook and",
  "and",
  "linkedin personal",
  "constructor",
])("does not know %j", (text) => {
  expect(networksIn(text, NONE)).toBeUndefined();
});

test("an alias has priority, and counts for all names of its network", () => {
  const aliases = aliasesOf({
    platforms: { x: "x", "our page": "linkedin", "google business": "gmb", blog: "wordpress" },
  });
  expect(networksIn("x", aliases)).toEqual(["x"]);
  expect(networksIn("twitter/x", aliases)).toEqual(["x"]);
  expect(networksIn("our page & facebook", aliases)).toEqual(["linkedin", "facebook"]);
  expect(networksIn("blog", aliases)).toEqual(["wordpress"]);
  expect(networksIn("gmb", aliases)).toEqual(["gmb"]);
  const all = aliasesOf({ platforms: { all: "LinkedIn, x ,our page", "our page": "facebook" } });
  expect(networksIn("all", all)).toEqual(["linkedin", "twitter", "facebook"]);
  const two = aliasesOf({ platforms: { linkedin: "linkedin-me", "linkedin page": "linkedin-us" } });
  expect(networksIn("linkedin page", two)).toEqual(["linkedin-us"]);
  expect(networksIn("linked in", two)).toBeUndefined();
});

async function start(platforms: string, settings = "") {
  const project = await makeProject({
    config: `service: { url: embedded }\ntimezone: Europe/Paris\n${settings}`,
    files: { "calendars/a.csv": `scheduled_at,platforms,content\n2036-03-01 09:00,${platforms},Hello\n` },
  });
  return runCommand(["validate", "--format", "json"], { cwd: project.root });
}

test("validate refuses an unknown name, and shows the nearest name and a line that defines the name", async () => {
  const typo = await start("Instagran");
  expect(typo.code).toBe(1);
  expect(typo.stdout).toContain("platform/unknown");
  expect(JSON.parse(typo.stdout).problems[0].message).toContain("`platforms: { instagran: instagram }`");
  const story = JSON.parse((await start("Instagram Story")).stdout).problems[0];
  const line = /`(platforms: .*?)`/.exec(story.message)?.[1] ?? "";
  expect(line).toBe("platforms: { instagram story: skip }");
  expect((await start("Instagram Story", `${line}\n`)).code).toBe(0);
  const all = JSON.parse((await start("All")).stdout).problems[0];
  const several = /`(platforms: .*?)`/.exec(all.message)?.[1] ?? "";
  expect(several).toBe('platforms: { all: "linkedin, instagram" }');
  expect((await start("All", `${several}\n`)).code).toBe(0);
  expect(all.message).not.toContain("all: all");
  const not = JSON.parse((await start("not Facebook")).stdout).problems[0];
  expect(not.message).not.toContain("Did you mean");
  expect(not.message).not.toContain(": facebook");
});

test("an emoji beside a name does not count, and names are also separated by commas of other scripts", async () => {
  for (const platforms of ["📸 Instagram", "انستغرام، فيسبوك", "インスタグラム、X"])
    expect([platforms, (await start(platforms)).code]).toEqual([platforms, 0]);
  expect((await start("📘", "platforms: { 📘: facebook }\n")).code).toBe(0);
});

test("a row names an account by its network, or by its network and name", () => {
  const bluesky = {
    network: "bluesky",
    handle: "a.test",
    password_env: "A",
    server: "https://bsky.social",
    links: "written",
  } as const;
  const one = aliasesOf({ platforms: {}, accounts: { garden: bluesky } });
  expect(networksIn("bluesky/garden", one)).toEqual(["bluesky"]);
  const two = aliasesOf({ platforms: {}, accounts: { garden: bluesky, shop: bluesky } });
  expect(networksIn("bluesky/shop", two)).toEqual(["bluesky/shop"]);
  expect(networksIn("bluesky/shp", two)).toBeUndefined();
  expect(networksIn("instagram/facebook", two)).toEqual(["instagram", "facebook"]);
  expect(networksIn("webhook", two)).toEqual(["webhook"]);
});

test.each(["Newsletter", "Blog", "E-Mail"])(
  "%s is not a network, and validate says what to write",
  async (channel) => {
    const { code, stdout } = await start(channel);
    const { message } = JSON.parse(stdout).problems[0];
    expect(code).toBe(1);
    expect(message).toContain("not a social network");
    expect(message).toContain(`platforms: { ${channel.toLowerCase()}: skip }`);
  },
);
