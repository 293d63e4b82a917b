/** What reviewers see of a pull request: links and pictures in the comment, and the preview. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import {
  CALENDAR,
  calendarOf,
  launch,
  row,
  startWorld,
  strangeCommands,
} from "../support/github/action-world.ts";
import { commandsIn } from "../support/github/log-commands.ts";
import type { JobOptions } from "../support/github/runner.ts";
import { csv } from "../support/scenario.ts";
import { tinyPng } from "../support/tiny-media.ts";

const SITE = "https://acme.github.example/social/";
const SOURCE = { branch: "gh-pages", path: "/" };
const ARTIFACT = /^https:\/\/github\.example\/acme\/social\/actions\/runs\/4711\/artifacts\/\d+$/;

describe("the comment", () => {
  test("links rows to their lines in the newest commit, and shows its pictures", async () => {
    const { pullRequest, github, repository } = await startWorld([launch]);
    const { project } = repository;
    await project.write("calendars/media/new (1).png", tinyPng());
    await project.write(
      CALENDAR,
      csv(
        ["id", "scheduled_at", "timezone", "platforms", "content", "media"],
        ["one", "2036-03-01 09:00", "Asia/Tokyo", "linkedin", "First.", "media/new (1).png"],
        ["two", "2036-03-02 09:00", "", "linkedin", "Second.", "media/later.png"],
      ),
    );
    repository.push("pictures");
    // Only in the checkout, not in the commit.
    await project.write("calendars/media/later.png", tinyPng());
    await pullRequest();
    const files = `https://github.example/acme/social`;
    const head = await repository.head();
    const body = github.comments[0]?.body ?? "";
    expect(body).toContain(`](${files}/blob/${head}/calendars/march.csv#L2)`);
    expect(body.match(/<img [^>]*>/g)).toEqual([
      `<img height="64" alt="new  1 .png" src="${files}/raw/${head}/calendars/media/new%20%281%29.png">`,
    ]);
    expect(body).toContain("Sat&nbsp;1<br>09:00<br><small>Tokyo<br>(01:00)</small>");
    expect(body).toContain("later.png");
  });

  test("links each error to its row, below the link to the preview", async () => {
    const { pullRequest, github, repository } = await startWorld([launch, row("x").with(1, "someday")]);
    const job = await pullRequest();
    const [, head, , preview, , error] = github.comments[0]?.body.split("\n") ?? [];
    expect(head).toBe("**No plan: 1 error in 1 file**");
    expect(preview).toContain(`](${job.outputs["preview-url"]})`);
    const link = `https://github.example/acme/social/blob/${await repository.head()}/${CALENDAR}#L3`;
    expect(error).toMatch(/^- 🛑 \*\*error\*\* \[calendars\/<wbr>march\.csv/);
    expect(error).toContain(`](${link}): &#34;someday&#34; is not a date or time`);
  });

  test("of a project in a folder links to files in that folder", async () => {
    const { pullRequest, github, repository } = await startWorld([launch]);
    await repository.project.write("brands/a b/plancast.yaml", "timezone: Europe/Paris\n");
    await repository.project.write(`brands/a b/${CALENDAR}`, calendarOf(launch));
    await pullRequest({ inputs: { "working-directory": "brands/a b" } });
    expect(github.comments[0]?.body).toContain("/brands/a%20b/calendars/march.csv#L2)");
  });
});

type Uses = NonNullable<JobOptions["uses"]>;

/** Keeps the preview's page as text. */
function keepPages(): { readonly pages: string[]; readonly uses: Uses } {
  const pages: string[] = [];
  const uses: Uses = async (_name, { path = "" }) => {
    if (basename(path).endsWith(".html")) pages.push(await readFile(path, "utf8"));
  };
  return { pages, uses };
}

describe("the preview", () => {
  test("is a page with the posts and the planned changes, and asks the service nothing more", async () => {
    const { pullRequest, service } = await startWorld([launch]);
    const { pages, uses } = keepPages();
    await pullRequest({ inputs: { command: "plan" } });
    const requests = service.requests.length;
    const job = await pullRequest({ uses });
    expect(service.requests.length).toBe(2 * requests);
    expect(pages).toHaveLength(1);
    expect(pages[0]).toMatch(/^<!doctype html>[\s\S]*"status":"create"[\s\S]*We are live\./);
    expect(basename(job.outputs["preview-file"] ?? "")).toBe("plancast-preview.html");
  });

  test("of a fork's pull request shows the calendars only", async () => {
    const { pullRequest, github, service } = await startWorld([launch]);
    const { pages, uses } = keepPages();
    await pullRequest({ fork: true, uses });
    expect(pages[0]).toContain("Made without the service.");
    expect(pages[0]).toContain("We are live.");
    expect([github.requests, service.requests.length]).toEqual([[], 0]);
  });

  test("if its artifact cannot be saved, the plan and the comment stay as they are", async () => {
    const { pullRequest, github } = await startWorld([launch]);
    const job = await pullRequest({
      uses: async (_name, { path = "" }) => {
        if (path.endsWith(".html")) throw new Error("the storage is full");
      },
    });
    expect([job.failed, job.outputs["result"], job.outputs["preview-url"]]).toEqual([false, "changes", ""]);
    expect(github.comments[0]?.body).toContain("### Plan: ➕ 1 to create\n\nApply will send");
  });

  test("is not made for an apply or a check", async () => {
    const { merge, github } = await startWorld([launch]);
    for (const command of ["validate", "apply"]) {
      const job = await merge({ inputs: { command, "reviewed-plan": "off" } });
      expect([job.failed, job.step(/Show/).outcome]).toEqual([false, "skipped"]);
    }
    expect(github.artifacts.filter(({ name }) => name.endsWith(".html"))).toEqual([]);
  });
});

describe("on GitHub Pages", () => {
  const inputs = { pages: "true" };

  test("each preview has its own address, and pages of closed pull requests disappear", async () => {
    const { pullRequest, github, repository } = await startWorld([launch]);
    const { site } = github;
    site.settings = { html_url: SITE, source: SOURCE };
    github.openPulls.push(3, 12);
    for (const path of ["plancast-2/index.html", "plancast-3/index.html", "other-2/index.html", "CNAME"])
      site.add(path, path);
    const job = await pullRequest({ inputs });
    expect(job.failed).toBe(false);
    expect(job.outputs["preview-url"]).toBe(`${SITE}plancast-12/`);
    expect(github.comments[0]?.body).toContain(`](${SITE}plancast-12/)**. Ready in about a minute.`);
    const files = [
      "plancast-3/index.html",
      "other-2/index.html",
      "CNAME",
      "plancast-12/index.html",
      ".nojekyll",
    ];
    expect(Object.keys(site.files())).toEqual(files);
    expect(site.files()["plancast-12/index.html"]).toContain("We are live.");
    expect([site.log()[0], site.builds]).toEqual(["Preview of pull request 12", 1]);
    await repository.project.write(CALENDAR, calendarOf(launch.with(3, "Another text.")));
    repository.push("edit");
    await pullRequest({ inputs });
    expect(Object.keys(site.files())).toEqual(files);
    expect(site.files()["plancast-12/index.html"]).toContain("Another text.");
  });

  test("another job that pushes first loses nothing", async () => {
    const { pullRequest, github } = await startWorld([launch]);
    const { site } = github;
    site.settings = { html_url: SITE, source: SOURCE };
    github.openPulls.push(12, 13);
    site.beforeMove = () => {
      site.beforeMove = () => undefined;
      site.add("plancast-13/index.html", "theirs");
    };
    await pullRequest({ inputs });
    expect(Object.keys(site.files())).toEqual([
      "plancast-13/index.html",
      "plancast-12/index.html",
      ".nojekyll",
    ]);
    expect(site.log().slice(0, 2)).toEqual(["Preview of pull request 12", "Add plancast-13/index.html"]);
  });

  test("the page of a private repository is not published where everybody can read it", async () => {
    const { pullRequest, github, repository } = await startWorld([launch]);
    const { site } = github;
    site.settings = { html_url: SITE, public: true, source: SOURCE };
    const refused = await pullRequest({ inputs, isPrivate: true });
    expect(refused.failed).toBe(false);
    expect(commandsIn(refused.step(/Show/).log)[0]?.message).toContain("private, but everybody can read");
    expect(refused.outputs["preview-url"]).toMatch(ARTIFACT);
    expect(site.files()).toEqual({});
    const allowed = await pullRequest({ inputs: { pages: "public" }, isPrivate: true });
    const address = `${SITE}plancast-12-${await repository.head()}/`;
    expect(allowed.outputs["preview-url"]).toBe(address);
    site.settings = { html_url: SITE, public: false, source: SOURCE };
    expect((await pullRequest({ inputs, isPrivate: true })).outputs["preview-url"]).toBe(address);
  });

  test.each([
    ["there is no site", undefined, "pages: write"],
    ["the site shows another branch", { branch: "main", path: "/" }, "Settings, Pages"],
    ["the site shows another folder", { branch: "gh-pages", path: "/docs" }, "Settings, Pages"],
  ])("if %s, a warning says what to do, and the artifact is linked", async (_name, source, said) => {
    const { pullRequest, github } = await startWorld([launch]);
    github.site.settings = source === undefined ? undefined : { html_url: SITE, source };
    const job = await pullRequest({ inputs });
    const [warning] = commandsIn(job.step(/Show/).log);
    expect([job.failed, warning?.command, warning?.properties["title"]]).toEqual([
      false,
      "warning",
      "ci/comment",
    ]);
    expect(warning?.message).toContain(said);
    expect(github.comments[0]?.body).toContain(job.outputs["preview-url"]);
    expect(job.outputs["preview-url"]).toMatch(ARTIFACT);
    expect([github.site.log(), github.site.builds, strangeCommands(job)]).toEqual([["Previews"], 0, []]);
  });

  test("nothing is written for a fork or Dependabot, or without the input", async () => {
    const { pullRequest, github } = await startWorld([launch]);
    github.site.settings = { html_url: SITE, source: SOURCE };
    await pullRequest({ fork: true, inputs });
    await pullRequest({ actor: "dependabot[bot]", inputs: { ...inputs, "api-key": "" } });
    expect(github.requests).toEqual([]);
    await pullRequest();
    expect([github.site.log(), github.requests.filter((line) => /pages|git\//.test(line))]).toEqual([
      ["Previews"],
      [],
    ]);
  });
});
