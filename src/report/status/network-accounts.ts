/** The accounts of plancast.yaml, and what people are asked when they add one. */

import type { AccountSettings } from "../../settings/accounts.ts";
import type { AccountDocument } from "../documents/project.ts";
import { terminalText } from "../text/escape.ts";
import { type Column, paragraph, tableLines } from "../text/wrap.ts";
import type { Style } from "../text/style.ts";

export function networkAccountsText(accounts: readonly AccountDocument[], style: Style): string {
  if (accounts.length === 0)
    return terminalText(paragraph("plancast.yaml has no accounts. `plancast accounts add` adds one.", style));
  const isChecked = accounts.some(({ check }) => check !== undefined);
  const columns: Column<AccountDocument>[] = [
    { title: "account", cell: ({ name }) => name },
    { title: "in rows", cell: ({ platform }) => platform },
    { title: "server", cell: ({ server }) => server, mayTruncate: true },
    { title: "secret", cell: ({ variable, secret }) => `${variable} is ${secret}` },
    ...(isChecked ? [{ title: "result", cell: resultText, mayTruncate: true }] : []),
  ];
  // Whole, because the table cuts long cells.
  const notes = accounts.flatMap((account) => {
    const { name, check } = account;
    const text = check?.state === "failed" ? `${name} failed: ${check.reason}` : limitsText(account);
    return text === "" ? [] : paragraph(text, style);
  });
  return terminalText([...tableLines(accounts, columns, style), ...notes]);
}

/**
 * The lines that make the checks follow a server with different limits. Blank if the checks already follow the
 * server.
 */
export function limitsText({ platform, check }: Pick<AccountDocument, "platform" | "check">): string {
  if (check?.state !== "ready" || check.limits === undefined) return "";
  const { server, checked } = check.limits;
  return `The server of ${platform} allows \`${lineOf(server)}\`, and plancast checks posts for \`${lineOf(checked)}\`. To check for the server's limits, add to plancast.yaml, under \`limits:\`: \`${platform}: ${lineOf(server)}\``;
}

function lineOf(limits: object): string {
  const pairs = Object.entries(limits).map(
    ([name, value]) => `${name}: ${Array.isArray(value) ? `[${value.join(", ")}]` : String(value)}`,
  );
  return `{ ${pairs.join(", ")} }`;
}

function resultText({ check }: AccountDocument): string {
  if (check === undefined) return "";
  return check.state === "ready" ? `ready as ${check.name}` : "failed";
}

/** A question of `plancast accounts add`, and the key of the account that gets the answer. */
export interface AccountQuestion {
  readonly key: string;
  readonly text: string;
  /** The value that a blank answer means. */
  readonly usual?: string;
}

type NetworkName = AccountSettings["network"];

export const NETWORK_QUESTIONS: Readonly<Record<NetworkName, readonly AccountQuestion[]>> = {
  bluesky: [
    { key: "handle", text: "Handle of the account, such as garden.bsky.social" },
    { key: "server", text: "Address of its server", usual: "https://bsky.social" },
  ],
  mastodon: [{ key: "server", text: "Address of the server, such as https://mastodon.social" }],
  webhook: [{ key: "form", text: "What receives the posts: json, discord or slack", usual: "json" }],
};

/** How to get an account's secret. */
export function secretAdvice(account: AccountSettings): string {
  switch (account.network) {
    case "bluesky":
      return "Make an app password: in Bluesky, open Settings, then Privacy and security, then App passwords. Do not use the password of the account.";
    case "mastodon":
      return `Make an access token: open ${account.server}/settings/applications, add an application with the scopes read and write, and copy its access token. These scopes are enough: read:accounts, read:statuses, write:media and write:statuses, and read:search for posts that answer others.`;
    case "webhook":
      return "Copy the webhook's address from the tool that receives the posts. Everybody who knows the address can send posts there.";
  }
}

export function secretPrompt(variable: string): string {
  return `Paste it here. It is not shown, and plancast does not save it (or leave this blank, set ${variable} and run the command again): `;
}

/** @param renamed what rows now call an earlier account of the network; undefined if no name changed */
export function addedText(
  { name, platform }: Pick<AccountDocument, "name" | "platform">,
  variable: string,
  file: string,
  renamed: string | undefined,
): string {
  const [network = ""] = platform.split("/");
  const others =
    renamed === undefined
      ? ""
      : ` Rows must no longer name only ${network}: write ${renamed} for your first account there.`;
  return `${file} has the account ${name}. Rows name it ${platform}.${others} Set ${variable} to the secret where \`plancast serve\` runs: plancast.yaml never contains it.`;
}

export function checkFailedText(name: string, reason: string): string {
  return `${name} does not work, so nothing was written: ${reason}`;
}
