/**
 * What an account takes where plancast publishes itself. The checks before apply and the code that sends use these facts,
 * so a post that passes the checks is not refused for them when it is due.
 */

import type { AccountSettings, BlueskySettings, WebhookSettings } from "../../settings/accounts.ts";
import type { Reference } from "../../model/extras.ts";
import type { Limits } from "../../settings/limits.ts";
import { richText } from "./bluesky-rich-text.ts";

export interface AccountLimits {
  /** What receives the posts, if it is not a network of the table: `Discord`. */
  readonly title?: string;
  /** What differs from the limits of the network. */
  readonly limits: Limits;
  /** Whether one text has everything: the post, its thread and its first comment. */
  readonly joinsTexts?: true;
  /** Whether a picture becomes smaller, or another type, if it does not fit. */
  readonly convertsPictures?: true;
  /** A text as readers see it, if the account does not show it as it is written. */
  readonly shown?: (text: string) => string;
  /** The same, with a setting of the account that the project does not have yet. */
  readonly otherwise?: { readonly setting: string; readonly shown: (text: string) => string };
  /** The posts that a post can refer to, each with the form of their addresses. */
  readonly refersTo?: { readonly [Part in Reference]?: RegExp };
  /** Whether a post can have a poll. */
  readonly hasPolls?: true;
  /** Whether readers see `[text](https://…)` as a link. Only where plancast knows that they do not, it is a mistake. */
  readonly showsMarkdown?: true;
  /** Where the account's own limits can be read, for messages. */
  readonly hint?: string;
}

/** Between the texts of a post that are sent as one. */
export const TEXT_SEPARATOR = "\n\n";

/** Pictures of a post. Source: the lexicon app.bsky.embed.gallery. */
const BLUESKY_PICTURES = 10;

/** What the embedded service keeps of a text and of an alt text, where a network names no limit. */
const KEPT = { text: 100_000, count: "utf16", alt: 5_000 } as const;

/** The address of a post on a page of Bluesky, or in the protocol. */
export const BLUESKY_POST =
  /^(?:https:\/\/[\w.-]+\/profile\/|at:\/\/)(?<author>[\w.:%-]{1,300})\/(?:post|app\.bsky\.feed\.post)\/(?<key>[\w.~:-]{1,512})$/;

/** Sources: Discord's API, "Create Message" and "Uploading Files"; Slack's API, "chat.postMessage"; 2026-11. */
const WEBHOOKS: Readonly<Record<WebhookSettings["form"], AccountLimits>> = {
  json: { limits: { ...KEPT, media_size: "10MB" }, showsMarkdown: true },
  discord: {
    title: "Discord",
    showsMarkdown: true,
    limits: { text: 2000, count: "characters", alt: 1024, media: 10, media_size: "10MB" },
    joinsTexts: true,
  },
  slack: { title: "Slack", limits: { text: 40_000, count: "characters", media: 0 }, joinsTexts: true },
};

export function limitsOfAccount(account: AccountSettings): AccountLimits {
  switch (account.network) {
    case "bluesky":
      return {
        limits: { images: BLUESKY_PICTURES, alt: KEPT.alt },
        convertsPictures: true,
        refersTo: { reply_to: BLUESKY_POST, quote: BLUESKY_POST },
        ...linksOnBluesky(account),
      };
    case "mastodon":
      return {
        limits: {},
        convertsPictures: true,
        hasPolls: true,
        refersTo: { reply_to: /^https?:\/\/\S+$/ },
        hint: "If its server allows more, `plancast accounts check` shows the line for plancast.yaml.",
      };
    case "webhook":
      return WEBHOOKS[account.form];
  }
}

function linksOnBluesky({
  links,
}: BlueskySettings): Pick<AccountLimits, "shown" | "otherwise" | "showsMarkdown"> {
  if (links === "written")
    return { otherwise: { setting: "links: short", shown: (text) => richText(text, "short").text } };
  return {
    shown: (text) => richText(text, links).text,
    ...(links === "markdown" ? { showsMarkdown: true } : {}),
  };
}
