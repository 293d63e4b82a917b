/** Compares the accounts that the service is connected to with the platforms in the calendars. */

import { networkNamed, networkOf } from "../../checks/networks/network-names.ts";
import { severalAccounts } from "../../checks/platforms.ts";
import { utcTime } from "../../model/canonical.ts";
import { Failure } from "../../model/failure.ts";
import { nearest } from "../../model/text.ts";
import { listSome } from "../../problems/plan-texts.ts";
import { plural } from "../../report/text/numbers.ts";
import { isDown, platformNames } from "../../service/answers/other-records.ts";
import type { Listed, PlatformRecord } from "../../service/records.ts";
import {
  type Check,
  type Facts,
  NEEDS_ANSWER,
  NEEDS_READABLE,
  failing,
  ok,
  skipped,
  warning,
  REPORTED_ELSEWHERE,
  worked,
} from "../check.ts";
import { ACCOUNT_NETWORKS } from "../../settings/accounts.ts";
import { EMBEDDED, REPOSITORY } from "../../settings/config.ts";
import { mappingHelp } from "../mapping-help.ts";

export const platformsCheck: Check = {
  name: "platforms",
  looksAt: "Whether each network of a scheduled row has a connected account, under the same name.",
  run: (facts) => {
    const { accounts } = facts.service ?? {};
    if (accounts instanceof Failure) return unlisted(accounts, facts);
    if (accounts === undefined) return skipped(NEEDS_ANSWER);
    const known = new Set(accounts.items.flatMap(namesOf));
    const used = usedIn(facts);
    if (known.size === 0) return nothingKnown(accounts, used, facts);
    const down = new Set(accounts.items.filter(isDown).flatMap(namesOf));
    const connected = new Set([...known].filter((name) => !down.has(name)));
    const missing = [...used].filter((name) => !known.has(name));
    const broken = [...used].filter((name) => down.has(name));
    if (missing.length > 0)
      return failing(
        missingPlatforms(missing, connected),
        missing.map((name) => adviceFor(name, connected, facts)).join(" "),
      );
    if (broken.length > 0)
      return failing(
        `The service's connection to ${broken.join(" and ")} is down.`,
        "Connect the account again in the service's settings.",
      );
    const calendars = used.size === 0 ? "" : ` The calendars use ${[...used].sort().join(", ")}.`;
    const others = down.size === 0 ? "" : ` Down, and not used: ${[...down].join(", ")}.`;
    return ok(
      `${plural(accounts.items.length, "connected account")}: ${listed(known)}.${calendars}${others}`,
    );
  },
};

/** Whether plancast publishes on the accounts itself. */
function isOwn({ service }: Facts): boolean {
  return service?.settings.url === EMBEDDED || service?.settings.url === REPOSITORY;
}

function connectWay(facts: Facts): string {
  return isOwn(facts) ? "with `plancast accounts add`" : "in the service's settings";
}

function connectAdvice(name: string, facts: Facts): string {
  const mayConnect = !isOwn(facts) || ACCOUNT_NETWORKS.some((network) => network === networkOf(name));
  return mayConnect
    ? `Connect ${name} ${connectWay(facts)}`
    : `plancast itself publishes only on ${ACCOUNT_NETWORKS.join(", ")}: use a service for ${name}`;
}

function nothingKnown({ items }: Listed<PlatformRecord>, used: ReadonlySet<string>, facts: Facts) {
  const message =
    items.length === 0
      ? "The service has no connected account."
      : "The accounts do not show their platforms.";
  if (items.length > 0 || used.size === 0)
    return warning(
      message,
      `plancast cannot check the names in calendars. Connect accounts ${connectWay(facts)}.`,
    );
  const advice = [...used].sort().map((name) => `${connectAdvice(name, facts)}.`);
  return failing(message, advice.join(" "));
}

/**
 * Failures of all requests are reported with the key and the connection; failures that also affect posts, with those.
 */
function unlisted({ code, message, hint }: Failure, facts: Facts) {
  const { posts } = facts.service ?? {};
  if (REPORTED_ELSEWHERE.has(code)) return skipped(NEEDS_ANSWER);
  if (code !== "service/unreadable") return warning(message, hint ?? "");
  if (posts instanceof Failure && posts.code === code) return skipped(NEEDS_READABLE);
  const help = mappingHelp(facts);
  const unchecked = "plancast cannot check the names in calendars.";
  return help === undefined
    ? warning(message, `${unchecked} docs/run/doctor.md explains service.shape.`)
    : warning(message, `${unchecked} ${help.advice}`, help.snippet);
}

/** Only for upcoming posts, because past rows need no account. */
function usedIn({ calendars, now }: Facts): ReadonlySet<string> {
  const posts = worked(calendars) ? calendars.posts : [];
  return new Set(
    posts.filter(({ scheduledAt }) => scheduledAt > utcTime(now)).flatMap((post) => post.platforms),
  );
}

function namesOf({ record, platform }: PlatformRecord): readonly string[] {
  return platformNames(record) ?? (platform === undefined ? [] : [platform]);
}

function missingPlatforms(missing: readonly string[], known: ReadonlySet<string>): string {
  const names = missing.length === 1 ? "this name" : "these names";
  return `The calendars name ${missing.join(" and ")}, but the service has no account with ${names}. Connected: ${listed(known)}.`;
}

function listed(known: ReadonlySet<string>): string {
  return listSome(
    [...known].sort().map((name) => name.slice(0, 60)),
    20,
  );
}

/**
 * Another name for the same network is an alias, and a typing mistake can be fixed. Other networks must be connected.
 */
function adviceFor(name: string, known: ReadonlySet<string>, facts: Facts): string {
  const network = networkNamed(name);
  const same = network && [...known].find((each) => networkNamed(each) === network);
  if (same !== undefined)
    return `The service calls ${name} "${same}": set platforms: { ${name}: ${same} } in plancast.yaml.`;
  const several = severalAccounts(name, known);
  if (several !== undefined) return several;
  const near = nearest(name, known);
  return near === undefined
    ? `${connectAdvice(name, facts)}, or remove it from the calendars.`
    : `${name} may be mistyped: did you mean ${near}?`;
}
