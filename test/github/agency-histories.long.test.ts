/** Ordinary work in a repository with several projects: no job says that anything is not confirmed, and none stops. */
import { expect, test, vi } from "vitest";
import {
  type AgencyWorld,
  calendarPath,
  clientCalendar,
  scheduled,
  startAgency,
} from "../support/github/agency-world.ts";
import type { JobRecord } from "../support/github/runner.ts";

vi.setConfig({ testTimeout: 180_000 });

const NOTICES = /not-confirmed|not-as-recorded|schedule-edited|no-base|setting-changed|shared-post/;

function quiet({ steps, failed }: JobRecord): void {
  const said = steps.map(({ log, summary }) => `${log}\n${summary}`).join("\n");
  expect([failed, said]).toEqual([false, expect.not.stringMatching(NOTICES)]);
}

type Files = Readonly<Record<string, string | undefined>>;

/** A pull request with these files, which is planned, merged and applied. */
async function land(world: AgencyWorld, number: number, files: Files): Promise<void> {
  await world.open(number, files);
  quiet(await world.plan(number));
  quiet(await world.merge(number));
}

/** The files of a client on main, under another name. */
function moved({ repository }: AgencyWorld, from: string, to: string, edit = (text: string) => text): Files {
  const { git } = repository;
  git("fetch", "-q", "origin", "main");
  const paths = git("ls-tree", "-r", "--name-only", "FETCH_HEAD", `clients/${from}/`).trim().split("\n");
  return Object.fromEntries(
    paths.flatMap((path) => [
      [path, undefined],
      [path.replace(`clients/${from}/`, `clients/${to}/`), edit(`${git("show", `FETCH_HEAD:${path}`)}\n`)],
    ]),
  );
}

test("edits of several clients, and a row that goes and comes back", async () => {
  const world = await startAgency(["acme", "beta"]);
  await land(world, 12, { [calendarPath("acme")]: clientCalendar("one", "two") });
  await land(world, 13, {
    [calendarPath("acme")]: clientCalendar("one"),
    [calendarPath("beta")]: clientCalendar("three"),
  });
  await land(world, 14, { [calendarPath("acme")]: clientCalendar("one", "two") });
  expect(scheduled(world)).toEqual({ acme: 2, beta: 1 });
});

test("the folder of a client that is renamed, with an edit, keeps its posts", async () => {
  const world = await startAgency(["acme", "beta"]);
  await land(world, 12, {
    [calendarPath("acme")]: clientCalendar("one", "two"),
    [calendarPath("beta")]: clientCalendar("three"),
  });
  await land(
    world,
    13,
    moved(world, "acme", "zenith", (text) => text.replace("Text of two.", "Edited.")),
  );
  expect(scheduled(world)).toEqual({ acme: 2, beta: 1 });
  await land(world, 14, { [calendarPath("zenith")]: clientCalendar("two") });
  expect(scheduled(world)).toEqual({ acme: 1, beta: 1 });
});

test("a lockfile that moves into another project is not confirmed there", async () => {
  const world = await startAgency(["acme", "beta"]);
  await land(world, 12, { [calendarPath("acme")]: clientCalendar("one", "two") });
  const files = moved(world, "acme", "copy");
  // Only the lockfile moves.
  const kept = Object.entries(files).filter(
    ([path, text]) => text !== undefined || path.endsWith(".lock.json"),
  );
  await world.open(13, { ...Object.fromEntries(kept), [calendarPath("copy")]: clientCalendar("one") });
  const planned = await world.plan(13);
  expect(planned.steps.map(({ log }) => log).join("\n")).toMatch(/guard\/not-as-recorded|shared-post/);
});
