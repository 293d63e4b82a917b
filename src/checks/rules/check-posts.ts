/**
 * The rules with a project's settings. Checks the posts that are not past against them: what networks would refuse or
 * cut. Also lists them, for `plancast rules`.
 */

import { utcTime } from "../../model/canonical.ts";
import { mediaByText } from "../../model/extras.ts";
import { type Post, type ResolvedPost, withoutMedia } from "../../model/post.ts";
import type { Problem } from "../../model/problem.ts";
import type { RuleSeverity, Config } from "../../settings/config.ts";
import { type PlatformLimits, limitsOfProject, networkNamed } from "../networks/network-names.ts";
import { carriedBy } from "../../settings/carried-options.ts";
import { ALL_RULES } from "./all-rules.ts";
import type { Approvals, CheckedPost, Finding, PlatformRule, Rule, TitleOf } from "./rule.ts";
import type { Limits } from "../../settings/limits.ts";
import { NEVER_CLOSED, type ClosedTimes } from "../slots/closed-times.ts";
import { NETWORKS } from "../networks/networks.ts";

interface PostsToCheck {
  readonly posts: readonly ResolvedPost[];
  /** Posts with faulty media. */
  readonly unresolved: readonly Post[];
  readonly config: Pick<Config, "rules" | "limits" | "platforms" | "accounts"> &
    Partial<Pick<Config, "service">>;
  /** Ms since the epoch. */
  readonly now: number;
  /** Default: neither quiet hours nor holidays. */
  readonly closed?: ClosedTimes;
  /** Default: no client has answered. */
  readonly approvals?: Approvals;
}

/** Pure. Problems have the severity that the project gives the rule, and are in no particular order. */
export function checkPosts({
  posts,
  unresolved,
  config,
  now,
  closed = NEVER_CLOSED,
  approvals = { of: () => undefined },
}: PostsToCheck): Problem[] {
  const all =
    unresolved.length === 0
      ? posts
      : [...posts, ...unresolved.map((post): CheckedPost => ({ ...withoutMedia(post), media: undefined }))];
  const today = utcTime(now);
  const limitsOf = limitsOfProject(config);
  const titleOf: TitleOf = (platform) => limitsOf(platform)?.title ?? platform;
  const problems: Problem[] = [];
  // The posts of a row that repeats mostly have the same faults.
  const seen = new Set<string>();
  const isNew = (found: Problem): boolean => seen.size < seen.add(JSON.stringify(found)).size;
  const add = (
    rule: Rule,
    post: CheckedPost,
    { field, item, message }: Finding,
    severity = severityOf(rule, config.rules),
  ): void => {
    if (severity === "off") return;
    const found = { code: rule.code, severity, message, ...post.at(field, item) };
    if (post.series !== undefined && !isNew(found)) return;
    problems.push(found);
  };
  const rules = ALL_RULES.filter((rule) => severityOf(rule, config.rules) !== "off");
  const ofPost = rules.filter((rule) => rule.of === "post");
  const ofTime = rules.filter((rule) => rule.of === "time");
  const ofApproval = rules.filter((rule) => rule.of === "approval");
  const ofOption = rules.filter((rule) => rule.of === "option");
  const carried = carriedBy(config);
  const ofPlatform = rules.filter((rule) => rule.of === "platform");
  const ofMedia = rules.filter((rule) => rule.of === "media");
  for (const post of all) {
    if (post.scheduledAt <= today) continue;
    for (const rule of ofPost) for (const finding of rule.check(post)) add(rule, post, finding);
    for (const rule of ofTime)
      for (const finding of rule.check(post, closed, titleOf)) add(rule, post, finding);
    for (const rule of ofApproval)
      for (const finding of rule.check(post, approvals)) add(rule, post, finding);
    if (post.options !== undefined)
      for (const rule of ofOption) for (const finding of rule.check(post, carried)) add(rule, post, finding);
    const texts = textsWithMedia(post);
    for (const platform of post.platforms) {
      const limits = limitsOf(platform);
      if (limits === undefined) continue;
      const addOnPlatform = (rule: Rule & PlatformRule, finding: Finding): void =>
        add(rule, post, withHint(finding, rule, limits), onPlatformSeverity(rule, limits, config.rules));
      for (const rule of ofPlatform)
        for (const finding of rule.check(post, limits)) addOnPlatform(rule, finding);
      for (const rule of ofMedia)
        for (const { first, ...own } of texts)
          for (const { item, ...finding } of rule.check({ ...post, ...own }, limits))
            addOnPlatform(rule, item === undefined ? finding : { ...finding, item: first + item });
    }
  }
  // A past post may still be the earlier of two posts that clash.
  for (const rule of rules.filter((each) => each.of === "all-posts")) {
    for (const { post, ...finding } of rule.check(all, titleOf))
      if (post.scheduledAt > today) add(rule, post, finding);
  }
  return problems;
}

/** The media of one text of a post. */
interface MediaOfText extends Pick<CheckedPost, "media" | "alt"> {
  /** Index of its first medium among those of the post. */
  readonly first: number;
}

const NO_MEDIA: readonly MediaOfText[] = [];

/** A network counts the media of each text of a thread separately. */
function textsWithMedia({ media, alt = [], thread_media }: CheckedPost): readonly MediaOfText[] {
  if (media === undefined || thread_media === undefined)
    return media?.length === 0 ? NO_MEDIA : [{ media, alt, first: 0 }];
  let next = 0;
  const all = mediaByText(media, { thread_media }).map((own) => {
    const first = next;
    next += own.length;
    return { media: own, alt: alt.slice(first, next), first };
  });
  return all.filter((each) => each.media.length > 0);
}

/** What the network would refuse when the post is due is an error, unless the project sets the rule. */
function onPlatformSeverity(
  rule: Rule & PlatformRule,
  { account }: PlatformLimits,
  rules: Config["rules"],
): RuleSeverity {
  if (account === undefined || rule.isRefusal === undefined) return severityOf(rule, rules);
  return rules[rule.code] ?? "error";
}

function withHint(
  finding: Finding,
  { isRefusal }: PlatformRule,
  { account: { hint } = { limits: {} } }: PlatformLimits,
): Finding {
  if (isRefusal === undefined || hint === undefined) return finding;
  return { ...finding, message: `${finding.message} ${hint}` };
}

/** The severity of a rule in a project. */
function severityOf({ code, severity }: Rule, rules: Config["rules"]): RuleSeverity {
  return rules[code] ?? severity;
}

/** Every rule with its severity in a project, and every network with its limits there. */
export function listRules(config: Pick<Config, "rules" | "limits" | "platforms" | "accounts">): RuleList {
  const limitsOf = limitsOfProject(config);
  const known = NETWORKS.map(({ title, names, checked, sources }): ListedNetwork => ({
    title,
    names,
    limits: limitsOf(names[0])?.limits ?? {},
    own: limitsOf(names[0])?.own ?? {},
    checked,
    sources,
  }));
  const others = Object.keys(config.limits)
    .filter((name) => networkNamed(name) === undefined)
    .map((name): ListedNetwork => {
      const { limits = {}, own = {} } = limitsOf(name) ?? {};
      return { title: name, names: [name], limits, own, sources: [] };
    });
  return {
    rules: ALL_RULES.map((rule) => ({
      code: rule.code,
      severity: severityOf(rule, config.rules),
      usual: rule.severity,
      rule: rule.rule,
    })),
    networks: [...known, ...others],
  };
}

/** A rule in a project. */
export interface ListedRule {
  readonly code: string;
  readonly severity: RuleSeverity;
  /** The default severity. */
  readonly usual: RuleSeverity;
  /** The requirement, as a sentence. */
  readonly rule: string;
}

/** A network, or a platform that only the project knows, with its limits in the project. */
export interface ListedNetwork {
  readonly title: string;
  readonly names: readonly string[];
  readonly limits: Limits;
  /** The limits that the project sets. */
  readonly own: Limits;
  /** Year and month; absent if the project sets all of them. */
  readonly checked?: string;
  readonly sources: readonly string[];
}

/** All rules and limits. */
export interface RuleList {
  readonly rules: readonly ListedRule[];
  readonly networks: readonly ListedNetwork[];
}
