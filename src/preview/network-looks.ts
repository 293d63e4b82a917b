/**
 * How each network shows a post in its feed, and where it folds a text, as far as the preview imitates it. Pure. To add a network, add its entry, with
 * sources and the month of the check. Limits of texts and media are in src/checks/networks.
 */

/** A part of a post's card, from top to bottom. `profile`: how the first picture is cropped on the profile's page. */
export type CardPart = "head" | "text" | "media" | "link" | "actions" | "profile";

/** The arrangement of several pictures; the names are classes of the page's style. */
type Arrangement = "pair" | "lead-left" | "lead-top" | "quad" | "five";

export interface Mosaic {
  readonly arrangement: Arrangement;
  /** Shape of all pictures together, width to height. */
  readonly shape: number;
}

export interface Fold {
  /** Characters that are visible before the reader opens the rest, on a phone. */
  readonly characters?: number;
  /** Like `characters`, on a computer, if it differs. */
  readonly onComputers?: number;
  /** Lines of the text, as the author breaks them. */
  readonly lines?: number;
  /** The word that opens the rest. */
  readonly word: string;
}

export interface NetworkLook {
  /** The network's title in src/checks/networks. */
  readonly network: string;
  /** Letters for the network, and the dark colour behind them. No logo is copied. */
  readonly mark: readonly [letters: string, colour: string];
  readonly parts: readonly CardPart[];
  /** Absent if the network shows the whole text. */
  readonly fold?: Fold;
  /** A link in a text: in full, only as text, or this many characters of its path. */
  readonly links: "full" | "plain" | number;
  /** Which link of a post without media becomes a card. */
  readonly linkCard?: "first" | "last";
  /** Several pictures: together, in a row to scroll, or one at a time. */
  readonly several: "mosaic" | "strip" | "carousel";
  /** By number of pictures. If there are more pictures than this, the last one shows how many are left. */
  readonly mosaics?: Readonly<Record<number, Mosaic>>;
  /** The narrowest and the widest shape of one picture, as width to height. */
  readonly shapes: readonly [narrowest: number, widest: number];
  /** Whether a picture of another shape gets bars instead of a crop. */
  readonly bars?: boolean;
  /** Shape of a picture on the profile's page. */
  readonly profileShape?: number;
  /** Words or drawings below the post. */
  readonly actions: readonly ActionName[];
  /** When the facts were checked: `YYYY-MM`. */
  readonly checked: string;
  readonly sources: readonly string[];
}

export type ActionName = "like" | "comment" | "repeat" | "send" | "save";

const FEED = ["head", "text", "media", "link", "actions"] as const satisfies CardPart[];
const PAIR_OF_SQUARES: Mosaic = { arrangement: "pair", shape: 2 };

const FOLDS = "https://posttruncate.com/en/platform-limits/";
const FOLDS_TOO = "https://toolsdeck.app/guide/social-media-character-limits";
const CAPTION_FOLDS = "https://toolshake.xyz/tool/caption-character-counter/";

export const NETWORK_LOOKS: readonly NetworkLook[] = [
  {
    network: "Bluesky",
    mark: ["Bs", "#0a63b8"],
    parts: FEED,
    links: 13,
    linkCard: "first",
    several: "mosaic",
    mosaics: {
      2: PAIR_OF_SQUARES,
      3: { arrangement: "lead-left", shape: 1.5 },
      4: { arrangement: "quad", shape: 1.5 },
    },
    shapes: [0.5, 2.5],
    actions: ["comment", "repeat", "like", "save"],
    checked: "2026-11",
    sources: [
      "https://github.com/bluesky-social/social-app/blob/main/src/view/com/util/images/ImageLayoutGrid.tsx",
      "https://github.com/bluesky-social/social-app/blob/main/src/lib/strings/url-helpers.ts",
    ],
  },
  {
    network: "Facebook",
    mark: ["Fb", "#2356b0"],
    parts: FEED,
    fold: { characters: 110, onComputers: 480, word: "See more" },
    links: "full",
    linkCard: "first",
    several: "mosaic",
    mosaics: {
      2: PAIR_OF_SQUARES,
      3: { arrangement: "lead-top", shape: 1 },
      4: { arrangement: "quad", shape: 1 },
      5: { arrangement: "five", shape: 1.2 },
    },
    shapes: [0.8, 2],
    actions: ["like", "comment", "send"],
    checked: "2026-11",
    sources: [FOLDS, "https://blog.aitoearn.ai/facebook-multi-image-post-size-guide"],
  },
  {
    network: "Google Business",
    mark: ["G", "#2a6b3f"],
    parts: ["head", "media", "text", "link"],
    links: "full",
    several: "mosaic",
    shapes: [4 / 3, 4 / 3],
    actions: [],
    checked: "2026-11",
    sources: ["https://www.ayrshare.com/docs/media-guidelines/google-business-profile"],
  },
  /** Links in captions cannot be opened. */
  {
    network: "Instagram",
    mark: ["Ig", "#a62f6b"],
    parts: ["head", "media", "actions", "text", "profile"],
    fold: { characters: 125, lines: 2, word: "more" },
    links: "plain",
    several: "carousel",
    shapes: [0.8, 1.91],
    profileShape: 3 / 4,
    actions: ["like", "comment", "send", "save"],
    checked: "2026-11",
    sources: [FOLDS, CAPTION_FOLDS, "https://pictuary.com/glossary/profile-grid"],
  },
  {
    network: "LinkedIn",
    mark: ["in", "#0b4f86"],
    parts: FEED,
    fold: { characters: 140, onComputers: 210, lines: 3, word: "more" },
    links: "full",
    linkCard: "first",
    several: "mosaic",
    mosaics: {
      2: PAIR_OF_SQUARES,
      3: { arrangement: "lead-left", shape: 1.5 },
      4: { arrangement: "lead-left", shape: 4 / 3 },
      5: { arrangement: "five", shape: 1.2 },
    },
    shapes: [0.8, 3],
    actions: ["like", "comment", "repeat", "send"],
    checked: "2026-11",
    sources: [
      FOLDS,
      FOLDS_TOO,
      "https://trustypost.ai/blog/linkedin-post-image-size-2026-dimensions-for-crisp-uploads/",
    ],
  },
  {
    network: "Mastodon",
    mark: ["Ma", "#5247a8"],
    parts: FEED,
    fold: { lines: 32, word: "Read more" },
    links: 30,
    linkCard: "first",
    several: "mosaic",
    mosaics: {
      2: { arrangement: "pair", shape: 1.5 },
      3: { arrangement: "lead-left", shape: 1.5 },
      4: { arrangement: "quad", shape: 1.5 },
    },
    shapes: [0.5, 3],
    actions: ["comment", "repeat", "like", "save"],
    checked: "2026-11",
    sources: [
      "https://github.com/mastodon/mastodon/blob/main/app/javascript/mastodon/components/status_content.jsx",
      "https://github.com/mastodon/mastodon/blob/main/app/javascript/mastodon/components/media_gallery.jsx",
    ],
  },
  {
    network: "Pinterest",
    mark: ["Pi", "#a6242b"],
    parts: ["media", "actions", "text", "head"],
    fold: { characters: 50, word: "more" },
    links: "plain",
    several: "carousel",
    shapes: [1 / 2.1, 4],
    actions: ["like", "comment", "send", "save"],
    checked: "2026-11",
    sources: [
      "https://bulkpublish.com/blog/pinterest-character-limit/",
      "https://docs.getlate.dev/resources/media-guidelines/pinterest",
    ],
  },
  {
    network: "Threads",
    mark: ["Th", "#3a3a40"],
    parts: FEED,
    fold: { characters: 250, onComputers: 500, word: "Read more" },
    links: 24,
    linkCard: "first",
    several: "strip",
    shapes: [0.75, 2],
    actions: ["like", "comment", "repeat", "send"],
    checked: "2026-11",
    sources: [FOLDS, "https://www.kleoapp.io/tools/image-sizes"],
  },
  {
    network: "TikTok",
    mark: ["Tk", "#0d6767"],
    parts: ["media", "head", "text", "actions"],
    fold: { characters: 100, lines: 4, word: "more" },
    links: "plain",
    several: "carousel",
    shapes: [9 / 16, 9 / 16],
    bars: true,
    actions: ["like", "comment", "save", "send"],
    checked: "2026-11",
    sources: ["https://posttruncate.com/en/ad-previews/tiktok-ads/", CAPTION_FOLDS],
  },
  /** Shows all of a post of up to 280 characters, the limit without Premium. */
  {
    network: "X",
    mark: ["X", "#3a3a40"],
    parts: FEED,
    links: 24,
    linkCard: "last",
    several: "mosaic",
    mosaics: {
      2: { arrangement: "pair", shape: 16 / 9 },
      3: { arrangement: "lead-left", shape: 16 / 9 },
      4: { arrangement: "quad", shape: 16 / 9 },
    },
    shapes: [3 / 4, 2],
    actions: ["comment", "repeat", "like", "save"],
    checked: "2026-11",
    sources: [FOLDS_TOO, "https://www.kleoapp.io/tools/image-sizes"],
  },
  /** The text of a row is the video's description. */
  {
    network: "YouTube",
    mark: ["Yt", "#a6242b"],
    parts: ["media", "head", "actions", "text"],
    fold: { characters: 157, lines: 3, word: "more" },
    links: "full",
    several: "carousel",
    shapes: [16 / 9, 16 / 9],
    bars: true,
    actions: ["like", "send", "save"],
    checked: "2026-11",
    sources: [FOLDS_TOO, "https://developers.google.com/youtube/v3/docs/videos"],
  },
];

const GREY = "#5d6470";

/** For a network that plancast does not know: everything is shown. */
const PLAIN_LOOK: NetworkLook = {
  network: "",
  mark: ["", GREY],
  parts: ["head", "text", "media", "link"],
  links: "full",
  several: "mosaic",
  mosaics: {
    2: PAIR_OF_SQUARES,
    3: { arrangement: "lead-left", shape: 1.5 },
    4: { arrangement: "quad", shape: 1.5 },
  },
  shapes: [0.8, 2],
  actions: [],
  checked: "",
  sources: [],
};

const BY_NETWORK = new Map(NETWORK_LOOKS.map((look) => [look.network, look]));

/** @param title of a platform; of an unknown network, any */
export function lookOf(title: string): NetworkLook {
  return BY_NETWORK.get(title) ?? { ...PLAIN_LOOK, mark: [Array.from(title).slice(0, 2).join(""), GREY] };
}

/** The shape of a phone. */
const UPRIGHT = 9 / 16;
const UPRIGHT_SHAPE = { shapes: [UPRIGHT, UPRIGHT], bars: true } as const;

/** How a network shows a post of a type: a Story is only its picture, and a reel or a Short is upright. */
export function lookOfType(look: NetworkLook, type: string | undefined): NetworkLook {
  switch (type) {
    case "story":
    case "saved_story":
      return { ...look, ...UPRIGHT_SHAPE, parts: ["head", "media"], actions: [] };
    case "reel":
    case "short":
    case "spotlight":
      return { ...look, ...UPRIGHT_SHAPE, parts: ["media", "head", "text", "actions"] };
    default:
      return look;
  }
}

/** Whether plancast knows how the network shows posts. */
export function isKnownLook({ network }: NetworkLook): boolean {
  return network !== "";
}

// Where networks fold a text, and how they show its links.

export interface FoldedText {
  readonly shown: string;
  /** Empty if the network shows all of it. */
  readonly rest: string;
}

/** A word is moved to the rest as a whole if it starts at most this many characters before the fold. */
const LONGEST_WORD = 20;

/** Splits a text where the network hides the rest. Counts characters as people see them. */
export function foldText(text: string, fold: Fold | undefined): FoldedText {
  if (fold === undefined) return { shown: text, rest: "" };
  const end = Math.min(lineEnd(text, fold.lines), characterEnd(text, fold.characters));
  // A few spaces at the end are not worth a fold.
  if (text.slice(end).trim() === "") return { shown: text, rest: "" };
  const shown = text.slice(0, end).trimEnd();
  return { shown, rest: text.slice(shown.length) };
}

function lineEnd(text: string, lines: number | undefined): number {
  if (lines === undefined) return text.length;
  let end = -1;
  for (let line = 0; line < lines; line += 1) {
    end = text.indexOf("\n", end + 1);
    if (end === -1) return text.length;
  }
  return end;
}

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

function characterEnd(text: string, characters: number | undefined): number {
  if (characters === undefined || text.length <= characters) return text.length;
  let count = 0;
  for (const { index } of segmenter.segment(text)) {
    if (count === characters) return wordStart(text, index);
    count += 1;
  }
  return text.length;
}

/** The start of the word at a place, unless the word is long. */
function wordStart(text: string, at: number): number {
  if (isBlank(text, at)) return at;
  for (let start = at; start > 0 && at - start <= LONGEST_WORD; start -= 1)
    if (isBlank(text, start - 1)) return start;
  return at;
}

function isBlank(text: string, at: number): boolean {
  return text.charAt(at).trim() === "";
}

/** A link as the network writes it into a text: without the scheme, its path shortened. */
export function shownLink(address: string, links: NetworkLook["links"]): string {
  if (typeof links === "string") return address;
  const rest = address.replace(/^https?:\/\/(?:www\.)?/i, "");
  const end = rest.search(/[/?#]/);
  const host = end === -1 ? rest : rest.slice(0, end);
  const path = end === -1 ? "" : rest.slice(rest[end] === "/" ? end + 1 : end);
  if (host === "") return address;
  if (path === "") return host;
  return `${host}/${path.length > links ? `${path.slice(0, links)}…` : path}`;
}

/** The host of a link, as on its card. */
export function hostOf(address: string): string {
  const [, host = ""] = /^https?:\/\/(?:[^/?#@]*@)?(?:www\.)?([^/?#:]*)/i.exec(address) ?? [];
  return host.toLowerCase();
}
