/** The formats of other tools follow the definitions of these tools. */

import schema from "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json" with { type: "json" };
import AjvDraft04 from "ajv-draft-04";
import ajvFormats from "ajv-formats";
import * as fc from "fast-check";
import { SaxesParser } from "saxes";
import { describe, expect, test } from "vitest";
import { type Problem, problem } from "../../../src/model/problem.ts";
import { formatProblems, sarifDocument } from "../../../src/report/problems/format-problems.ts";
import { hostileText } from "../hostile-text.ts";

// Both packages export their class and their function under CommonJS' `default`.
const ajv = new AjvDraft04.default({ strict: false, allErrors: true, unicodeRegExp: false });
ajvFormats.default(ajv);
const isSarif = ajv.compile(schema);

const options = { version: "1.2.3", folder: "", files: ["calendars/a.csv", "calendars/b.csv"] };
const error = problem("row/type", "Write `ready` & <go>.", {
  file: "calendars/a.csv",
  line: 3,
  column: 7,
  length: 4,
});
const warning = problem("schedule/past", "Past.", { file: "calendars/a b#.csv", line: 2 });
const cell = problem("row/type", "No.", { file: "plan.xlsx", line: 3, column: 2, cell: "Plan!B3" });
const nowhere = problem("service/no-key", "There is no key.");

/** Harmful texts and names at harmless places. */
const hostileProblem: fc.Arbitrary<Problem> = fc
  .record({ message: hostileText, file: hostileText })
  .map(({ message, file }) => problem("row/type", message, { file, line: 1, column: 1 }));

describe("SARIF", () => {
  test.each<[string, Problem[]]>([
    ["no problem", []],
    ["problems of all kinds", [error, warning, cell, nowhere, error]],
  ])("is valid by the official schema with %s", (_name, problems) => {
    expect(isSarif(sarifDocument(problems, options)), JSON.stringify(isSarif.errors)).toBe(true);
  });

  test("the schema refuses invalid SARIF", () => {
    expect(isSarif({ ...sarifDocument([error], options), version: "2" })).toBe(false);
  });

  test("a caption creates no link or placeholder, and hides nothing in a message", () => {
    const hostile = problem("row/type", "see [this](https://evil.example) {0} {1} a[1] { x } \u{202E}");
    expect(sarifDocument([hostile], options)).toMatchObject({
      runs: [
        {
          results: [
            {
              message: {
                text: "see [this]\u{200B}(https://evil.example) {\u{200B}0} {\u{200B}1} a[1] { x } \\u{202e}",
              },
            },
          ],
        },
      ],
    });
  });

  test("names the place, the severity and the rule", () => {
    const document = sarifDocument([error, warning, cell, nowhere], { ...options, folder: "social" });
    expect(document).toMatchObject({
      runs: [
        {
          columnKind: "utf16CodeUnits",
          tool: { driver: { name: "plancast", semanticVersion: "1.2.3" } },
          results: [
            {
              ruleId: "row/type",
              level: "error",
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: "social/calendars/a.csv" },
                    region: { startLine: 3, startColumn: 7, endColumn: 11 },
                  },
                },
              ],
            },
            {
              level: "warning",
              locations: [
                { physicalLocation: { artifactLocation: { uri: "social/calendars/a%20b%23.csv" } } },
              ],
            },
            {
              locations: [
                {
                  physicalLocation: { artifactLocation: { uri: "social/plan.xlsx" } },
                  logicalLocations: [{ fullyQualifiedName: "Plan!B3" }],
                },
              ],
            },
            { ruleId: "service/no-key" },
          ],
        },
      ],
    });
    expect(JSON.stringify(document).match(/"region"/g)).toHaveLength(2);
  });

  test("is valid, and safe in a log, for any texts", () => {
    fc.assert(
      fc.property(fc.array(hostileProblem, { maxLength: 3 }), (problems) => {
        const text = formatProblems("sarif", problems, options);
        expect(isSarif(JSON.parse(text)), JSON.stringify(isSarif.errors)).toBe(true);
        expect(text).not.toMatch(/^\s*::|##\[/m);
      }),
      { numRuns: 50 },
    );
  });
});

/** The elements of an XML text, each as its name and attributes. Throws where it is not well formed. */
function elementsOf(xml: string): { name: string; attributes: Record<string, string> }[] {
  const found: { name: string; attributes: Record<string, string> }[] = [];
  const parser = new SaxesParser();
  parser.on("error", (fault) => {
    throw fault;
  });
  parser.on("opentag", ({ name, attributes }) => void found.push({ name, attributes }));
  parser.write(xml).close();
  return found;
}

describe("JUnit", () => {
  test("each file is a test suite: errors are failures, warnings are output, and a file without problems has one passing case", () => {
    const elements = elementsOf(formatProblems("junit", [error, warning, nowhere], options));
    expect(elements[0]).toEqual({
      name: "testsuites",
      attributes: { name: "plancast", tests: "5", failures: "2", errors: "0" },
    });
    const suites = elements.filter(({ name }) => name === "testsuite").map(({ attributes }) => attributes);
    expect(suites.map((suite) => [suite["name"], suite["tests"], suite["failures"]])).toEqual([
      ["calendars/a.csv", "1", "1"],
      ["calendars/b.csv", "1", "0"],
      ["calendars/a b#.csv", "2", "0"],
      ["project", "1", "1"],
    ]);
    expect(elements.find(({ name }) => name === "failure")?.attributes).toEqual({
      type: "row/type",
      message: "Write `ready` & <go>.",
    });
  });

  test("is well formed, and safe in a log, for any texts", () => {
    fc.assert(
      fc.property(fc.array(hostileProblem, { maxLength: 3 }), (problems) => {
        const text = formatProblems("junit", problems, options);
        const count = elementsOf(text).filter(({ name }) => name === "testcase").length;
        expect(count).toBe(problems.length + 2);
        expect(text).not.toMatch(/^\s*::|##\[/m);
      }),
    );
  });
});
