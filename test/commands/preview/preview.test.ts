/** What `plancast preview` finds out for its page. How the page looks is in test/browser. */
import { expect, test } from "vitest";
import type { PreviewData } from "../../../src/preview/preview-data.ts";
import { makeProject } from "../../support/project.ts";
import { runCommand } from "../../support/run-command.ts";
import { type Scenario, csv, startScenario } from "../../support/scenario.ts";
import { tinyMp4, tinyPng } from "../../support/tiny-media.ts";

const HEADER = ["id", "scheduled_at", "timezone", "platforms", "content"] as const;

async function previewOf(scenario: Scenario, ...args: string[]): Promise<PreviewData> {
  await scenario.run("preview", ...args);
  const html = await scenario.project.read("preview.html");
  const [, json = ""] = /id="data">(.*)<\/script>/.exec(html) ?? [];
  return JSON.parse(json);
}

function postOf(data: PreviewData, id: string) {
  const post = data.posts.find((each) => each.id === id);
  if (post === undefined) throw new Error(`The page has no post ${id}.`);
  return post;
}

test("shows what happened to posts that were due, and why one failed", async () => {
  const rows = ["fine", "broken", "gone", "coming"].map((id, index) => [
    id,
    `2036-03-0${id === "coming" ? 9 : index + 1}T09:00`,
    "",
    "linkedin, twitter",
    `About ${id}`,
  ]);
  const files = { "calendars/a.csv": csv(HEADER, ...rows) };
  const scenario = await startScenario({ files, service: { shape: { results: "list" } } });
  await scenario.apply();
  const { service, clock } = scenario;
  const remote = (text: string) =>
    [...service.posts.values()].find(({ content }) => content.includes(text))?.id ?? "";
  clock.advance(Date.parse("2036-03-05T12:00:00Z") - clock.now());
  service.edit(remote("fine"), {
    status: "published",
    results: [{ platform: "linkedin", url: "https://linkedin.example/1" }, { platform: "twitter" }],
  });
  service.edit(remote("broken"), {
    status: "failed",
    results: [{ platform: "linkedin", error: "No \u{202e}picture." }],
  });
  service.cancelByHand(remote("gone"));

  const data = await previewOf(scenario);
  expect(postOf(data, "fine")).toMatchObject({
    status: "published",
    results: [
      { network: "LinkedIn", state: "published", url: "https://linkedin.example/1" },
      { network: "X", state: "published" },
    ],
  });
  const broken = postOf(data, "broken");
  expect([broken.status, broken.results]).toEqual([
    "failed",
    [{ network: "LinkedIn", state: "failed", reason: String.raw`No \u{202e}picture.` }],
  ]);
  expect([postOf(data, "gone").status, postOf(data, "coming").status]).toEqual(["cancelled", "keep"]);

  // Without the service, nobody knows.
  expect(postOf(await previewOf(scenario, "--offline"), "fine").status).toBe("past");
});

test("says the time of a post in the zone of its author, if the row names one", async () => {
  const rows = [
    ["london", "2036-03-02 09:00", "Europe/London", "linkedin", "London"],
    ["paris", "2036-03-02 09:00", "Europe/Paris", "linkedin", "Paris"],
    ["project", "2036-03-02 09:00", "", "linkedin", "Project"],
  ];
  const scenario = await startScenario({
    config: { timezone: "Europe/Paris" },
    files: { "calendars/a.csv": csv(HEADER, ...rows) },
  });
  const data = await previewOf(scenario, "--offline");
  expect(postOf(data, "london")).toMatchObject({
    clock: "10:00",
    at: "2036-03-02T09:00:00Z",
    author: { zone: "Europe/London", day: "2036-03-02", clock: "09:00" },
  });
  expect([postOf(data, "paris").author, postOf(data, "project").author]).toEqual([undefined, undefined]);
});

test("says what is wrong if no row can be shown", async () => {
  const scenario = await startScenario({ files: {} });
  const { code, stderr } = await scenario.run("preview", "--offline", "2036-04");
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining("2036-04 is not one of the project's calendars"),
  ]);
});

test("shows the cover of a video where its networks have covers, and refuses what cannot be a cover", async () => {
  const header = ["id", "scheduled_at", "platforms", "content", "media", "all.cover"];
  const when = "2036-03-01T09:00";
  const files = {
    "calendars/a.csv": csv(
      header,
      ["reel", when, "instagram, linkedin", "Reel", "a.mp4", "a.png"],
      ["plain", when, "twitter", "Plain", "a.mp4", ""],
      ["lost", when, "youtube", "Lost", "a.mp4", "nowhere.png"],
      ["still", when, "pinterest", "Still", "a.png", "a.png"],
      ["other", when, "threads", "Other", "a.mp4", "a.png"],
      ["outside", when, "instagram", "Outside", "a.mp4", "../../../etc/passwd"],
      ["moving", when, "tiktok", "Moving", "a.mp4", "a.mp4"],
    ),
    "calendars/a.mp4": tinyMp4(),
    "calendars/a.png": tinyPng(),
  };
  const scenario = await startScenario({ files });
  const before = await scenario.plan();
  const data = await previewOf(scenario);
  const coverOf = (id: string) => data.media[postOf(data, id).media[0] ?? -1]?.cover;
  expect(coverOf("reel")).toMatch(/^data:image\/png;base64,/);
  for (const id of ["plain", "lost", "still", "other", "outside", "moving"])
    expect(coverOf(id)).toBeUndefined();
  const found = before.problems.filter(({ code }) => /^(?:media|options|disk)\/(?!required)/.test(code));
  expect(found.map(({ line, code }) => [line, code])).toEqual([
    [4, "media/missing"],
    [5, "media/cover"],
    [6, "options/unsupported"],
    [7, "disk/outside"],
    [8, "media/cover"],
  ]);
});

test.each([
  ["preview", "--all", "--offline"],
  ["preview", "--all", "--for-client", "--only", "date=2036-03"],
])(
  "names of folders give no command to a CI system and no escape to a terminal: %s %s %s",
  async (...args) => {
    const calendar = csv(HEADER, ["a", "2036-03-01 09:00", "UTC", "linkedin", "Hi"]);
    const folders = ["x\n::set-env name=a::b", "y\n##vso[task.setvariable variable=a]b", "z\u{1b}[31m"];
    const files = folders.flatMap((folder) => [
      [`${folder}/plancast.yaml`, "timezone: UTC\n"] as const,
      [`${folder}/calendars/a.csv`, calendar] as const,
    ]);
    const project = await makeProject({ files: Object.fromEntries(files) });
    const env = { CI: "true", GITHUB_ACTIONS: "true", TF_BUILD: "True" };
    const { stdout, stderr } = await runCommand(args, { cwd: project.root, env });
    expect(stdout).toContain("html");
    expect(stdout + stderr).not.toMatch(/^\s*(?:::|##)/m);
    expect(stdout + stderr).not.toContain("\u{1b}");
  },
);
