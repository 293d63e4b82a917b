/** The answers of Postiz's public API, and their meaning. Source: gitroomhq/postiz-app, its public API controller. */

import { z } from "zod";
import { canonicalContent, isoInstant, utcTime } from "../../model/canonical.ts";
import type { RemotePost } from "../../model/post.ts";
import { accountPlatforms } from "../account-names.ts";
import type { PlatformRecord, PostRecord } from "../records.ts";
import type { PostState } from "../service.ts";
import { isId } from "../answers/record.ts";
import { fromHtml } from "./html.ts";

const id = z.string().refine(isId, "must be an id");

/** Times are those of JavaScript: `2030-02-01T09:00:00.000Z`. */
const time = z.string().transform((text, context) => {
  const ms = isoInstant(text, "Z");
  if (ms !== undefined) return utcTime(ms);
  context.addIssue("must be a time in an ISO 8601 form");
  return z.NEVER;
});

/** An account, which Postiz calls an integration or a channel. */
const integration = z.looseObject({
  id,
  name: z.string().nullish(),
  identifier: z.string(),
  disabled: z.boolean().nullish(),
  profile: z.string().nullish(),
});

export const integrationsAnswer = z.array(integration);

const listedPost = z.looseObject({
  id,
  content: z.string().nullish(),
  publishDate: time,
  state: z.string(),
  group: z.string().min(1),
  releaseURL: z.string().nullish(),
  integration: z.looseObject({ id, providerIdentifier: z.string() }),
});

export type ListedPost = z.infer<typeof listedPost>;

export const postsAnswer = z.object({ posts: z.array(listedPost) });

/** The answer to a create with one post. */
export const createdAnswer = z.array(z.looseObject({ postId: id, integration: id })).length(1);

/** The address holds both, because posts need both. */
export const uploadAnswer = z.looseObject({ id, path: z.url({ protocol: /^https?$/ }) });

/** Postiz's names of networks for which plancast has another one. */
const NETWORKS: ReadonlyMap<string, string> = new Map([
  ["x", "twitter"],
  ["linkedin-page", "linkedin"],
  ["instagram-standalone", "instagram"],
  ["tiktok-business", "tiktok"],
  ["gmb", "googlebusiness"],
  ["wrapcast", "warpcast"],
]);

function networkOf(identifier: string): string {
  return NETWORKS.get(identifier) ?? identifier.toLowerCase();
}

export interface Account extends PlatformRecord {
  readonly id: string;
  /** Postiz's name of the network. */
  readonly identifier: string;
  readonly platform: string;
  /** Whether it is switched off in Postiz, so that it does not publish. */
  readonly isDisabled: boolean;
}

/** Accounts that are switched off have names too, so that switching one off renames no other. */
export function accountsIn(answer: z.infer<typeof integrationsAnswer>): readonly Account[] {
  const platforms = accountPlatforms(
    answer.map(({ id: own, identifier, profile, name }) => ({
      id: own,
      network: networkOf(identifier),
      names: [profile ?? "", name ?? ""],
    })),
  );
  return answer.map((record) => ({
    id: record.id,
    identifier: record.identifier,
    platform: platforms.get(record.id) ?? networkOf(record.identifier),
    name: record.name ?? record.profile ?? record.id,
    isDisabled: record.disabled === true,
    record: { ...record, platform: platforms.get(record.id), active: record.disabled !== true },
  }));
}

const STATUSES: ReadonlyMap<string, "scheduled" | "published" | "failed"> = new Map([
  ["QUEUE", "scheduled"],
  ["PUBLISHED", "published"],
  ["ERROR", "failed"],
]);

export function stateOf({ state }: ListedPost): PostState {
  const known = STATUSES.get(state);
  return known === undefined ? { state: "unknown", status: state.toLowerCase() } : { state: known };
}

/** Postiz does not list media, threads and alt texts, so they are absent. */
export function remotePost(post: ListedPost, accounts: readonly Account[]): RemotePost {
  const { integration: own, content, publishDate } = post;
  const platform = accounts.find((each) => each.id === own.id)?.platform;
  return {
    id: post.id,
    content: canonicalContent(fromHtml(content ?? "")),
    // An account that was just connected or removed: nobody can compare its posts.
    ...(platform === undefined ? {} : { platforms: [platform] }),
    scheduledAt: publishDate,
  };
}

export function postRecord(post: ListedPost, accounts: readonly Account[]): PostRecord {
  const { releaseURL } = post;
  const link = releaseURL?.startsWith("http") === true ? { permalink: releaseURL } : {};
  const status = STATUSES.get(post.state) ?? post.state.toLowerCase();
  return { ...remotePost(post, accounts), status, record: { ...post, status, ...link } };
}
