/** Three accounts on stand-ins: Bluesky, Mastodon and a webhook. With their settings, their secrets, and what they got. */
import { BLUESKY_PASSWORD, type BlueskyStandIn, startBluesky } from "./bluesky.ts";
import { MASTODON_TOKEN, type MastodonStandIn, startMastodon } from "./mastodon.ts";
import { type StandIn, startStandIn } from "./stand-in.ts";

export interface TestAccounts {
  readonly bluesky: BlueskyStandIn;
  readonly mastodon: MastodonStandIn;
  readonly webhook: StandIn;
  /** Texts that the webhook got. */
  readonly received: string[];
  /** As in plancast.yaml. */
  readonly accounts: Readonly<Record<string, object>>;
  /** The accounts' secrets, and the servers that may have them. */
  readonly env: Readonly<Record<string, string>>;
}

/** @param ignoresKeys whether Mastodon ignores every Idempotency-Key, so that only looking prevents a second post */
export async function startAccounts(options: {
  readonly ignoresKeys: boolean;
  readonly now?: () => number;
}): Promise<TestAccounts> {
  const [bluesky, mastodon] = [await startBluesky(), await startMastodon(options)];
  const received: string[] = [];
  const webhook = await startStandIn(({ body }) => {
    received.push(String(JSON.parse(body.toString("utf8")).text));
    return { json: {} };
  });
  return {
    bluesky,
    mastodon,
    webhook,
    received,
    accounts: {
      bsky: { network: "bluesky", handle: "garden.test", password_env: "BSKY", server: bluesky.origin },
      masto: { network: "mastodon", server: mastodon.origin, token_env: "MASTO" },
      press: { network: "webhook", url_env: "PRESS" },
    },
    env: {
      BSKY: BLUESKY_PASSWORD,
      MASTO: MASTODON_TOKEN,
      PRESS: `${webhook.origin}/hook`,
      PLANCAST_TRUSTED_ORIGINS: `${bluesky.origin}=BSKY ${mastodon.origin}=MASTO`,
    },
  };
}

/** How often a text is on Bluesky, on Mastodon, and at the webhook. */
export function counts(
  { bluesky, mastodon, received }: Pick<TestAccounts, "bluesky" | "mastodon" | "received">,
  text: string,
): readonly [number, number, number] {
  return [
    [...bluesky.records.values()].filter((record) => record["text"] === text).length,
    mastodon.statuses.filter((status) => status.text === text).length,
    received.filter((each) => each === text).length,
  ];
}

/** What is wrong on the accounts; empty if each text is on the networks once, and at the webhook at most once. */
export function publishingFaults(
  world: Pick<TestAccounts, "bluesky" | "mastodon" | "received">,
  texts: readonly string[],
): string[] {
  return texts.flatMap((text) => {
    const [onBluesky, onMastodon, atWebhook] = counts(world, text);
    const isRight = onBluesky === 1 && onMastodon === 1 && atWebhook <= 1;
    return isRight
      ? []
      : [`${text}: ${onBluesky} times on Bluesky, ${onMastodon} on Mastodon, ${atWebhook} at the webhook`];
  });
}

/**
 * Lets both networks fail at random, before or after they have handled a request. Bluesky also ends sessions, and the next
 * one too, as if another run signed in. @param next a number below its argument
 */
export function failAtRandom(
  { bluesky, mastodon }: Pick<TestAccounts, "bluesky" | "mastodon">,
  next: (below: number) => number,
): void {
  let endings = 0;
  for (const network of [bluesky, mastodon]) {
    network.watch = (name, moment) => {
      if (moment === "arrived" && name.endsWith(".putRecord")) {
        if (next(40) === 0) endings = 2;
        if (endings > 0) bluesky.expire();
        endings -= 1;
      }
      if (next(40) > 0) return undefined;
      return moment === "handled" ? "lost-answer" : next(2) === 0 ? "lost-request" : 503;
    };
  }
}
