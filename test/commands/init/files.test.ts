import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { crc32, inflateSync } from "node:zlib";
import { parse as parseCsv } from "csv-parse/sync";
import * as fc from "fast-check";
import { fileTypeFromBuffer } from "file-type";
import { DateTime } from "luxon";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { readContents } from "../../../src/calendars/read-calendar.ts";
import { type FileToWrite, type InitOptions, filesToWrite } from "../../../src/commands/init/files.ts";
import { sampleCalendar } from "../../../src/commands/init/sample-calendar.ts";
import { FIELDS } from "../../../src/model/fields.ts";
import { configSchema } from "../../../src/calendars/check-project.ts";

const OPTIONS: InitOptions = {
  today: "2026-12-24",
  timezone: "Europe/Paris",
  action: "plancast/plancast@v1.2.3",
  branch: undefined,
  folder: "",
  publishes: false,
  template: "csv",
  calendar: "sample",
  gitignore: "",
  gitattributes: "",
  further: undefined,
};

const made = new Map<string, readonly FileToWrite[]>();

/** Drawing the sample picture is slow, so all tests share the same files. */
function filesFor(options: Partial<InitOptions> = {}): readonly FileToWrite[] {
  const all = { ...OPTIONS, ...options };
  const name = JSON.stringify(all);
  const files = made.get(name) ?? filesToWrite(all);
  made.set(name, files);
  return files;
}

function fileOf(target: string, options: Partial<InitOptions> = {}): FileToWrite {
  const found = filesFor(options).find((file) => file.path === target);
  if (found === undefined) throw new Error(`init writes no ${target}`);
  return found;
}

function textOf(target: string, options: Partial<InitOptions> = {}): string {
  const { contents } = fileOf(target, options);
  if (typeof contents !== "string") throw new Error(`${target} is not text`);
  return contents;
}

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "plancast-init-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

test("a new project has these files, and only the files for git may be there already", () => {
  expect(filesFor().map(({ path: name, extendsExisting }) => [name, extendsExisting])).toEqual([
    ["plancast.yaml", false],
    ["calendars/2026-12.csv", false],
    ["calendars/media/welcome.png", false],
    ["calendars/README.md", false],
    [".github/workflows/plancast.yml", false],
    [".gitignore", true],
    [".gitattributes", true],
  ]);
});

test("a project that publishes has a second workflow, and git merges its schedule", () => {
  const options = { publishes: true, calendar: "none" } as const;
  expect(filesFor(options).map(({ path: name }) => name)).toEqual([
    "plancast.yaml",
    "calendars/README.md",
    ".github/workflows/plancast.yml",
    ".github/workflows/plancast-publish.yml",
    ".gitignore",
    ".gitattributes",
  ]);
  expect(configSchema.parse(parseYaml(textOf("plancast.yaml", options))).service.url).toBe("repository");
  expect(textOf(".gitattributes", options)).toContain("\nplancast.schedule.json merge=plancast\n");
  expect(textOf("calendars/README.md", options)).toContain("PLANCAST_TRUSTED_ORIGINS");
  expect(textOf("calendars/README.md", options)).not.toContain("PLANCAST_API_KEY");
});

test("plancast.yaml is valid and uses the embedded service", () => {
  const config = configSchema.parse(
    parseYaml(textOf("plancast.yaml", { timezone: "America/Argentina/Ushuaia" })),
  );
  expect(config.service.url).toBe("embedded");
  expect(config.timezone).toBe("America/Argentina/Ushuaia");
  expect(config.defaults).toEqual({ time: "10:00" });
});

const row = z.strictObject(Object.fromEntries(FIELDS.map((field) => [field, z.string()]))).partial();

function rowsOf(csv: string): Record<string, string | undefined>[] {
  return z.array(row).parse(parseCsv(csv, { columns: true }));
}

function sampleDates(today: string): (string | undefined)[] {
  return rowsOf(String(sampleCalendar(today, "csv"))).map(({ date }) => date);
}

describe("the sample calendar", () => {
  test("has a key, a text that fits every network, and known words in each cell", () => {
    const rows = rowsOf(textOf("calendars/2026-12.csv"));
    expect(rows).toHaveLength(6);
    for (const { content = "", platforms = "", media = "", status = "" } of rows) {
      expect(content.length).toBeGreaterThan(20);
      expect(content.length).toBeLessThan(270);
      expect(["", "x", "linkedin", "linkedin, x"]).toContain(platforms);
      expect(["", "media/welcome.png"]).toContain(media);
      expect(["", "draft"]).toContain(status);
    }
    const ids = rows.flatMap(({ id }) => (id === "" ? [] : [id]));
    expect(new Set(ids).size).toBe(5);
    expect(rows.filter(({ media }) => media !== "")).toHaveLength(2);
  });

  test("keeps a caption of several lines in one cell", () => {
    const lines = rowsOf(textOf("calendars/2026-12.csv")).find(({ id }) => id === "several-lines");
    expect(lines?.["content"]?.split("\n")).toHaveLength(3);
  });

  test("its first row is due tomorrow, even at the end of a year and on a leap day", () => {
    const expected = "2026-12-25 2026-12-27 2026-12-30 2027-01-01 2027-01-03 2027-01-06";
    expect(sampleDates("2026-12-24")).toEqual(expected.split(" "));
    expect(sampleDates("2028-02-28")[0]).toBe("2028-02-29");
  });

  test("its times exist exactly once in every zone, on every day of two weeks", () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf("timeZone"), "UTC");
    const days = fc.date({ min: new Date("2025-01-01"), max: new Date("2060-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(zones, days, (timezone, day) => {
        const today = day.toISOString().slice(0, 10);
        for (const { date = "", time, timezone: own } of rowsOf(String(sampleCalendar(today, "csv")))) {
          const zone = own === "" ? timezone : own;
          const written = `${date}T${time === "" ? "10:00" : time}`;
          const local = DateTime.fromISO(written, { zone });
          expect(local.toFormat("yyyy-MM-dd'T'HH:mm")).toBe(written);
          expect(local.getPossibleOffsets()).toHaveLength(1);
          const daysAhead = DateTime.fromISO(date).diff(DateTime.fromISO(today), "days").days;
          expect(daysAhead).toBeGreaterThanOrEqual(1);
          expect(daysAhead).toBeLessThanOrEqual(14);
        }
      }),
      { numRuns: 200 },
    );
  });
});

test("the sample picture is a whole PNG, small, and of more than two colours", async () => {
  const { contents } = fileOf("calendars/media/welcome.png");
  const png = Buffer.from(contents);
  expect((await fileTypeFromBuffer(png))?.mime).toBe("image/png");
  expect(png.length).toBeLessThan(40_000);
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length;) {
    const size = png.readUInt32BE(at);
    const body = png.subarray(at + 4, at + 8 + size);
    expect(png.readUInt32BE(at + 8 + size)).toBe(crc32(body));
    chunks.set(body.toString("latin1", 0, 4), body.subarray(4));
    at += 12 + size;
  }
  expect([...chunks.keys()]).toEqual(["IHDR", "IDAT", "IEND"]);
  const [width, height] = [chunks.get("IHDR")?.readUInt32BE(0), chunks.get("IHDR")?.readUInt32BE(4)];
  expect([width, height]).toEqual([1080, 1080]);
  const lines = inflateSync(chunks.get("IDAT") ?? "");
  expect(lines.length).toBe(1080 * (1 + 1080 * 3));
  const firstPixels = Array.from({ length: 1080 }, (_, y) => lines.toString("hex", y * 3241, y * 3241 + 4));
  expect(new Set(firstPixels).size).toBeGreaterThan(100);
});

/** git with its default settings, not those of this machine. */
const GIT_ENV = {
  PATH: process.env["PATH"] ?? "",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
};

describe(".gitignore", () => {
  test("git ignores plancast's working files, but not the lockfile", async () => {
    spawnSync("git", ["init", "-q", folder], { env: GIT_ENV });
    await writeFile(path.join(folder, ".gitignore"), textOf(".gitignore", { gitignore: "node_modules" }));
    const ask = [
      "check-ignore",
      "node_modules/a",
      "preview.html",
      ".plancast/journal",
      "plancast.lock.json",
      "plancast.yaml",
    ];
    const { stdout } = spawnSync("git", ask, { cwd: folder, encoding: "utf8", env: GIT_ENV });
    expect(stdout.trim().split("\n")).toEqual(["node_modules/a", "preview.html", ".plancast/journal"]);
  });

  test.each([
    ".plancast/\npreview.html\nclient.html\nnode_modules/\n",
    "node_modules\r\n/.plancast\r\n/preview.html\r\n/client.html\r\n",
    "  .plancast  \n preview.html\nclient.html\n/node_modules/",
  ])("that already ignores them (%j) does not change", (gitignore) => {
    const paths = filesFor({ gitignore }).map((file) => file.path);
    expect(paths).not.toContain(".gitignore");
  });

  test("only gets the missing lines", () => {
    const text = textOf(".gitignore", { gitignore: "node_modules\n.plancast/\n" });
    expect(text.match(/^(node_modules|\.plancast|preview).*$/gm)).toEqual([
      "node_modules",
      ".plancast/",
      "preview.html",
    ]);
  });

  test("keeps its existing lines", () => {
    expect(textOf(".gitignore", { gitignore: "dist\n.plancast.old\n" })).toMatch(
      /^dist\n\.plancast\.old\n# /,
    );
  });
});

test(".gitattributes lets git merge lockfiles with plancast, and keeps its existing lines", () => {
  const text = textOf(".gitattributes", { gitattributes: "*.png binary" });
  expect(text).toMatch(
    /^\*\.png binary\n# .+\n# git config .+\nplancast\.lock\.json merge=plancast\n# .+\nplancast\.holds\.yaml merge=union\n$/,
  );
  expect(filesFor({ gitattributes: text }).map((file) => file.path)).not.toContain(".gitattributes");
});

test("the workbook has every column, and one row of the sample with a date that is not past", async () => {
  const name = "calendars/2026-12.xlsx";
  const { contents } = fileOf(name, { template: "xlsx" });
  const read = await readContents(name, Buffer.from(contents), configSchema.parse({}));
  expect(read.problems).toEqual([]);
  expect(read.rows.map(({ cells }) => cells)).toMatchObject([
    {
      id: "welcome",
      date: "2026-12-25",
      time: "10:00",
      platforms: "linkedin, x",
      media: "media/welcome.png",
    },
  ]);
  expect(textOf("calendars/README.md", { template: "xlsx" })).toContain("as an Excel workbook");
});

test("the page for the team names each field of a row, and the calendar that is there", () => {
  const page = textOf("calendars/README.md");
  for (const field of FIELDS.filter((each) => each !== "scheduled_at"))
    expect(page).toContain(`\`${field}\``);
  expect(page).toContain("`calendars/2026-12.csv`");
});
