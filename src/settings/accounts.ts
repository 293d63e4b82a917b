/** `accounts:` of plancast.yaml: accounts on networks to which plancast publishes itself. Never holds a secret. */

import { z } from "zod";
import { VARIABLE_NAME } from "./environment.ts";

/** A setting that names an environment variable. @param what the variable contains, such as "an app password" */
export function variable(what: string) {
  return z
    .string()
    .regex(
      VARIABLE_NAME,
      `the name of an environment variable in capitals, such as BLUESKY_APP_PASSWORD, that contains ${what}. If it is the secret itself, remove it and make a new one`,
    )
    .describe(`Name of the environment variable that contains ${what}.`);
}

/** http is for servers on this machine; the code that opens the account checks that. */
const serverAddress = z
  .string()
  .regex(/^https?:\/\/[^/?#@\s]+\/?$/, "an address such as https://bsky.social");

const bluesky = z.strictObject({
  network: z.literal("bluesky").describe("An account on Bluesky, or on another server of the AT Protocol."),
  handle: z
    .string()
    .regex(/^@?[a-zA-Z0-9.:-]+$/, "a handle, such as garden.bsky.social")
    .transform((handle) => handle.replace(/^@/, ""))
    .describe("Handle of the account, such as garden.bsky.social."),
  password_env: variable("an app password of the account"),
  server: serverAddress.default("https://bsky.social").describe("Address of the account's server."),
  links: z
    .enum(["written", "short", "markdown"])
    .default("written")
    .describe(
      "How readers see links. `short`: shortened, as in Bluesky's app. `markdown`: the same, and `[text](https://…)` becomes a link with this text.",
    ),
});

const mastodon = z.strictObject({
  network: z.literal("mastodon").describe("An account on Mastodon, Pixelfed, GoToSocial, Pleroma or snac."),
  server: serverAddress.describe("Address of the server, such as https://mastodon.social."),
  token_env: variable("an access token of the account"),
});

const webhook = z.strictObject({
  network: z
    .literal("webhook")
    .describe("A web address that receives each post, such as a chat or an automation tool."),
  url_env: variable("the address of the webhook"),
  form: z
    .enum(["json", "discord", "slack"])
    .default("json")
    .describe("Form of the request: plancast's own JSON, or what Discord or Slack expect."),
  resend: z
    .boolean()
    .default(false)
    .describe(
      "Whether plancast sends a post again if the webhook did not answer. The receiver must then ignore repeats of `Idempotency-Key`.",
    ),
});

/** One account of `accounts:`. */
export const accountSchema = z.discriminatedUnion("network", [bluesky, mastodon, webhook]);

/** Networks on which plancast can publish without a service. */
export const ACCOUNT_NETWORKS: readonly AccountSettings["network"][] = ["bluesky", "mastodon", "webhook"];

/** The name of an account in `accounts:`. */
const ACCOUNT_NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/;

export const accountsSchema = z.record(
  z.string().regex(ACCOUNT_NAME, "a name in lower case, such as bluesky"),
  accountSchema,
);

export type AccountSettings = z.infer<typeof accountSchema>;
export type BlueskySettings = z.infer<typeof bluesky>;
export type MastodonSettings = z.infer<typeof mastodon>;
export type WebhookSettings = z.infer<typeof webhook>;

/**
 * What rows call an account: its network, or `network/name` if the project has several accounts there.
 * @param name in `accounts:`
 */
export function accountPlatform(name: string, accounts: Readonly<Record<string, AccountSettings>>): string {
  const network = accounts[name]?.network ?? name;
  const isOnly = Object.values(accounts).filter((other) => other.network === network).length === 1;
  return isOnly ? network : `${network}/${name}`;
}

/**
 * The account as people know it, by the name in posts; undefined if there is none.
 * @param platform the value that `accountPlatform` returns
 */
export function accountLabel(
  platform: string,
  accounts: Readonly<Record<string, AccountSettings>>,
): string | undefined {
  const found = Object.entries(accounts).find(([name]) => accountPlatform(name, accounts) === platform);
  if (found === undefined) return undefined;
  const [name, account] = found;
  if (account.network === "bluesky") return `@${account.handle}`;
  return account.network === "mastodon" ? `${name}, ${new URL(account.server).host}` : name;
}

/** The environment variable with an account's secret. */
export function secretVariable(account: AccountSettings): string {
  switch (account.network) {
    case "bluesky":
      return account.password_env;
    case "mastodon":
      return account.token_env;
    case "webhook":
      return account.url_env;
  }
}
