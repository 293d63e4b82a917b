/** Rows that take a slot, and whose post is gone from the service: nothing schedules them a second time. */
import { describe, expect, test } from "vitest";
import { startForeignService } from "../support/foreign-service.ts";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";
import { csv } from "../support/scenario.ts";
import { TestClock } from "../support/test-clock.ts";

const FILE = "calendars/a.csv";
const LOCKFILE = "plancast.lock.json";
// A Tuesday.
const NOW = Date.parse("2030-01-01T08:00:00Z");
const SLOTS = ["2030-01-02T09:30:00Z", "2030-01-07T09:30:00Z", "2030-01-09T09:30:00Z"];

const at = (slot: number, text: string): string => `${Date.parse(SLOTS[slot] ?? "")} ${text}`;
const MISSING = { code: 1, stderr: expect.stringContaining("apply/missing") as unknown };

describe.each([true, false])("with ids: %s", (hasIds) => {
  const table = (texts: readonly string[]): string =>
    csv(
      [...(hasIds ? ["id"] : []), "date", "platforms", "content"],
      ...texts.map((text) => [...(hasIds ? [text.charAt(0)] : []), "next", "linkedin", text]),
    );

  /** Two clones of a project whose rows the first has applied. */
  async function startClones(texts: readonly string[]) {
    const clock: TestClock = new TestClock(() => service.isBusy(), NOW);
    const service = await startForeignService({ now: () => clock.now() });
    const env = { PLANCAST_BASE_URL: service.url, PLANCAST_API_KEY: service.key };
    const clone = async (lockfile?: string) => {
      const project = await makeProject({
        config: { timezone: "UTC", slots: { linkedin: ["mon,wed 09:30"] } },
        files: { [FILE]: table(texts), ...(lockfile === undefined ? {} : { [LOCKFILE]: lockfile }) },
      });
      const apply = (...args: string[]) =>
        runCommand(["apply", "--yes", ...args], { cwd: project.root, env, clock });
      return { project, apply, write: (...rows: string[]) => project.write(FILE, table(rows)) };
    };
    const first = await clone();
    expect((await first.apply()).code).toBe(0);
    const second = await clone(await first.project.read(LOCKFILE));
    const scheduled = (): string[] =>
      service
        .scheduled()
        .map(({ content, scheduled_at: at }) => `${Date.parse(at)} ${content}`)
        .toSorted();
    const cancel = (text: string): void => {
      const post = service.scheduled().find(({ content }) => content === text);
      if (post !== undefined) service.cancelByHand(post.id);
    };
    return { first, second, scheduled, cancel };
  }

  test("a post that somebody cancelled waits, and a person's word schedules it in its slot", async () => {
    const { first, scheduled, cancel } = await startClones(["a one", "b two"]);
    cancel("a one");
    expect(await first.apply()).toMatchObject(MISSING);
    expect(scheduled()).toEqual([at(1, "b two")]);
    await first.write("a one", "b two", "c three");
    await first.apply();
    expect(scheduled().filter((each) => each.includes("a one"))).toEqual([]);
    expect((await first.apply("--allow-recreates", "1")).code).toBe(0);
    expect(scheduled()).toEqual([at(0, "a one"), at(1, "b two"), at(2, "c three")]);
    expect((await first.apply()).code).toBe(0);
  });

  test("an edited row whose post somebody cancelled waits", async () => {
    const { first, scheduled, cancel } = await startClones(["a one", "b two"]);
    cancel("a one");
    await first.write("a changed", "b two");
    expect(await first.apply()).toMatchObject(MISSING);
    expect(scheduled()).toEqual([at(1, "b two")]);
  });

  test.each([["a one"], ["a third"]])(
    "an older clone with %j does not touch a newer version",
    async (text) => {
      const { first, second, scheduled } = await startClones(["a one", "b two"]);
      await first.write("a changed", "b two");
      expect((await first.apply()).code).toBe(0);
      const newest = [at(0, "a changed"), at(1, "b two")];
      expect(scheduled()).toEqual(newest);
      await second.write(text, "b two");
      expect(await second.apply()).toMatchObject(MISSING);
      expect(scheduled()).toEqual(newest);
    },
  );

  test("a new row of an older clone takes no slot of a newer version", async () => {
    const { first, second, scheduled } = await startClones(["a one", "b two"]);
    await first.write("a changed", "b two");
    await first.apply();
    await second.write("a one", "b two", "c three");
    await second.apply();
    expect(scheduled()).toEqual(
      hasIds
        ? [at(0, "a changed"), at(1, "b two"), at(2, "c three")]
        : expect.arrayContaining([at(0, "a changed"), at(1, "b two")]),
    );
  });
});
