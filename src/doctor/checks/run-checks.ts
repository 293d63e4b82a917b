/** Every check, in the order in which they are told. A new one is a file in checks/ and a line here. */

import type { Check } from "../check.ts";
import type { Facts } from "../facts.ts";
import type { Finding } from "../finding.ts";
import { addressCheck, keyCheck, reachCheck, redisCheck } from "./connection.ts";
import { clockCheck, limitCheck } from "./headers.ts";
import { platformsCheck } from "./platforms.ts";
import { calendarsCheck, mediaCacheCheck, nodeCheck, projectCheck } from "./project.ts";
import { automationsCheck, listsCheck, mediaCheck, recordsCheck } from "./records.ts";
import { journalCheck, lockCheck, lockfileCheck } from "./state.ts";

const ALL_CHECKS: readonly Check[] = [
  nodeCheck,
  projectCheck,
  calendarsCheck,
  addressCheck,
  keyCheck,
  redisCheck,
  reachCheck,
  clockCheck,
  limitCheck,
  listsCheck,
  recordsCheck,
  platformsCheck,
  mediaCheck,
  automationsCheck,
  lockCheck,
  lockfileCheck,
  journalCheck,
  mediaCacheCheck,
];

export function runChecks(facts: Facts): readonly Finding[] {
  return withoutRepeatedSnippets(ALL_CHECKS.flatMap((check) => check(facts) ?? []));
}

/** The same lines for the project file are told by the first that needs them. */
function withoutRepeatedSnippets(findings: readonly Finding[]): readonly Finding[] {
  return findings.map((each) => {
    const first = findings.find(({ snippet }) => snippet !== undefined && snippet === each.snippet);
    if (first === undefined || first === each) return each;
    const { snippet: _told, ...rest } = each;
    return { ...rest, advice: `The lines at ${first.name} are for this, too.` };
  });
}
