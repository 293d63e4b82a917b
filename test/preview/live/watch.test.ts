import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkCalendars, listPosts } from "../../../src/calendars/check.ts";
import { readProject } from "../../../src/calendars/project.ts";
import { SELECT_ALL, selectCalendars } from "../../../src/calendars/select.ts";
import { isRelevantChange } from "../../../src/preview/live/watch.ts";
import { systemClock } from "../../../src/service/system-clock.ts";
import { makeProject } from "../../support/project.ts";
import { tinyPng } from "../../support/tiny-media.ts";

const row = (media: string): string =>
  `scheduled_at,platforms,content,media\n2036-03-01 09:00Z,linkedin,A,${media}\n`;

test("a save of a calendar or of used media causes a new plan; while media are missing, every save does", async () => {
  const made = await makeProject({
    files: { "calendars/a.csv": row("é.png"), "calendars/é.png": tinyPng() },
  });
  const project = await readProject(`${made.root}/plancast.yaml`);
  const read = async () => {
    const checked = await checkCalendars(
      project,
      await selectCalendars(project, SELECT_ALL, made.root),
      systemClock,
    );
    return { calendars: checked.calendars, posts: await listPosts(project, checked) };
  };
  const whole = await read();
  await made.write("calendars/new.yaml", "[]\n");
  await made.remove("calendars/a.csv");
  const cases: [string, boolean][] = [
    ["calendars/new.yaml", true],
    ["calendars/a.csv", true],
    ["elsewhere/e\u0301.png", true],
    ["calendars/other.png", false],
    ["README.md", false],
    ["data/b.csv", false],
    [".github/workflows/ci.yml", false],
  ];
  for (const [file, matters] of cases)
    expect([file, await isRelevantChange([file], whole, project)]).toEqual([file, matters]);
  await made.write("calendars/a.csv", row("missing.png"));
  expect(await isRelevantChange(["anything.bin"], await read(), project)).toBe(true);
});

test("a save of the file behind a linked calendar causes a new plan", async () => {
  const made = await makeProject({ files: { "sheets/march.csv": row("") } });
  await mkdir(join(made.root, "calendars"), { recursive: true });
  await symlink("../sheets/march.csv", join(made.root, "calendars/a.csv"));
  const project = await readProject(`${made.root}/plancast.yaml`);
  const read = { calendars: [{ file: "calendars/a.csv" }], posts: [] };
  expect(await isRelevantChange(["sheets/march.csv"], read, project)).toBe(true);
  expect(await isRelevantChange(["sheets/april.csv"], read, project)).toBe(false);
});
