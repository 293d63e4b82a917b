/**
 * Handles in planned posts that nobody on Bluesky has. The plan says so, because the post would go out with plain text
 * instead of a mention. Servers answer this to anybody, so no secret is sent.
 */

import pLimit from "p-limit";
import { richText } from "../checks/networks/bluesky-rich-text.ts";
import { contentOf, repliesOf } from "../checks/rules/rule.ts";
import { type GetRules, getChecked } from "../media/checked-request.ts";
import { durationMs } from "../model/clock.ts";
import type { Plan } from "../model/plan.ts";
import type { ResolvedPost } from "../model/post.ts";
import { type Problem, problem } from "../model/problem.ts";
import type { Field } from "../model/fields.ts";
import { type AccountSettings, type BlueskySettings, accountPlatform } from "../settings/accounts.ts";
import { jsonOrUndefined } from "../service/http/refusal.ts";
import { readBounded } from "../service/http/request.ts";
import { NOT_FOUND, handleLookup, mentionedHandles } from "./bluesky-record.ts";
import { type PageOptions, pageConnections, pageRules } from "./link-cards.ts";
import { ownCode } from "./network-requests.ts";

/** More handles than these are not looked up: a plan must not wait long for somebody else's server. */
const MAX_HANDLES = 40;
const AT_ONCE = 4;
const TIMEOUT = "5s";
const MAX_ANSWER_BYTES = 10_000;

interface LookupOptions extends PageOptions {
  readonly accounts: Readonly<Record<string, AccountSettings>>;
}

interface Mention {
  readonly handle: string;
  readonly server: string;
  readonly post: ResolvedPost;
  readonly field: Field;
  readonly item: number | undefined;
}

/** A warning for each handle in posts that the plan creates. If a server does not answer, there is none. */
export async function unknownMentions(plan: Plan, options: LookupOptions): Promise<readonly Problem[]> {
  const mentions = mentionsIn(plan, options.accounts);
  if (mentions.length === 0) return [];
  const asked = new Map(mentions.map((each) => [`${each.server} ${each.handle}`, each]));
  const connections = pageConnections(options);
  const rules = pageRules(options, connections, TIMEOUT);
  const inTurn = pLimit(AT_ONCE);
  try {
    const unknown = new Set<string>();
    await Promise.all(
      [...asked].slice(0, MAX_HANDLES).map(([name, mention]) =>
        inTurn(async () => {
          if (await isUnknown(mention, rules)) unknown.add(name);
        }),
      ),
    );
    return mentions
      .filter(({ server, handle }) => unknown.has(`${server} ${handle}`))
      .map(({ handle, post, field, item }) =>
        problem(
          "row/unknown-mention",
          `Nobody on Bluesky has the handle @${handle}. The post shows it as text, and mentions nobody. Correct it, if it is mistyped.`,
          post.at(field, item),
        ),
      );
  } finally {
    await connections.destroy();
  }
}

function mentionsIn({ changes, missing }: Plan, accounts: LookupOptions["accounts"]): readonly Mention[] {
  const own = new Map<string, BlueskySettings>();
  for (const [name, account] of Object.entries(accounts))
    if (account.network === "bluesky") own.set(accountPlatform(name, accounts), account);
  if (own.size === 0) return [];
  return [...changes, ...missing.map(({ create }) => create)].flatMap((change) => {
    if (change.action !== "create" && change.action !== "replace") return [];
    const post = change.desired;
    return post.platforms.flatMap((platform) => {
      const account = own.get(platform);
      return account === undefined ? [] : mentionsOf(post, account);
    });
  });
}

function mentionsOf(post: ResolvedPost, { server, links }: BlueskySettings): readonly Mention[] {
  return [contentOf(post), ...repliesOf(post)].flatMap(({ text, field, item }) =>
    mentionedHandles(richText(text, links)).map((handle) => ({ handle, server, post, field, item })),
  );
}

/** Whether the server says that nobody has the handle. Throws only if the run is interrupted. */
async function isUnknown({ server, handle }: Mention, rules: GetRules): Promise<boolean> {
  const { href } = new URL(handleLookup(handle), server);
  const answer = await getChecked(href, { accept: "application/json" }, rules, async (response) => {
    if (response.statusCode !== 400) return false;
    const bytes = await readBounded(response.body, { timeoutMs: durationMs(TIMEOUT) }, MAX_ANSWER_BYTES);
    return NOT_FOUND.test(ownCode(jsonOrUndefined(bytes.toString("utf8"))) ?? "");
  });
  return answer === true;
}
