/**
 * Checks that need the service: whether it has the networks and the media of posts to send, and whether its clock shows
 * the same time.
 */

import pLimit from "p-limit";
import { optionUnsupported } from "../checks/rules/option-rules.ts";
import { aliasesOf, unknownAccounts, unknownPlatforms } from "../checks/platforms.ts";
import { canonicalPlatforms } from "../model/canonical.ts";
import type { Clock } from "../model/clock.ts";
import { groupBy } from "../model/data.ts";
import { type ExtraPart, NEEDED_EXTRAS, lackingPlatforms } from "../model/extras.ts";
import { Failure, ignoreFailure } from "../model/failure.ts";
import { type Lockfile, getOwn } from "../model/lockfile.ts";
import type { ResolvedPost } from "../model/post.ts";
import { type Problem, problem } from "../model/problem.ts";
import { notStoredText, unseenPartsText } from "../problems/extra-texts.ts";
import { disabledText, otherClockText } from "../problems/plan-texts.ts";
import type { ReadService } from "../service/service.ts";
import type { Project } from "../settings/config.ts";
import { idToSend } from "./plan/compare.ts";
import type { Diff } from "./plan/input.ts";
import { mediaToSend } from "./plan/make-plan.ts";

export interface ServiceChecks {
  readonly problems: readonly Problem[];
  /** Ids of media to send that the service does not have. */
  readonly missingMedia: ReadonlySet<string>;
}

/** Costs up to two lists. If nothing will be sent, it costs nothing on services whose accounts are already known. */
export async function checkWithService(
  decided: Diff,
  lockfile: Lockfile,
  project: Project,
  service: ReadService,
): Promise<ServiceChecks> {
  // A person may let plancast create the missing rows, too.
  const again = decided.missing.map(({ create }) => create);
  const diff = { ...decided, changes: [...decided.changes, ...again] };
  const platforms = await checkPlatforms(postsToSend(diff), project, service);
  const kept = await irreplaceablePosts(diff, service);
  const missingMedia = await findMissingMedia(diff, lockfile, service);
  const disabled = await disabledAccounts(diff, service);
  const files = await unreachableFiles(diff, service);
  const late = await latePosts(diff, service);
  return {
    problems: [
      ...platforms,
      ...files,
      ...disabled,
      ...late,
      ...kept,
      ...unseenLosses(decided, lockfile),
      ...unknownMedia(diff, missingMedia),
    ],
    missingMedia,
  };
}

/** Posts that stay as they are, and that the service cannot publish now. */
async function disabledAccounts(
  { kept }: Diff,
  service: Pick<ReadService, "listInactiveNetworks">,
): Promise<readonly Problem[]> {
  if (kept.length === 0) return [];
  const inactive = (await service.listInactiveNetworks?.().catch(ignoreFailure)) ?? new Set<string>();
  return [...inactive].sort().flatMap((name) => {
    const those = kept.filter(({ desired }) => desired.platforms.includes(name));
    const [first] = those;
    if (first === undefined) return [];
    return [problem("platform/disabled", disabledText(name, those.length), first.desired.at("platforms"))];
  });
}

/**
 * Checks the networks of posts in calendars with errors, so that one run shows everything that is wrong. Failures of
 * the service do not matter here.
 */
export async function platformProblemsIfReachable(
  posts: readonly ResolvedPost[],
  project: Project,
  open: () => Promise<{ readonly service: ReadService; readonly close: () => Promise<void> }>,
): Promise<readonly Problem[]> {
  const check = async (): Promise<readonly Problem[]> => {
    const opened = await open();
    try {
      return await checkPlatforms(posts, project, opened.service);
    } finally {
      await opened.close();
    }
  };
  return (await check().catch(ignoreFailure)) ?? [];
}

function postsToSend({ changes }: Diff): readonly ResolvedPost[] {
  return changes.flatMap((change) =>
    change.action === "create" || change.action === "replace" ? change.desired : [],
  );
}

/** The networks of the posts, compared with the connected ones, and their settings. */
async function checkPlatforms(
  posts: readonly ResolvedPost[],
  project: Project,
  service: ReadService,
): Promise<Problem[]> {
  if (posts.length === 0) return [];
  const known = await service.listNetworks();
  if (known !== undefined) {
    const inactive = (await service.listInactiveNetworks?.()) ?? new Set();
    const unknown = unknownPlatforms(posts, { known, inactive }, aliasesOf(project.config));
    return [...unknown, ...unknownAccounts(project, known), ...(await lackingOptions(posts, service))];
  }
  const message =
    "plancast cannot read the service's list of connected platforms, so it did not check the names in the calendar.";
  return [problem("platform/unchecked", message)];
}

async function lackingOptions(
  posts: readonly ResolvedPost[],
  { whyNot }: Pick<ReadService, "whyNot">,
): Promise<readonly Problem[]> {
  if (whyNot === undefined) return [];
  const asked = await Promise.all(posts.map(async (post) => ({ post, fault: await whyNot(post) })));
  return asked.flatMap(({ post, fault }) =>
    fault === undefined ? [] : [problem(fault.code, fault.message, post.at(fault.field, fault.item))],
  );
}

/** Changes of posts that plancast did not send: what the service does not show, and the row does not have, is lost. */
function unseenLosses({ changes }: Diff, { posts }: Lockfile): readonly Problem[] {
  return changes.flatMap((change) => {
    if (change.action !== "replace" || getOwn(posts, change.key)?.unseen !== true) return [];
    const { desired, remote } = change;
    if (remote.mediaIds !== undefined) return [];
    const parts = UNSEEN_PARTS.filter((part) => remote[part] === undefined && desired[part] === undefined);
    const lost = [...(desired.media.length === 0 ? (["mediaIds"] as const) : []), ...parts];
    if (lost.length === 0) return [];
    return [problem("service/unseen-parts", unseenPartsText(lost), desired.at())];
  });
}

/** What people add to a post by hand, besides media. */
const UNSEEN_PARTS = ["thread", "first_comment"] as const satisfies ExtraPart[];

/** Files that the service could not get at their addresses. A file that several rows name is asked for once. */
async function unreachableFiles(
  { changes }: Diff,
  service: Pick<ReadService, "whyNotFile">,
): Promise<readonly Problem[]> {
  const asked = new Map<string, Promise<string | undefined> | undefined>();
  const limit = pLimit(FILES_AT_ONCE);
  const checks = changes.flatMap((change) =>
    mediaToSend(change).map(async (file, index): Promise<Problem[]> => {
      if (file.kind !== "file" || change.action === "cancel") return [];
      const known = asked.get(file.path) ?? limit(async () => service.whyNotFile?.(file));
      asked.set(file.path, known);
      const why = await known;
      if (why === undefined) return [];
      return [problem("media/no-address", why, change.desired.at("media", index))];
    }),
  );
  return (await Promise.all(checks)).flat();
}

/** Addresses that are checked at the same time. */
const FILES_AT_ONCE = 6;

/** One warning for each account that may publish late, at its first post. */
async function latePosts(diff: Diff, service: Pick<ReadService, "whyLate">): Promise<readonly Problem[]> {
  const kept = diff.kept.map(({ desired }) => desired);
  const sent = postsToSend(diff);
  if (service.whyLate === undefined || kept.length + sent.length === 0) return [];
  const late = (await service.whyLate(kept, sent).catch(ignoreFailure)) ?? new Map<string, string>();
  return [...late].flatMap(([platform, why]) => {
    const first = [...sent, ...kept].find(({ platforms }) => platforms.includes(platform));
    return first === undefined ? [] : [problem("platform/late", why, first.at("platforms"))];
  });
}

/** A new post beside one that the service keeps would be published, too. */
async function irreplaceablePosts(
  { changes }: Diff,
  { whyNotReplace }: Pick<ReadService, "whyNotReplace">,
): Promise<readonly Problem[]> {
  const asked = changes.map(async (change): Promise<Problem[]> => {
    if (change.action !== "replace") return [];
    const why = await whyNotReplace?.(change.remote.id);
    return why === undefined ? [] : [problem("service/cannot-replace", why, change.desired.at())];
  });
  return (await Promise.all(asked)).flat();
}

/** The media ids to send that the service does not have. */
async function findMissingMedia(
  { changes }: Diff,
  { media }: Lockfile,
  service: ReadService,
): Promise<ReadonlySet<string>> {
  const ids = changes.flatMap(mediaToSend).flatMap((each) => idToSend(each, media) ?? []);
  return ids.length === 0 ? new Set() : service.findMissingMedia([...new Set(ids)]);
}

/**
 * One warning for each extra part that the service does not store, or not for some networks: plancast schedules the
 * posts there without it.
 */
export function notStoredProblems(
  posts: readonly ResolvedPost[],
  { supports }: Pick<ReadService, "supports">,
  { config: { rules } }: Pick<Project, "config">,
): Problem[] {
  const found = posts.flatMap((post) =>
    lackingPlatforms(post, supports).map(([part, platforms]) => ({ part, platforms, post })),
  );
  return [...groupBy(found, ({ part }) => part)].flatMap(([part, those]) => {
    const [first] = those;
    if (first === undefined) return [];
    const platforms = supports?.has(part) === true ? those.flatMap((each) => each.platforms) : [];
    const isOption = part === "options";
    const { code } = optionUnsupported;
    const severity = isOption ? (rules[code] ?? optionUnsupported.severity) : undefined;
    if (severity === "off") return [];
    const isNeeded = severity === "error" || NEEDED_EXTRAS.some((each) => each === part);
    const message = notStoredText(part, those.length, canonicalPlatforms(platforms), isNeeded);
    const found = problem("service/not-stored", message, first.post.at(part));
    if (severity !== undefined) return [{ ...found, code, severity }];
    return [isNeeded ? { ...found, severity: "error" } : found];
  });
}

/** A file can be uploaded again; an id in a row cannot. */
function unknownMedia({ changes }: Diff, missing: ReadonlySet<string>): Problem[] {
  return changes.flatMap((change) =>
    mediaToSend(change).flatMap((each, index) => {
      if (change.action === "cancel" || each.kind !== "id" || !missing.has(each.id)) return [];
      const message = `The service has no media "${each.id}". Name a file instead, or use an id from plancast media list.`;
      return [problem("service/not-found", message, change.desired.at("media", index))];
    }),
  );
}

/** If the clocks differ by more, they disagree about which posts are past. */
const MAX_DIFFERENCE_MS = 10 * 60_000;

/**
 * Throws a Failure if the service's clock differs from this machine's.
 * @param aheadMs how far it is ahead; undefined if the service does not show it
 */
export function refuseOtherClock(aheadMs: number | undefined): void {
  if (aheadMs === undefined || Math.abs(aheadMs) <= MAX_DIFFERENCE_MS) return;
  const { message, hint } = otherClockText(aheadMs);
  throw new Failure("service/other-clock", message, hint);
}

/**
 * The clock of an embedded service that somebody has moved: it decides what is past. Undefined if it shows the time of the
 * run, or if the run is a trial at another time.
 */
export function movedClock(
  theirs: Clock | undefined,
  { clock, isTrial }: { readonly clock: Clock; readonly isTrial?: boolean },
): Clock | undefined {
  if (theirs === undefined || isTrial === true) return undefined;
  return Math.abs(theirs.now() - clock.now()) > MAX_DIFFERENCE_MS ? theirs : undefined;
}
