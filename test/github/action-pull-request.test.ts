/** The Action on a pull request: the comment, forks, and trouble with GitHub's API. */
import { describe, expect, test } from "vitest";
import {
  CALENDAR,
  calendarOf,
  draft,
  launch,
  row,
  second,
  startWorld,
  strangeCommands,
} from "../support/github/action-world.ts";
import { commandsIn } from "../support/github/log-commands.ts";

describe("the comment", () => {
  test("is kept up to date on any page; comments of others do not change", async () => {
    const { pullRequest, github, repository } = await startWorld([launch]);
    github.pageSize = 2;
    const forged = { id: 1, body: "<!-- plancast: plancast -->\nmine", user: { login: "mallory" } };
    const other = { id: 2, body: "<!-- plancast: other -->\n", user: { login: "github-actions[bot]" } };
    github.comments.push(forged, other, {
      id: 3,
      body: "> <!-- plancast: plancast -->",
      user: { login: "github-actions[bot]" },
    });
    await pullRequest();
    expect(github.comments).toHaveLength(4);
    await repository.project.write(CALENDAR, calendarOf(launch, second));
    repository.push("more");
    await pullRequest();
    expect(github.comments).toHaveLength(4);
    expect(github.comments[3]?.body).toContain("Plan: ➕ 2 to create");
    expect(github.comments.slice(0, 2)).toEqual([forged, other]);
  });

  test("is not written if nothing changes, but an old comment is updated", async () => {
    const { pullRequest, github, repository } = await startWorld([draft]);
    expect((await pullRequest()).outputs["result"]).toBe("nothing");
    expect(github.comments).toEqual([]);
    await repository.project.write(CALENDAR, calendarOf(launch));
    await pullRequest();
    await repository.project.write(CALENDAR, calendarOf(draft));
    await pullRequest();
    expect(github.comments.map(({ body }) => body.split("\n")[1])).toEqual(["### Plan: nothing to do"]);
  });

  test("cuts a long plan, shows its numbers first, and links to the preview and the run", async () => {
    const rows = Array.from({ length: 1_200 }, (_, index) => [
      `row-${index}`,
      `2036-${String((index % 12) + 1).padStart(2, "0")}-0${(index % 9) + 1}T08:${String(index % 60).padStart(2, "0")}:00Z`,
      "linkedin",
      `Caption ${index} ${"👩‍🚀 & <b> ".repeat(20)}`,
      "",
    ]);
    const { pullRequest, github } = await startWorld(rows);
    const job = await pullRequest();
    const body = github.comments[0]?.body ?? "";
    expect(body.length).toBeLessThanOrEqual(64_000);
    expect(body.length).toBeGreaterThan(50_000);
    expect(body.split("\n")[1]).toBe("### Plan: ➕ 1,200 to create");
    expect(body).toContain("<b>January 2036</b>: ➕ 100 to create<br>LinkedIn&nbsp;100</summary>");
    expect(body).toMatch(/more lines\*\* did not fit here; the preview above shows all of them\.\n/);
    expect(body).toContain("[the run](https://github.example/acme/social/actions/runs/4711) has all of it.");
    expect(Buffer.byteLength(job.step(/Run/).summary)).toBeLessThanOrEqual(1024 * 1024);
  });

  test("is never sent twice if its arrival is unknown", async () => {
    const { pullRequest, github } = await startWorld([launch]);
    github.faults.set("POST /repos/acme/social/issues", { status: 502 });
    await pullRequest();
    expect(github.requests.filter((line) => line.startsWith("POST"))).toHaveLength(1);
  });

  test.each([
    ["no permission", { status: 403 }, "pull-requests: write"],
    [
      "a rate limit that lasts",
      { status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "4102444800" } },
      "rate limit",
    ],
    ["a rate limit without a time", { status: 429 }, "later"],
    ["a redirect", { status: 301, body: "{}" }, "renamed"],
    ["an answer that is not JSON", { status: 200, body: "<html>::set-output name=result::x</html>" }, "JSON"],
  ])("is left out with a warning if GitHub has %s; the job succeeds", async (_name, fault, said) => {
    const { pullRequest, github } = await startWorld([launch]);
    github.faults.set("GET /repos/acme/social/issues", fault);
    const job = await pullRequest();
    expect([job.failed, job.outputs["result"]]).toEqual([false, "changes"]);
    const [warning] = commandsIn(job.step(/Show/).log);
    expect([warning?.command, warning?.properties["title"]]).toEqual(["warning", "ci/comment"]);
    expect(warning?.message).toContain(said);
    expect(strangeCommands(job)).toEqual([]);
  });
});

test("a fork's pull request with an error fails, with an annotation", async () => {
  const { pullRequest } = await startWorld([row("x").with(1, "someday")]);
  const job = await pullRequest({ fork: true });
  expect([job.failed, job.outputs["result"]]).toEqual([true, "invalid"]);
  expect(commandsIn(job.step(/Run/).log)).toMatchObject([
    { command: "error", properties: { file: CALENDAR, line: "2" } },
  ]);
});

test("`comment: false` writes no comment", async () => {
  const { pullRequest, github } = await startWorld([launch]);
  const job = await pullRequest({ inputs: { comment: "false" } });
  expect([job.outputs["result"], github.requests]).toEqual(["changes", []]);
});

test("a pull request of Dependabot is checked without the service, because it gets no secrets", async () => {
  const { pullRequest, github, service } = await startWorld([launch]);
  const job = await pullRequest({ actor: "dependabot[bot]", inputs: { "api-key": "" } });
  expect([job.failed, job.outputs["result"]]).toEqual([false, "valid"]);
  expect(job.step(/Run/).summary).toContain("Dependabot's pull requests get no secrets");
  expect([github.requests, service.requests.length]).toEqual([[], 0]);
});

test("annotations of a project in a folder name its files from the root of the checkout", async () => {
  const { pullRequest, repository } = await startWorld([launch]);
  await repository.project.write("brands/spring/plancast.yaml", "timezone: Europe/Paris\n");
  await repository.project.write(`brands/spring/${CALENDAR}`, calendarOf(row("x").with(1, "someday")));
  const job = await pullRequest({ inputs: { "working-directory": "brands/spring" } });
  expect(commandsIn(job.step(/Run/).log)).toMatchObject([
    { command: "error", properties: { file: `brands/spring/${CALENDAR}`, line: "2" } },
  ]);
});

test("apply refuses to run on a pull request", async () => {
  const { pullRequest, service } = await startWorld([launch]);
  const job = await pullRequest({ inputs: { command: "apply" } });
  expect([job.failed, service.posts.size]).toEqual([true, 0]);
  expect(job.step(/Run/).log).toContain("ci/input");
});

test("the embedded service is refused, because it ends with the job", async () => {
  const { pullRequest } = await startWorld([launch]);
  const job = await pullRequest({ inputs: { "base-url": "embedded", "api-key": "" } });
  expect(job.failed).toBe(true);
  expect(commandsIn(job.step(/Run/).log)).toMatchObject([{ properties: { title: "ci/embedded" } }]);
});

describe("a run that may contain a fork's commits", () => {
  const fork = { full_name: "stranger/social" };
  const ours = { full_name: "Acme/social" };
  const strange = [
    ["issue_comment", { issue: { number: 12, pull_request: { url: "…" } }, comment: { body: "/plan" } }],
    ["issue_comment", {}],
    ["workflow_run", { workflow_run: { event: "pull_request", head_repository: fork } }],
    ["workflow_run", { workflow_run: { event: "push", head_repository: fork } }],
    ["workflow_run", { workflow_run: { event: "pull_request", head_repository: null } }],
    ["workflow_run", { workflow_run: { event: "pull_request_target", head_repository: ours } }],
    ["workflow_run", { workflow_run: { event: "issue_comment", head_repository: ours } }],
    ["workflow_run", { workflow_run: { event: "workflow_run", head_repository: ours } }],
    ["workflow_run", {}],
    ["merge_group", {}],
    ["check_suite", {}],
    ["pull_request_target", { pull_request: { number: 12, head: { sha: "0".repeat(40), repo: fork } } }],
    ["pull_request_target", {}],
    ["pull_request_review_comment", {}],
  ] as const;

  test.each(strange)("checks the calendars, and asks no service: %s %j", async (eventName, event) => {
    const { merge, service } = await startWorld([launch]);
    const job = await merge({ eventName, event, inputs: { command: "plan" } });
    expect([job.failed, job.outputs["result"]]).toEqual([false, "valid"]);
    expect(service.requests).toEqual([]);
  });

  test.each(strange)(
    "applies nothing, and does not push the lockfile of the checkout: %s %j",
    async (eventName, event) => {
      const { merge, service, repository } = await startWorld([launch]);
      await repository.project.write(
        "plancast.lock.json",
        JSON.stringify({ version: 1, origin: "https://evil.example" }),
      );
      const job = await merge({ eventName, event, inputs: { "reviewed-plan": "off" } });
      expect([job.failed, job.step(/lockfile/).outputs["lockfile"]]).toEqual([true, "unchanged"]);
      expect(service.requests).toEqual([]);
    },
  );

  test("a comment on an issue, and a workflow after a push to the branch, run on the branch", async () => {
    for (const [eventName, event] of [
      ["issue_comment", { issue: { number: 3 } }],
      ["workflow_run", { workflow_run: { event: "push", head_repository: ours } }],
    ] as const) {
      const { merge } = await startWorld([launch]);
      const job = await merge({ eventName, event, inputs: { "reviewed-plan": "off" } });
      expect(job.outputs["result"]).toBe("applied");
    }
  });
});

test("the key goes to the address of the inputs, not to one that is only in the checked-out files", async () => {
  const { pullRequest, service } = await startWorld([launch]);
  const job = await pullRequest({ inputs: { "base-url": "" } });
  expect(job.failed).toBe(true);
  const { repository, ...rest } = await startWorld([launch]);
  await repository.project.write(
    "plancast.yaml",
    `service: { url: "${service.url}", key_env: GITHUB_TOKEN }\n`,
  );
  repository.push("another address");
  const env = { GITHUB_TOKEN: "ghs_1", PLANCAST_API_KEY: "sk_of_the_job", PLANCAST_BASE_URL: "" };
  for (const inputs of [{ "base-url": "" }, { "base-url": "", "api-key": "" }]) {
    const refused = await rest.pullRequest({ inputs, env });
    expect(refused.step(/Run/).log).toContain("service/url-not-confirmed");
  }
  expect(service.requests).toEqual([]);
});

test("the input api-key is the project's key, whatever variable it names", async () => {
  const { pullRequest, service, repository } = await startWorld([launch]);
  await repository.project.write("plancast.yaml", "timezone: Europe/Paris\nservice: { key_env: ACME_KEY }\n");
  repository.push("a variable of its own");
  const job = await pullRequest({ env: { ACME_KEY: "sk_other" } });
  expect(job.outputs["result"]).toBe("changes");
  expect(service.requests.length).toBeGreaterThan(0);
});
