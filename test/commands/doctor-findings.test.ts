/** `plancast doctor`: the last line of its findings. */

import { expect, test } from "vitest";
import type { CheckFinding } from "../../src/doctor/check.ts";
import { findingsDocument, findingsText } from "../../src/commands/doctor.ts";
import { createStyle } from "../../src/report/text/style.ts";

const STYLE = createStyle({ width: 80, color: false, unicode: true });

test.each<[readonly CheckFinding["state"][], string]>([
  [["ok"], "No problems found."],
  [["ok", "warning"], "No problems, 1 warning."],
  [["problem", "warning"], "1 thing to do, 1 warning."],
])("findings %j end with: %s", (states, summary) => {
  const findings = states.map((state): CheckFinding => ({ name: "node", state, message: "Node." }));
  expect(findingsText(findingsDocument(findings, 0), STYLE).trimEnd().split("\n").at(-1)).toBe(summary);
});
