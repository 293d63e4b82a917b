/**
 * Handles in planned posts that nobody on Bluesky has. The plan says so, because the post would go out with plain text
 * instead of a mention. Servers answer this to anybody, so no secret is sent.
 */

import pLimit from "p-limit";
import { richText } from "../checks/networks/bluesky-rich-text.ts";
import type { AllowsHost } from "../media/allowed-hosts.ts";
import { anyConnections, bodyParts, getChecked, publicConnections } from "../media/checked-request.ts";
import type { Plan } from "../model/plan.ts";
import type { ResolvedPost } from "../model/post.ts";
import { type Problem, problem } from "../model/problem.ts";
import type { Field } from "../model/fields.ts";
import { type AccountSettings, type BlueskySettings, accountPlatform } from "../settings/accounts.ts";
import { mentionedHandles } from "./bluesky-record.ts";
import type { PageOptions } from "./link-cards.ts";

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
  readonly item?: number;
}

/** A warning for each handle in posts that the plan creates. If a server does not answer, there is none. */
export async function unknownMentions(plan: Plan, options: LookupOptions): Promise<readonly Problem[]> {
  const mentions = mentionsIn(plan, options.accounts);
  if (mentions.length === 0) return [];
  const asked = new Map(mentions.map((each) => [`${each.server} ${each.handle}`, each]));
  const connections = options.allowsPages === undefined ? publicConnections() : anyConnections();
  const inTurn = pLimit(AT_ONCE);
  try {
    const unknown = new Set<string>();
    await Promise.all(
      [...asked].slice(0, MAX_HANDLES).map(([name, mention]) =>
        inTurn(async () => {
          if (await isUnknown(mention, options, connections)) unknown.add(name);
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
  const { content, thread = [], first_comment: comment } = post;
  const texts: readonly (readonly [text: string, place: Pick<Mention, "field" | "item">])[] = [
    [content, { field: "content" }],
    ...thread.map((text, item) => [text, { field: "thread", item }] as const),
    ...(comment === undefined ? [] : [[comment, { field: "first_comment" }] as const]),
  ];
  return texts.flatMap(([text, place]) =>
    mentionedHandles(richText(text, links)).map((handle) => ({ handle, server, post, ...place })),
  );
}

/** Whether the server says that nobody has the handle. Throws only if the run is interrupted. */
async function isUnknown(
  { server, handle }: Mention,
  {
    allowsPages = () => false,
    userAgent,
    stop,
  }: { readonly allowsPages?: AllowsHost | undefined } & PageOptions,
  connections: ReturnType<typeof publicConnections>,
): Promise<boolean> {
  const url = new URL("/xrpc/com.atproto.identity.resolveHandle", server);
  url.searchParams.set("handle", handle);
  const rules = { allows: allowsPages, dispatcherFor: () => connections, timeout: TIMEOUT, userAgent, stop };
  const answer = await getChecked(url.href, { accept: "application/json" }, rules, async (response) => {
    if (response.statusCode !== 400) return false;
    let text = "";
    for await (const part of bodyParts(response)) {
      text += Buffer.from(part).toString("latin1");
      if (text.length > MAX_ANSWER_BYTES) return false;
    }
    // For a handle, `InvalidRequest` means that nobody has it.
    return /"error"\s*:\s*"(?:InvalidRequest|HandleNotFound)"/.test(text);
  });
  return answer === true;
}
