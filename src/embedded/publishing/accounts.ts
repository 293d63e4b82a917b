/** The accounts that the embedded service pretends to have, one on each common network, and which of them fail. */
export interface PlatformAccount {
  readonly id: string;
  /** Identifier, as posts name it. */
  readonly platform: string;
  /** For people. */
  readonly name: string;
  /** In the list, as text that sorts. */
  readonly sortKey: string;
}

const NAMES = {
  twitter: "Twitter",
  linkedin: "LinkedIn",
  instagram: "Instagram",
  facebook: "Facebook",
  threads: "Threads",
  bluesky: "Bluesky",
  mastodon: "Mastodon",
  tiktok: "TikTok",
  youtube: "YouTube",
  pinterest: "Pinterest",
};

export const PLATFORM_ACCOUNTS: readonly PlatformAccount[] = Object.entries(NAMES).map(
  ([platform, name], index) => ({
    id: `account_${platform}`,
    platform,
    name: `${name} (embedded)`,
    sortKey: String(index).padStart(3, "0"),
  }),
);

/** What is made to fail, so that tests can see how a client takes it: texts such as `platform=instagram`. */
type Failures = ReadonlySet<string>;

export function platformFails(failures: Failures, platform: string): boolean {
  return failures.has(`platform=${platform}`);
}

export function automationFails(failures: Failures, id: string): boolean {
  return failures.has(`automation=${id}`);
}
