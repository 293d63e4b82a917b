/** The published schemas of JSON documents, compared with what the commands print. `runCommand` compares each document. */

import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { ALL_DOCUMENTS, DOCUMENTS, documentSchemas } from "../../../src/report/documents/all-documents.ts";
import { checkDocument } from "../../support/described-documents.ts";
import { makeProject } from "../../support/project.ts";
import { runCommand } from "../../support/run-command.ts";
import { csv, startScenario } from "../../support/scenario.ts";

const AJV = new Ajv2020({ strict: true });

/** The errors of a document in the published schema of its command. */
function faultsOf(command: string, stdout: string): unknown {
  const file = new URL(`../../../schemas/${command}.output.schema.json`, import.meta.url);
  const validate = AJV.compile(JSON.parse(readFileSync(file, "utf8")));
  return validate(JSON.parse(stdout)) ? [] : validate.errors;
}

const HEADER = ["id", "scheduled_at", "platforms", "content", "campaign", "status", "alt"];
const ROWS = csv(
  HEADER,
  ["a", "2036-03-03 09:00", "linkedin", "Hello", "Spring", "", ""],
  ["b", "2036-03-04 09:00", "twitter", "Bye", "", "", ""],
  ["c", "2036-03-05 09:00", "twitter", "Later", "", "draft", ""],
);

test("what the commands print is valid by the published schemas", async () => {
  const automations = { after_apply: { id: "auto_1", input: "done" } };
  const { run, project, service } = await startScenario({
    files: { "calendars/a.csv": ROWS },
    config: { automations },
    service: { automations: ["auto_1"] },
  });
  const check = async (...args: string[]): Promise<void> => {
    const { stdout } = await run(...args, "--format", "json");
    expect([args, faultsOf(args[0] ?? "", stdout)]).toEqual([args, []]);
  };
  await check("validate");
  await check("plan");
  await check("calendar");
  await check("apply");
  await check("apply", "--yes");
  expect(service.runs).toHaveLength(1);
  await check("status");
  await project.write("calendars/a.csv", ROWS.replace("Hello", "Hi").replace(/"b".*\n/, ""));
  await check("plan", "--verbose");
  await check("apply", "--yes");
  await project.write("calendars/a.csv", csv(HEADER));
  await check("plan", "--now", "2036-01-01");
  await check("apply", "--yes");
  await project.write("calendars/a.csv", csv(HEADER, ["a", "soon", "nowhere", "", "", "", ""]));
  for (const command of ["validate", "plan", "calendar", "apply", "status"]) await check(command);
});

test.each(Object.keys(DOCUMENTS))("%s without a project prints a valid document", async (command) => {
  const { root } = await makeProject({ config: false });
  const { code, stdout } = await runCommand([command, "--format", "json"], { cwd: root });
  // Networks have rules without a project, too.
  expect([code, faultsOf(command, stdout)]).toEqual([command === "rules" ? 0 : 1, []]);
});

test.each(Object.keys(ALL_DOCUMENTS))("%s --all prints a valid document", async (command) => {
  const { root } = await makeProject({
    config: { service: { url: "embedded" }, timezone: "Europe/Paris" },
    files: { "b/plancast.yaml": "service: { urll: 1 }\n", "calendars/a.csv": ROWS },
  });
  const check = async (code: number, ...args: string[]): Promise<void> => {
    const words = command === "posts" ? [command, "list"] : [command];
    const ran = await runCommand([...words, "--all", ...args, "--format", "json"], { cwd: root });
    expect([args, ran.code, faultsOf(`${command}-all`, ran.stdout)]).toEqual([args, code, []]);
  };
  await check(1);
  await check(1, "nowhere");
  await rm(join(root, "b"), { recursive: true });
  // Without a terminal, apply refuses. A hold needs a reason, and there is none to release.
  await check(["apply", "hold", "release"].includes(command) ? 1 : 0);
});

test("publish prints a valid document", async () => {
  const { root } = await makeProject({
    config: { service: { url: "repository" }, timezone: "Europe/Paris" },
  });
  const { stdout } = await runCommand(["publish", "--dry-run", "--format", "json"], { cwd: root });
  expect(faultsOf("publish", stdout)).toEqual([]);
});

test("each command with JSON output has a schema, and docs/reference/json.md lists it", () => {
  const [commands, page] = ["commands", "json"].map((name) =>
    readFileSync(new URL(`../../../docs/reference/${name}.md`, import.meta.url), "utf8"),
  );
  const sections = commands?.split(/^## /m).slice(1) ?? [];
  const printing = sections.flatMap((section) =>
    /^\| `--format` \|.*`json`/m.test(section) ? [section.slice(0, section.indexOf("\n"))] : [],
  );
  expect(new Set(Object.keys(DOCUMENTS))).toEqual(new Set(printing));
  expect(printing.filter((name) => !page?.includes(`schemas/${name}.output.schema.json`))).toEqual([]);
});

test("every schema allows fields of later versions, and describes its document", () => {
  for (const schema of Object.values(documentSchemas())) {
    expect(JSON.stringify(schema)).not.toContain(`"additionalProperties":false`);
    expect(JSON.stringify(schema)).toContain("What `plancast ");
  }
});

test("the comparison finds a field without a definition, and a value in another form", () => {
  const document = {
    version: 1,
    summary: {
      calendars: 1,
      posts: 1,
      upcoming: 1,
      past: 0,
      expired: 0,
      invalid: 0,
      draft: 0,
      skipped: 0,
      filtered_out: 0,
      errors: 0,
      warnings: 0,
    },
    problems: [],
  };
  const args = ["validate", "--format", "json"];
  expect(() => checkDocument(args, JSON.stringify(document))).not.toThrow();
  expect(() => checkDocument(args, JSON.stringify({ ...document, more: 1 }))).toThrow("does not have");
  expect(() => checkDocument(args, JSON.stringify({ ...document, version: 2 }))).toThrow("another document");
});
