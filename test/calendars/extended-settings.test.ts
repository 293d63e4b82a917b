/** `extends:` of plancast.yaml: merging, places of problems, and what a hostile checkout could try. */

import { execFile } from "node:child_process";
import { mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { readProject } from "../../src/calendars/project.ts";
import { ProjectProblems } from "../../src/model/failure.ts";
import { placeName } from "../../src/model/problem.ts";
import type { Project } from "../../src/settings/config.ts";
import { tempFolder } from "../support/temp-folder.ts";

const ACME = "clients/acme/plancast.yaml";

/** A repository with a project in clients/acme. */
async function repository(files: Readonly<Record<string, string>>): Promise<string> {
  return tempFolder({ ".git/HEAD": "ref: refs/heads/main\n", ...files });
}

async function read(files: Readonly<Record<string, string>>): Promise<Project> {
  return readProject(join(await repository(files), ACME));
}

/** Where the problems are, each with its code. */
async function refusal(root: string): Promise<readonly string[]> {
  const error: unknown = await readProject(join(root, ACME)).catch((thrown: unknown) => thrown);
  if (!(error instanceof ProjectProblems)) throw new Error("The project was accepted.", { cause: error });
  return error.problems.map((each) => `${placeName(each)} ${each.code}`);
}

async function refused(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  return refusal(await repository(files));
}

describe("extends", () => {
  test("merges mappings and replaces lists, and the nearer file wins", async () => {
    const { config } = await read({
      [ACME]:
        "extends: ../agency.yaml\nplatforms: {li: linkedin}\nsafety: {max_cancels: 3}\ncalendars: [own/*.csv]\n",
      "clients/agency.yaml":
        "timezone: Europe/Paris\nplatforms: {x: twitter, li: other}\nsafety: {max_cancels: 9, settle: 5m}\ncalendars: [a.csv, b.csv]\n",
    });
    expect(config).toMatchObject({
      timezone: "Europe/Paris",
      platforms: { x: "twitter", li: "linkedin" },
      safety: { max_cancels: 3, settle: "5m" },
      calendars: ["own/*.csv"],
    });
  });

  test("replaces a header or status that differs only in case and spaces", async () => {
    const { config } = await read({
      [ACME]: "extends: ../agency.yaml\ncolumns: {post_text: content}\nstatus_values: {OK: ready}\n",
      "clients/agency.yaml": "columns: {Post Text: alt, Day: date}\nstatus_values: {ok: skip}\n",
    });
    expect(config.columns).toEqual({ post_text: "content", Day: "date" });
    expect(config.status_values).toEqual({ OK: "ready" });
  });

  test("goes through several files, each relative to the file that names it", async () => {
    const { config, extended } = await read({
      [ACME]: "extends: ../agency.yaml\n",
      "clients/agency.yaml": "extends: ../settings/all.yml\ntimezone: UTC\n",
      "settings/all.yml": "timezone: Asia/Tokyo\nlockfile: all.lock.json\n",
    });
    expect(config).toMatchObject({ timezone: "UTC", lockfile: "all.lock.json" });
    expect(extended?.map(({ file }) => file)).toEqual(["../agency.yaml", "../../settings/all.yml"]);
  });

  test("ignores values that are commented out, and empty files", async () => {
    const { config } = await read({
      [ACME]: "extends: ../agency.yaml\ntimezone:\n",
      "clients/agency.yaml": "timezone: Europe/Paris\n",
    });
    expect(config.timezone).toBe("Europe/Paris");
    const empty = await read({ [ACME]: "extends: ../agency.yaml\n", "clients/agency.yaml": "# later\n" });
    expect(empty.config.lockfile).toBe("plancast.lock.json");
  });

  test("works inside the project without a repository", async () => {
    const root = await tempFolder({
      [ACME]: "extends: base.yaml\n",
      "clients/acme/base.yaml": "timezone: UTC\n",
    });
    expect((await readProject(join(root, ACME))).config.timezone).toBe("UTC");
  });

  test("shows each problem in the file that holds the setting", async () => {
    expect(
      await refused({
        [ACME]: "extends: ../agency.yaml\nsafety:\n  max_cancels: many\ncalendars: [a.csv]\n",
        "clients/agency.yaml":
          "safety:\n  lead_time: 5\n  max_cancel: 1\n  max_cancels: 1\ncalendars: [5, 6]\ntimezoen: UTC\n",
      }),
    ).toEqual([
      "plancast.yaml:3:16 project/invalid",
      "../agency.yaml:2:14 project/invalid",
      "../agency.yaml:3:3 project/unknown-key",
      "../agency.yaml:6:1 project/unknown-key",
    ]);
    expect(
      await refused({
        [ACME]: "extends: ../agency.yaml\n",
        "clients/agency.yaml": "timezone: Nowhere\ncalendars: [a.csv, ../b.csv]\n",
      }),
    ).toEqual(["../agency.yaml:1:11 schedule/unknown-timezone", "../agency.yaml:2:20 project/invalid"]);
  });

  test("shows the line of that file, without secrets", async () => {
    const root = await repository({
      [ACME]: "extends: ../agency.yaml\ntimezone: UTC\n",
      "clients/agency.yaml": "a: 1\napi_key: abc123secret\n",
    });
    const error: unknown = await readProject(join(root, ACME)).catch((thrown: unknown) => thrown);
    if (!(error instanceof ProjectProblems)) throw new Error("The project was accepted.");
    expect(error.sourceLine("../agency.yaml", 1)).toBe("a: 1");
    expect(error.sourceLine("../agency.yaml", 2)).toBe("api_key: ••••");
    expect(error.sourceLine("plancast.yaml", 2)).toBe("timezone: UTC");
  });

  test.each([
    ["extends: ../none.yaml\n", "plancast.yaml:1:10 project/extends"],
    ["timezone: UTC\nextends: [../agency.yaml]\n", "plancast.yaml:2:10 project/extends"],
    ["extends: 5\n", "plancast.yaml:1:10 project/extends"],
    ["extends: ../agency.txt\n", "plancast.yaml:1:10 project/extends"],
    ["extends: ../broken.yaml\n", "../broken.yaml:2:1 yaml/syntax"],
    ["extends: ../list.yaml\n", "../list.yaml:1:1 project/invalid"],
    ["extends: ../latin1.yaml\n", "../latin1.yaml:1:4 disk/unreadable"],
  ])("refuses %j", async (text, place) => {
    const root = await repository({
      [ACME]: text,
      "clients/agency.yaml": "",
      "clients/agency.txt": "",
      "clients/broken.yaml": "a: [1\nb: 2\n",
      "clients/list.yaml": "- a\n",
    });
    await writeFile(join(root, "clients/latin1.yaml"), Buffer.from("# \u00e9\u00e9\n", "latin1"));
    expect((await refusal(root))[0]?.split(":")[0]).toBe(place.split(":")[0]);
    expect((await refusal(root)).join()).toContain(place.split(" ")[1]);
  });
});

describe("a hostile checkout", () => {
  test("cannot make files extend each other without end", async () => {
    expect(await refused({ [ACME]: "extends: plancast.yaml\n" })).toEqual([
      "plancast.yaml:1:10 project/extends",
    ]);
    expect(await refused({ [ACME]: "extends: ../acme/../acme/plancast.yaml\n" })).toEqual([
      "plancast.yaml:1:10 project/extends",
    ]);
    expect(
      await refused({
        [ACME]: "extends: a.yaml\n",
        "clients/acme/a.yaml": "extends: b.yaml\n",
        "clients/acme/b.yaml": "extends: ./a.yaml\n",
      }),
    ).toEqual(["b.yaml:1:10 project/extends"]);
    const chain = Object.fromEntries(
      Array.from({ length: 30 }, (_none, index) => [
        `clients/acme/${index}.yaml`,
        `extends: ${index + 1}.yaml\n`,
      ]),
    );
    expect(await refused({ [ACME]: "extends: 0.yaml\n", ...chain })).toEqual(["9.yaml:1:10 project/extends"]);
  });

  test("cannot read files outside the repository", async () => {
    const outside = await tempFolder({ "secret.yaml": "timezone: Nowhere # secret\n" });
    const inner = "outer/inner";
    for (const named of [
      "../../../secret.yaml",
      "../../../../../../../../etc/hosts.yaml",
      join(outside, "secret.yaml"),
      "~/secret.yaml",
      "C:\\\\secret.yaml",
      "..\\\\..\\\\..\\\\secret.yaml",
      "../agency.yaml\\0.yaml",
    ]) {
      const root = await tempFolder({
        "secret.yaml": "timezone: Nowhere\n",
        "outer/secret.yaml": "timezone: Nowhere\n",
        [`${inner}/.git/HEAD`]: "ref: refs/heads/main\n",
        [`${inner}/${ACME}`]: `extends: "${named}"\n`,
      });
      expect(await refusal(join(root, inner)), named).toEqual(["plancast.yaml:1:10 project/extends"]);
    }
  });

  test("cannot read files above the project without a repository", async () => {
    const root = await tempFolder({
      [ACME]: "extends: ../agency.yaml\n",
      "clients/agency.yaml": "timezone: UTC\n",
    });
    expect(await refusal(root)).toEqual(["plancast.yaml:1:10 project/extends"]);
  });

  test("cannot read through links", async () => {
    const outside = await tempFolder({ "secret.yaml": "timezone: Nowhere\n" });
    const root = await repository({
      "clients/real/agency.yaml": "timezone: UTC\n",
      "clients/acme/.keep": "",
    });
    await symlink(join(outside, "secret.yaml"), join(root, "clients/out.yaml"));
    await symlink("real/agency.yaml", join(root, "clients/in.yaml"));
    await symlink("real", join(root, "clients/folder"));
    await symlink(outside, join(root, "clients/far"));
    await symlink("loop.yaml", join(root, "clients/loop.yaml"));
    for (const named of [
      "../out.yaml",
      "../in.yaml",
      "../folder/agency.yaml",
      "../far/secret.yaml",
      "../loop.yaml",
    ]) {
      await writeFile(join(root, ACME), `extends: ${named}\n`);
      expect(await refusal(root), named).toEqual(["plancast.yaml:1:10 project/extends"]);
    }
  });

  test("cannot show files of git or of plancast", async () => {
    const files = {
      ".git/config.yaml": "timezone: Nowhere # token\n",
      "clients/acme/.plancast/state.yaml": "timezone: Nowhere\n",
      ".GIT/config.yaml": "timezone: Nowhere\n",
    };
    for (const named of [
      "../../.git/config.yaml",
      ".plancast/state.yaml",
      "../../.GIT/config.yaml",
      "../../.git/config",
    ]) {
      expect(await refused({ ...files, [ACME]: `extends: ${named}\n` }), named).toEqual([
        "plancast.yaml:1:10 project/extends",
      ]);
    }
  });

  test("cannot make plancast wait for a pipe, or read a folder or a huge file", async () => {
    const root = await repository({ "clients/acme/.keep": "", "clients/huge.yaml": "a: 1\n" });
    await promisify(execFile)("mkfifo", [join(root, "clients/pipe.yaml")]);
    await mkdir(join(root, "clients/folder.yaml"));
    await truncate(join(root, "clients/huge.yaml"), 8 * 1024 ** 3);
    for (const named of ["../pipe.yaml", "../folder.yaml", "../huge.yaml"]) {
      await writeFile(join(root, ACME), `extends: ${named}\n`);
      expect(await refusal(root), named).toEqual(["plancast.yaml:1:10 project/extends"]);
    }
  });

  test("cannot change the meaning of a setting with names of JavaScript properties", async () => {
    const { config } = await read({
      [ACME]: "extends: ../agency.yaml\nplatforms: {a: b}\n",
      "clients/agency.yaml": "platforms: {constructor: linkedin, toString: x}\n",
    });
    expect(Object.entries(config.platforms)).toEqual([
      ["constructor", "linkedin"],
      ["toString", "x"],
      ["a", "b"],
    ]);
    expect(
      await refused({
        [ACME]: "extends: ../agency.yaml\n",
        "clients/agency.yaml": "__proto__: {timezone: UTC}\n",
      }),
    ).toEqual(["../agency.yaml:1:1 project/unknown-key"]);
  });
});
