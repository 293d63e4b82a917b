/** Every check, in the order in which they are told. A new one is a file in checks/ and a line here. */
import type { Finding } from "../calendar/finding.ts";
import type { Check } from "./check.ts";
import { addressCheck } from "./checks/address.ts";
import { calendarsCheck } from "./checks/calendars.ts";
import { clockCheck } from "./checks/clock.ts";
import { journalCheck } from "./checks/journal.ts";
import { keyCheck } from "./checks/key.ts";
import { limitCheck } from "./checks/limit.ts";
import { listsCheck } from "./checks/lists.ts";
import { lockCheck } from "./checks/lock.ts";
import { lockfileCheck } from "./checks/lockfile.ts";
import { mediaCacheCheck } from "./checks/media-cache.ts";
import { automationsCheck, mediaCheck } from "./checks/others.ts";
import { nodeCheck } from "./checks/node.ts";
import { platformsCheck } from "./checks/platforms.ts";
import { projectCheck } from "./checks/project.ts";
import { reachCheck } from "./checks/reach.ts";
import { recordsCheck } from "./checks/records.ts";
import { redisCheck } from "./checks/redis.ts";
import type { Facts } from "./facts.ts";

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
