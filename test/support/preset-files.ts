/**
 * One small file for each preset, as its users have it, and the posts that it must become. Captions are hostile on
 * purpose.
 */
import { csv } from "./scenario.ts";

export interface PresetFile {
  readonly text: string;
  /** The settings that are needed in addition to the preset. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** By line: `time | platforms | text | media`. */
  readonly posts: Readonly<Record<number, string>>;
  /** By line: the alt texts, thread and first comment of its post. */
  readonly extras?: Readonly<Record<number, Readonly<Record<string, unknown>>>>;
  readonly drafts?: number;
  /** Whether plancast reads the file without the preset, too, so that it suggests none. Default: no. */
  readonly isReadWithoutPreset?: true;
  /** The columns that the warning about unused columns names, in order. */
  readonly notCarried: readonly string[];
}

/** A caption with every character that could be misread. */
function caption(of: string): string {
  return `${of}: ready, "set"; go | now\n\n=SUM(A1)\t<b>🎉</b> שלום`;
}
const BOM = "\uFEFF";
const LINKEDIN = { defaults: { platforms: ["linkedin"] } };

function crlf(text: string): string {
  return text.replaceAll("\n", "\r\n");
}

/** The advanced file of HighLevel: groups above the header, names that several groups share. */
function highlevelAdvanced(): string {
  const time = "postAtSpecificTime (YYYY-MM-DD HH:mm:ss)";
  const groups = ["All Social", "", "", "", "", "", "", "Facebook", "Instagram", "YouTube", "", "TikTok", ""];
  const names = [
    "content",
    "OGmetaUrl (url)",
    "imageUrls (comma-separated)",
    "gifUrl",
    "videoUrls (comma-separated)",
  ];
  const own = ["followUpComment", "type (post/story/reel)", "type (post/story/reel)", "title"];
  const header = [time, ...names, ...own, "type (video/short)", "title", "enableDuet (true/false)"];
  return crlf(
    csv(
      groups,
      header,
      [
        "2036-03-01 09:30:00",
        caption("highlevel"),
        "",
        "a.png, b.png",
        "",
        "",
        "First!",
        "post",
        "post",
        "",
        "",
        "A title",
        "false",
      ],
      [
        "3/2/2036 9:30",
        "",
        "https://example.com",
        "",
        "",
        "clip.mp4",
        "",
        "",
        "",
        "Clip",
        "short",
        "",
        "FALSE",
      ],
      ["", "Not yet", "", "", "", "", "", "", "", "", "", "", ""],
    ),
  );
}

function metricool(): string {
  const pictures = Array.from({ length: 10 }, (_none, index) => `Picture Url ${index + 1}`);
  const alts = pictures.map((name) => name.replace("Picture Url", "Alt text picture"));
  const platforms = ["Facebook", "Twitter/X", "LinkedIn", "GBP", "Instagram", "TikTok", "Youtube", "Threads"];
  const own = ["Shortener", "Twitter/X Type", "TikTok disable comments", "First Comment Text", "Brand name"];
  const header = ["Text", "Date", "Time", "Draft", ...platforms, ...pictures, ...alts, ...own];
  const row = (given: Readonly<Record<string, string>>): string[] => header.map((name) => given[name] ?? "");
  const no = { Draft: "FALSE", Shortener: "false", "TikTok disable comments": "FALSE" };
  return csv(
    // The template is downloaded in other spellings, too.
    header.map((name) => (name === "Youtube" ? " YouTube" : name)),
    row({
      ...no,
      Text: caption("metricool"),
      Date: "2036-03-01",
      Time: "09:30:00",
      Facebook: "TRUE",
      "Twitter/X": "yes",
      GBP: "true",
      Youtube: "false",
      "Picture Url 1": "a.png",
      "Picture Url 2": "b.png",
      "Picture Url 10": "c.png",
      "Alt text picture 1": "A cat",
      "Alt text picture 10": "A dog",
      "Brand name": "Acme",
    }),
    row({ ...no, Text: "Later", Date: "2036-03-02", Time: "10:00", Draft: "true", "Brand name": "Acme" }),
  );
}

export const PRESET_FILES: Readonly<Record<string, PresetFile>> = {
  ayrshare: {
    text: csv(
      ["post", "platforms", "mediaUrls", "scheduleDate"],
      [caption("ayrshare"), "twitter, facebook", "a.png", "2036-03-01T08:30:00Z"],
    ),
    settings: {},
    posts: { 2: `2036-03-01T08:30:00Z | facebook,twitter | ${caption("ayrshare")} | a.png` },
    notCarried: [],
  },
  buffer: {
    text: csv(
      ["Text", "Image URL", "Tags", "Posting Time"],
      [caption("buffer"), "a.png", "spring", "2036-03-01 09:30"],
      ["Two", "", "", "3/2/36 17:30"],
    ),
    settings: { ...LINKEDIN, date_order: "mdy" },
    posts: {
      2: `2036-03-01T08:30:00Z | linkedin | ${caption("buffer")} | a.png`,
      5: "2036-03-02T16:30:00Z | linkedin | Two | ",
    },
    notCarried: ["`Tags` (1 row)"],
  },
  contentstudio: {
    text:
      BOM +
      crlf(
        csv(
          ["Date and Time", "Message", "Image URL", "Link"],
          ["02/03/2036 09:30", caption("contentstudio"), "a.png", "https://example.com"],
        ),
      ),
    settings: LINKEDIN,
    posts: { 2: `2036-03-02T08:30:00Z | linkedin | ${caption("contentstudio")} | a.png` },
    notCarried: ["`Link` (1 row)"],
  },
  highlevel: {
    text: highlevelAdvanced(),
    settings: { ...LINKEDIN, date_order: "mdy" },
    posts: {
      3: `2036-03-01T08:30:00Z | linkedin | ${caption("highlevel")} | a.png,b.png`,
      6: "2036-03-02T08:30:00Z | linkedin |  | clip.mp4",
    },
    extras: { 3: { first_comment: "First!" } },
    drafts: 1,
    notCarried: ["`OGmetaUrl (url)` (1 row)", "`YouTube title` (1 row)", "`TikTok title` (1 row)"],
  },
  hootsuite: {
    // Quoted only where it must be, so that the semicolons of the first row could be delimiters.
    text: `03/02/2036 09:30,"${caption("hootsuite").replaceAll('"', '""')};;;;",https://example.com\r\n03/03/2036 09:30,Two,\r\n`,
    settings: { ...LINKEDIN, date_order: "mdy" },
    posts: {
      1: `2036-03-02T08:30:00Z | linkedin | ${caption("hootsuite")};;;; | `,
      4: "2036-03-03T08:30:00Z | linkedin | Two | ",
    },
    notCarried: ["`link` (1 row)"],
  },
  metricool: {
    text: metricool(),
    settings: {},
    posts: {
      2: `2036-03-01T08:30:00Z | facebook,mastodon,twitter | ${caption("metricool")} | a.png,b.png,c.png`,
    },
    extras: { 2: { alt: ["A cat", "", "A dog"] } },
    drafts: 1,
    notCarried: ["`Brand name` (2 rows)"],
  },
  postfast: {
    text: csv(
      ["scheduled_at", "account_id", "content", "media_urls", "first_comment", "fb_content_type"],
      ["2036-03-01T09:30:00+01:00", "123456", caption("postfast"), "a.png", "First!", ""],
    ),
    settings: {},
    posts: { 2: `2036-03-01T08:30:00Z | linkedin | ${caption("postfast")} | a.png` },
    extras: { 2: { first_comment: "First!" } },
    notCarried: [],
  },
  publer: {
    text:
      BOM +
      csv(
        [
          "Date - Intl. format or prompt",
          "Text",
          "Link(s) - Separated by comma for FB carousels",
          "Media URL(s) - Separated by comma",
          "Title - For the video, pin, PDF ..",
          "Label(s) - Separated by comma",
          "Alt text(s) - Separated by ||",
          "Comment(s) - Separated by ||",
          "Pin board, FB album, or Google category",
          "Post subtype - I.e. story, reel, PDF ..",
          "CTA - For Facebook links or Google",
          "Reminder - For stories, reels, shorts, and TikToks",
        ],
        [
          "2036/03/01 09:30",
          caption("publer"),
          "",
          "a.png,b.png",
          "",
          "x,y",
          "One || Two",
          "First || Second",
          "",
          "",
          "",
          "false",
        ],
      ),
    settings: LINKEDIN,
    posts: { 2: `2036-03-01T08:30:00Z | linkedin | ${caption("publer")} | a.png,b.png` },
    extras: { 2: { alt: ["One", "Two"], first_comment: "First || Second" } },
    notCarried: ["`Label(s) - Separated by comma` (1 row)"],
  },
  socialpilot: {
    text: crlf(
      csv(
        [caption("socialpilot"), "a.png", "Mar 01, 2036 9:30 AM", "123456", "First!", "a;b;c;d", ""],
        ["Two", "", "Mar 02, 2036 3:30 PM", "123457", "", "", ""],
      ),
    ),
    settings: {},
    posts: {
      1: `2036-03-01T08:30:00Z | linkedin | ${caption("socialpilot")} | a.png`,
      4: "2036-03-02T14:30:00Z | instagram | Two | ",
    },
    extras: { 1: { first_comment: "First!" } },
    notCarried: ["`tags` (1 row)"],
  },
  sprout: {
    text: csv(
      ["date", "time_24hr", "message_text", "public_image_url"],
      ["02/03/2036", "09:30", caption("sprout"), "a.png"],
    ),
    settings: { ...LINKEDIN, date_order: "dmy" },
    posts: { 2: `2036-03-02T08:30:00Z | linkedin | ${caption("sprout")} | a.png` },
    isReadWithoutPreset: true,
    notCarried: [],
  },
  vista: {
    text: csv(
      ["message", "type", "link", " time", "comment1"],
      [caption("vista"), "image", "a.png", "2036-03-01 9:30 am", "First!"],
      [caption("vista"), "image", "b.png", "2036-03-01 9:30 am", ""],
      [caption("vista"), "image", "c.png", "2036-03-01 9:30 am", ""],
      ["Read this", "message", "", "2036-03-02 19:00", ""],
      [caption("vista"), "image", "a.png", "2036-03-03 9:30 am", ""],
    ),
    settings: LINKEDIN,
    posts: {
      2: `2036-03-01T08:30:00Z | linkedin | ${caption("vista")} | a.png,b.png,c.png`,
      11: "2036-03-02T18:00:00Z | linkedin | Read this | ",
      12: `2036-03-03T08:30:00Z | linkedin | ${caption("vista")} | a.png`,
    },
    extras: { 2: { first_comment: "First!" } },
    notCarried: [],
  },
  zernio: {
    text: csv(
      [
        "post_content",
        "platforms",
        "profiles",
        "schedule_time",
        "schedule_time_linkedin",
        "tz",
        "media_urls",
        "publish_now",
        "is_draft",
        "custom_content_twitter",
        "custom_media_twitter",
        "youtube_title",
      ],
      [
        caption("zernio"),
        "twitter,linkedin",
        "default",
        "2036-03-01 09:30",
        "2036-03-01 12:00",
        "America/New_York",
        "a.png",
        "false",
        "",
        "Short",
        "b.png",
        "",
      ],
      ["Idea", "twitter", "default", "", "", "", "", "", "TRUE", "", "", "A clip"],
    ),
    settings: {},
    posts: {
      2: `2036-03-01T14:30:00Z | twitter | Short | b.png + 2036-03-01T17:00:00Z | linkedin | ${caption("zernio")} | a.png`,
    },
    drafts: 1,
    notCarried: ["`profiles` (2 rows)", "`youtube_title` (1 row)"],
  },
};

/** The platforms of the accounts in the files. */
export const ACCOUNT_NAMES = { "123456": "linkedin", "123457": "instagram" };
