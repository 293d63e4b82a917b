/** --now: validate and plan behave as at another time. */
import { expect, test } from "vitest";
import { makeProject } from "../../support/project.ts";
import { runCommand } from "../../support/run-command.ts";
import { TestClock } from "../../support/test-clock.ts";
import { csv } from "../../support/scenario.ts";

const LONG = "x".repeat(300);

async function pastProject() {
  return makeProject({
    config: { service: { url: "embedded" }, timezone: "Europe/Paris" },
    files: {
      "calendars/a.csv": csv(
        ["scheduled_at", "platforms", "content"],
        ["2020-03-01 09:00", "linkedin", "Early"],
        ["2020-03-05 09:00", "twitter", LONG],
      ),
    },
  });
}

test("a preview for a past time shows its posts as coming, and says so", async () => {
  const project = await pastProject();
  const { code } = await runCommand(["preview", "--offline", "--now", "2020-02-01 10:00"], {
    cwd: project.root,
  });
  const { posts, notices, today } = JSON.parse(
    /id="data">(.*?)<\/script>/.exec(await project.read("preview.html"))?.[1] ?? "",
  );
  expect([code, today]).toEqual([0, "2020-02-01"]);
  expect(posts.map(({ status }: { status: unknown }) => status)).toEqual(["ready", "ready"]);
  expect(notices[0].text).toMatch(/as if it were 2020-02-01 10:00/);
});

test("a plan for a past time shows what it would create, and says so in its first line", async () => {
  const { root } = await pastProject();
  const summaryOf = async (...args: string[]): Promise<unknown> => {
    const { summary, now } = JSON.parse(
      (await runCommand(["plan", "--format", "json", ...args], { cwd: root, clock: new TestClock() })).stdout,
    );
    return [summary.create, summary.past, now];
  };
  expect(await summaryOf()).toEqual([0, 2, undefined]);
  expect(await summaryOf("--now", "2020-02-01")).toEqual([2, 0, "2020-02-01"]);
  // 08:30 in Paris is half an hour before the first post.
  expect(await summaryOf("--now", "2020-03-01 08:30")).toEqual([2, 0, "2020-03-01 08:30"]);
  expect(await summaryOf("--now", "2020-03-01T08:30:00Z")).toEqual([1, 1, "2020-03-01T08:30:00Z"]);
  for (const format of ["text", "markdown"]) {
    const { stdout } = await runCommand(["plan", "--format", format, "--now", "2020-02-01"], {
      cwd: root,
      clock: new TestClock(),
    });
    expect(stdout.split("\n")[0]).toMatch(/^This plan is for .*apply refuses it/);
  }
});

test("validate checks the posts that are past by then", async () => {
  const { root } = await pastProject();
  const codes = async (...args: string[]): Promise<unknown> => {
    const { stdout } = await runCommand(["validate", "--format", "json", ...args], {
      cwd: root,
      clock: new TestClock(),
    });
    return JSON.parse(stdout).problems.map(({ code }: { code: string }) => code);
  };
  expect(await codes()).toEqual([]);
  expect(await codes("--now", "2020-02-01")).toEqual(["content/too-long"]);
});

test("apply refuses a plan that was made for another time", async () => {
  const { root } = await pastProject();
  await runCommand(["plan", "--now", "2020-02-01", "--out", "plan.json"], {
    cwd: root,
    clock: new TestClock(),
  });
  const { code, stderr } = await runCommand(["apply", "--plan", "plan.json", "--yes"], {
    cwd: root,
    clock: new TestClock(),
  });
  expect(code).toBe(1);
  expect(stderr).toContain('--now "2020-02-01"');
});

test.each(["soon", "09:00", "3/4/2020"])("refuses --now %s", async (now) => {
  const { root } = await pastProject();
  const { code, stderr } = await runCommand(["plan", "--now", now], { cwd: root, clock: new TestClock() });
  expect([code, stderr.includes("--now")]).toEqual([1, true]);
});

test("--watch refuses --now", async () => {
  const { root } = await pastProject();
  const { code, stderr } = await runCommand(["plan", "--watch", "--now", "2020-02-01"], {
    cwd: root,
    clock: new TestClock(),
  });
  expect([code, stderr.includes("--now")]).toEqual([1, true]);
});
