/** Large YAML calendars are read in a time that grows with them. */

import { describe, expect, test } from "vitest";
import { readYaml } from "../../../../src/calendars/formats/yaml/read-yaml.ts";
import { GROWS_TOO_FAST, growth } from "../../../support/growth.ts";

describe.each<
  [string, (size: number) => string, (size: number) => readonly [rows: number, problems: number]]
>([
  [
    "posts that share one set of values",
    (size) =>
      `- &shared {platforms: [x, linkedin], time: 09:00, timezone: UTC}\n${"- {<<: *shared, content: a}\n".repeat(size)}`,
    (size) => [size + 1, 0],
  ],
  ["lists that are never closed", (size) => "- media: [a\n".repeat(size), () => [0, 100]],
  [
    "unknown keys of one post, which are more than a calendar has columns",
    (size) => `- {${Array.from({ length: size }, (_, index) => `k${index}: 1`).join(", ")}}\n`,
    () => [0, 1],
  ],
])("%s", (_what, write, expected) => {
  test("are all read, even 10,000 of them", () => {
    const { rows, problems } = readYaml("a.yaml", write(10_000));
    expect([rows.length, problems.length]).toEqual(expected(10_000));
  });

  test("are read in linear time", () => {
    expect(growth((size) => readYaml("a.yaml", write(size)), 500)).toBeLessThan(GROWS_TOO_FAST);
  });
});
