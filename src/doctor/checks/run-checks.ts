/** The table of checks, in the order of the report. To add one: write one object in a file of its subject next to this one, and add a line here. */

import type { Check, CheckFinding, Facts } from "../check.ts";
import { interfaceCheck, keyCheck, limitCheck, reachCheck, redisCheck, serviceCheck } from "./connection.ts";
import { listsCheck, platformsCheck, recordsCheck } from "./lists.ts";
import {
  calendarsCheck,
  clockCheck,
  diskCheck,
  journalCheck,
  lockCheck,
  lockfileCheck,
  nodeCheck,
  projectCheck,
} from "./machine.ts";

export const CHECKS: readonly Check[] = [
  nodeCheck,
  projectCheck,
  calendarsCheck,
  serviceCheck,
  keyCheck,
  redisCheck,
  reachCheck,
  clockCheck,
  interfaceCheck,
  limitCheck,
  listsCheck,
  recordsCheck,
  platformsCheck,
  lockCheck,
  lockfileCheck,
  journalCheck,
  diskCheck,
];

export function runChecks(facts: Facts): readonly CheckFinding[] {
  const findings = CHECKS.flatMap(({ name, run }) => {
    const result = run(facts);
    return result === undefined ? [] : [{ name, ...result }];
  });
  return withoutRepeatedSnippets(findings);
}

/** Lines for plancast.yaml that help with several findings appear at the first of them. */
function withoutRepeatedSnippets(findings: readonly CheckFinding[]): readonly CheckFinding[] {
  return findings.map((each) => {
    const first = findings.find(({ snippet }) => snippet !== undefined && snippet === each.snippet);
    if (first === undefined || first === each) return each;
    const { snippet: _shown, ...rest } = each;
    return { ...rest, advice: `The lines at ${first.name} fix this too.` };
  });
}
