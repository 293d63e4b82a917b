import { describe, expect, test } from "vitest";
import { z } from "zod";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";
import { csv, startScenario } from "../support/scenario.ts";
import { jpeg, mp4, png } from "../support/sized-media.ts";

const LONG = "a".repeat(300);
const HEADER = ["id", "scheduled_at", "platforms", "content", "media"];

const rulesDocument = z.object({
  rules: z.array(z.object({ code: z.string(), severity: z.string(), default: z.string(), rule: z.string() })),
  networks: z.array(
    z.object({
      title: z.string(),
      sources: z.array(z.string()),
      limits: z.record(z.string(), z.unknown()),
      overridden: z.array(z.string()),
    }),
  ),
});

describe("rules", () => {
  const settings = {
    rules: { "content/too-long": "error", "row/same-minute": "off" },
    limits: { x: { text: 25_000 }, forum: { text: 5 } },
  };

  test("lists rules and limits with the settings of plancast.yaml", async () => {
    const { root } = await makeProject({ config: settings });
    const { code, stdout } = await runCommand(["rules", "--format", "json"], { cwd: root });
    const { rules, networks } = rulesDocument.parse(JSON.parse(stdout));
    expect(code).toBe(0);
    expect(
      rules.filter((rule) => rule.severity !== rule.default).map((rule) => [rule.code, rule.severity]),
    ).toEqual([
      ["content/too-long", "error"],
      ["row/same-minute", "off"],
    ]);
    expect(networks.filter(({ overridden }) => overridden.length > 0)).toMatchObject([
      { title: "X", limits: { text: 25_000, images: 4 }, overridden: ["text"] },
      { title: "forum", limits: { text: 5 }, sources: [] },
    ]);
  });

  test("lists them as text, with the sources", async () => {
    const { root } = await makeProject({ config: settings });
    const { code, stdout } = await runCommand(["rules"], { cwd: root });
    expect(code).toBe(0);
    expect(stdout).toContain("content/too-long error (default: warning)\n");
    expect(stdout).toContain("changed in this project: text: 25000");
    expect(stdout).toContain("  https://docs.x.com/fundamentals/counting-characters\n");
  });

  test("lists the defaults outside of a project", async () => {
    const { root } = await makeProject({ config: false });
    const { code, stdout } = await runCommand(["rules", "--format", "json"], { cwd: root });
    const { rules } = rulesDocument.parse(JSON.parse(stdout));
    const others = rules.filter(({ severity }) => severity !== "warning");
    expect([code, others.map((rule) => rule.code)]).toEqual([
      0,
      [
        "content/markdown-link",
        "row/reference",
        "content/poll",
        "row/unknown-variable",
        "content/placeholder",
        "content/unfinished",
        "content/escaped-breaks",
        "content/mojibake",
        "content/unfilled",
        "content/html",
        "content/guard",
        "media/in-thread",
        "row/not-approved",
        "options/unsupported",
        "options/too-long",
        "options/type",
        "media/cover",
      ],
    ]);
  });

  test("reports a broken plancast.yaml in the JSON document", async () => {
    const { root } = await makeProject({ config: "rules: { nothing/such: off }\n" });
    const { code, stdout } = await runCommand(["rules", "--format", "json"], { cwd: root });
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { problems: [{ code: "project/unknown-key" }] }]);
  });
});

test("validate warns about posts that networks would refuse, with file, line and column of the cell", async () => {
  const rows = [
    ["a", "2036-03-01 09:00", "x, instagram", LONG, ""],
    ["b", "2036-03-02 09:00", "x", "Look", "tall.jpg; cut.jpg"],
    ["c", "2036-03-02 09:00", "x", "Film https://", "film.mp4"],
    ["d", "2020-03-02 09:00", "x", LONG, ""],
  ];
  const whole = jpeg(1000, 3000, { scan: 5000 });
  const { root } = await makeProject({
    config: {
      timezone: "Europe/Paris",
      platforms: { x: "twitter" },
      limits: { twitter: { image_ratio_min: "1:2" } },
    },
    files: {
      "calendars/a.csv": csv(HEADER, ...rows),
      "calendars/tall.jpg": whole,
      "calendars/cut.jpg": whole.slice(0, 2500),
      "calendars/film.mp4": mp4(150),
    },
  });
  const { code, stdout } = await runCommand(["validate", "--format", "json"], { cwd: root });
  const { problems } = z
    .object({
      problems: z.array(
        z.object({
          code: z.string(),
          severity: z.string(),
          file: z.string(),
          line: z.number(),
          column: z.number(),
        }),
      ),
    })
    .parse(JSON.parse(stdout));
  expect(code).toBe(0);
  expect(
    problems.map((each) => `${each.file}:${each.line}:${each.column} ${each.severity} ${each.code}`),
  ).toEqual([
    // A cell that is blank is shown where its row starts.
    "calendars/a.csv:2:1 warning media/required",
    "calendars/a.csv:2:39 warning content/too-long",
    "calendars/a.csv:3:35 warning media/broken",
    "calendars/a.csv:3:35 warning media/aspect-ratio",
    "calendars/a.csv:3:35 warning media/aspect-ratio",
    "calendars/a.csv:4:5 warning row/same-minute",
    "calendars/a.csv:4:28 warning content/link",
    "calendars/a.csv:4:44 warning media/too-long",
  ]);
});

test("a post with a warning is scheduled; an error stops the run before anything is written", async () => {
  const files = {
    "calendars/a.csv": csv(HEADER, ["a", "2036-03-01 09:00", "twitter", LONG, "a.png"]),
    "calendars/a.png": png(400, 300),
  };
  const scenario = await startScenario({ files });
  const { problems, summary } = await scenario.plan();
  expect([problems.map(({ code }) => code), summary["create"]]).toEqual([["content/too-long"], 1]);
  await scenario.project.write(
    "plancast.yaml",
    "timezone: Europe/Paris\nrules: { content/too-long: error }\n",
  );
  const refused = await scenario.run("apply", "--yes");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("content/too-long");
  expect(scenario.service.posts.size).toBe(0);
  await scenario.project.write("plancast.yaml", "timezone: Europe/Paris\n");
  expect((await scenario.apply()).summary).toMatchObject({ created: 1, uploaded: 1 });
});

test("a broken rule in a calendar outside the run does not stop a cancel", async () => {
  const files = {
    "calendars/a.csv": csv(
      HEADER,
      ["a", "2036-03-01 09:00", "twitter", "Short", ""],
      ["b", "2036-03-02 09:00", "twitter", "Gone", ""],
    ),
    "calendars/long.csv": csv(HEADER, ["c", "2036-03-03 09:00", "twitter", "Short as well", ""]),
  };
  const scenario = await startScenario({
    files,
    config: { rules: { "content/too-long": "error" }, safety: { max_cancel_percent: 100 } },
  });
  await scenario.apply();
  await scenario.project.write(
    "calendars/long.csv",
    csv(HEADER, ["c", "2036-03-03 09:00", "twitter", LONG, ""]),
  );
  await scenario.project.write(
    "calendars/a.csv",
    csv(HEADER, ["a", "2036-03-01 09:00", "twitter", "Short", ""]),
  );
  const { summary, problems } = await scenario.plan("calendars/a.csv");
  expect([summary["cancel"], problems]).toEqual([1, []]);
});
