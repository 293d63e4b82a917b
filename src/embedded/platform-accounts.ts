/** The accounts that the embedded service pretends to be connected to: one on each common network. */
export interface PlatformAccount {
  readonly id: string;
  /** Identifier, as posts name it. */
  readonly platform: string;
  /** For people. */
  readonly name: string;
  /** In the list, as text that sorts. */
  readonly place: string;
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
    place: String(index).padStart(3, "0"),
  }),
);
