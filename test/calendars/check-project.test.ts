import { describe, expect, test } from "vitest";
import { ProjectProblems } from "../../src/model/failure.ts";
import { parseProject } from "../../src/calendars/project.ts";

function problemsOf(text: string): { code: string; line: number | undefined; message: string }[] {
  try {
    parseProject("plancast.yaml", text);
    return [];
  } catch (error) {
    if (!(error instanceof ProjectProblems)) throw error;
    return error.problems.map(({ code, line, message }) => ({ code, line, message }));
  }
}

test("reads severities and limits", () => {
  const text = `
rules: { content/too-long: error, row/same-minute: off, media/broken: warning }
limits:
  twitter: { text: 25000, video_length: 10m }
  our forum: { text: 10, count: graphemes, image_ratio_min: 4:5, image_size: 5 MiB, image_types: [image/png] }
`;
  expect(parseProject("plancast.yaml", text)).toMatchObject({
    rules: { "content/too-long": "error", "row/same-minute": "off", "media/broken": "warning" },
    limits: { twitter: { text: 25_000 }, "our forum": { image_ratio_min: "4:5" } },
  });
});

test.each([
  ["safety: { lead_time: 5 }", "`safety.lead_time` must be a number and a unit, such as 90s, 2m, 1h or 1d,"],
  ["service: { timeout: 60 }", "`service.timeout` must be a number and a unit, such as 90s, 2m, 1h or 1d,"],
  ["limits: { x: { image_size: 5 } }", "must be a number and a unit, such as 900kB, 5MB or 5MiB,"],
])("a number without a unit gets an error that lists the units: %s", (text, message) => {
  expect(problemsOf(text).map((each) => each.message)).toEqual([expect.stringContaining(message)]);
});

describe("plancast.yaml", () => {
  test.each([
    ["rules: { content/too-lon: error }", "project/unknown-key", "Did you mean `content/too-long`?"],
    ["rules: { row/duplicate-id: off }", "project/unknown-key", "You cannot set"],
    ["rules: { media/broken: of }", "project/invalid", "Did you mean `off`?"],
    ["service: { api_key_env: ACME }", "project/unknown-key", "Did you mean `key_env`?"],
    ["service: { api_key: ACME_KEY }", "project/unknown-key", "Did you mean `key_env`?"],
    ["service: { api_key_env: sk_live_1 }", "project/unknown-key", "make a new key"],
    ["service: { token: AKIAIOSFODNN7EXAMPLE }", "project/unknown-key", "make a new key"],
    ["service: { password: hunter2 }", "project/unknown-key", "make a new key"],
    ["service: { key_env: acme }", "project/invalid", "environment variable in capitals"],
    ["limits: { twitter: { txt: 5 } }", "project/unknown-key", "Did you mean `text`?"],
    ["limits: { twitter: { text: -1 } }", "project/invalid", "`limits.twitter.text`"],
    ["limits: { twitter: { image_size: 5 apples } }", "project/invalid", "such as 900kB, 5MB or 5MiB"],
    ["limits: { twitter: { image_ratio_max: wide } }", "project/invalid", "such as 4:5"],
    ["limits: { twitter: { mixed: 3 } }", "project/invalid", "must be true or false"],
    ["limits: { twitter: 280 }", "project/invalid", "must be a mapping"],
  ])("refuses %s", (text, code, message) => {
    const problems = problemsOf(text);
    expect(problems).toMatchObject([{ code, line: 1 }]);
    expect(problems[0]?.message).toContain(message);
  });
});
