/** Every check, in the order in which they are told. A new one is a file in checks/ and a line here. */
import type { Finding } from "../calendar/finding.ts";
import type { Check } from "./check.ts";
import { address } from "./checks/address.ts";
import { calendars } from "./checks/calendars.ts";
import { clock } from "./checks/clock.ts";
import { journal } from "./checks/journal.ts";
import { key } from "./checks/key.ts";
import { limit } from "./checks/limit.ts";
import { lists } from "./checks/lists.ts";
import { lock } from "./checks/lock.ts";
import { lockfile } from "./checks/lockfile.ts";
import { mediaCache } from "./checks/media-cache.ts";
import { automations, media } from "./checks/others.ts";
import { node } from "./checks/node.ts";
import { platforms } from "./checks/platforms.ts";
import { project } from "./checks/project.ts";
import { reach } from "./checks/reach.ts";
import { records } from "./checks/records.ts";
import { redis } from "./checks/redis.ts";
import type { Facts } from "./facts.ts";

const ALL_CHECKS: readonly Check[] = [
  node,
  project,
  calendars,
  address,
  key,
  redis,
  reach,
  clock,
  limit,
  lists,
  records,
  platforms,
  media,
  automations,
  lock,
  lockfile,
  journal,
  mediaCache,
];

export function findingsOf(facts: Facts): readonly Finding[] {
  return toldOnce(ALL_CHECKS.flatMap((check) => check(facts) ?? []));
}

/** The same lines for the project file are told by the first that needs them. */
function toldOnce(findings: readonly Finding[]): readonly Finding[] {
  return findings.map((each) => {
    const first = findings.find(({ snippet }) => snippet !== undefined && snippet === each.snippet);
    if (first === undefined || first === each) return each;
    const { snippet: _told, ...rest } = each;
    return { ...rest, advice: `The lines at ${first.name} are for this, too.` };
  });
}
