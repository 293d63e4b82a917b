/** The Action for several projects in one job. More tests are in action-projects.long.test.ts. */
import { describe, expect, test } from "vitest";
import { strangeCommands } from "../support/github/action-world.ts";
import {
  asked,
  calendarPath,
  clientCalendar,
  namesIn,
  newestFiles,
  scheduled,
  startAgency,
} from "../support/github/agency-world.ts";
import { commandsIn } from "../support/github/log-commands.ts";

test("the lockfiles of all clients are in one commit, even those of clients whose apply failed halfway", async () => {
  const world = await startAgency(["acme", "beta", "cora"]);
  await world.open(12, {
    [calendarPath("acme")]: clientCalendar("a"),
    [calendarPath("beta")]: clientCalendar("b", "c"),
    [calendarPath("cora")]: clientCalendar("d"),
  });
  await world.plan(12);
  world.services
    .get("beta")
    ?.faults.at(2, { kind: "refused", code: "validation_error" }, { method: "POST", path: "/v1/posts" });
  const merged = await world.merge(12);
  expect(merged.outputs["lockfile"]).toBe("committed");
  expect(newestFiles(world)).toEqual(
    ["acme", "beta", "cora"].map((client) => `clients/${client}/plancast.lock.json`),
  );
  expect(world.repository.log()[0]).toBe("Update the lockfiles of 3 projects");
});

describe("a pull request", () => {
  test("from a fork is checked without keys, and asks no service", async () => {
    const world = await startAgency(["acme", "beta"]);
    await world.open(12, { [calendarPath("acme")]: clientCalendar("a") });
    const job = await world.plan(12, { isFork: true });
    expect([job.failed, job.outputs["result"], namesIn(job)]).toEqual([false, "valid", ["clients/acme"]]);
    expect([asked(world), world.github.requests]).toEqual([[], []]);
  });

  test("that changes how git writes all files runs all projects", async () => {
    const world = await startAgency(["acme", "beta"]);
    await world.open(12, { ".gitattributes": "* text eol=lf\n" });
    const job = await world.plan(12);
    expect(namesIn(job)).toEqual(["clients/acme", "clients/beta"]);
    expect(job.step(/Run/).summary).toContain("**.gitattributes** affects each of them.");
  });

  test("says which key is missing for which project, and plans the others", async () => {
    const world = await startAgency(["acme", "beta"]);
    await world.open(12, {
      [calendarPath("acme")]: clientCalendar("a"),
      [calendarPath("beta")]: clientCalendar("b"),
    });
    const job = await world.plan(12, { env: { ACME_KEY: "" } });
    expect([job.failed, job.outputs["result"], job.outputs["create"]]).toEqual([true, "failed", "1"]);
    expect(commandsIn(job.step(/Run/).log)).toMatchObject([
      {
        command: "error",
        properties: { title: "service/no-key" },
        message: expect.stringMatching(
          /^clients\/acme: ACME_KEY \(service.key_env\) is empty\..*ACME_KEY: \$\{\{ secrets\.ACME_READ_KEY \}\} to plan, and ACME_KEY: \$\{\{ secrets\.ACME_KEY \}\} to apply/,
        ),
      },
    ]);
    const [comment] = world.github.comments;
    expect(comment?.body).toContain("| clients/acme | 🛑 failed |");
    expect(comment?.body).toContain("### Plan: ➕ 1 to create");
  });

  test("cannot use a key for another address, or for another client", async () => {
    const world = await startAgency(["acme", "beta"]);
    const [acme, beta] = ["acme", "beta"].map((client) => world.services.get(client));
    await world.open(12, {
      "clients/acme/plancast.yaml": `service: { url: "${acme?.url}", key_env: BETA_KEY }\n`,
      "clients/beta/plancast.yaml": `service: { url: "${beta?.url}", key_env: ACME_KEY }\n`,
    });
    const job = await world.plan(12);
    expect(job.failed).toBe(true);
    expect(commandsIn(job.step(/Run/).log).map(({ properties }) => properties["title"])).toEqual([
      "service/url-not-confirmed",
      "service/url-not-confirmed",
    ]);
    expect(asked(world)).toEqual([]);
  });
});

test("names of projects are only text in the log, the comment and the summary", async () => {
  const names = ["::error::x", "##[error]y", "<img src=x>", "a|b @team #1 `c`"];
  const world = await startAgency(names);
  await world.open(12, Object.fromEntries(names.map((name) => [calendarPath(name), clientCalendar("a")])));
  const job = await world.plan(12);
  expect([job.failed, strangeCommands(job)]).toEqual([false, []]);
  expect(job.step(/Run/).log).not.toMatch(/^\s*::error::x|##\[/m);
  const body = world.github.comments[0]?.body ?? "";
  expect(body).not.toMatch(/<img|@team|[^&]#1|`c`/);
  expect(body.split("\n").filter((line) => line.startsWith("## "))).toHaveLength(names.length + 1);
  expect((await world.merge(12)).outputs["lockfile"]).toBe("committed");
  expect(Object.values(scheduled(world))).toEqual([1, 1, 1, 1]);
});
