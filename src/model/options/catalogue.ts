/**
 * Options: what one network needs for a post besides its parts, such as the board of a pin. A closed list, as data. To add
 * an option, add its entry here, and a line in `carried.ts` for each service that has a field for it.
 */

/**
 * The form of a value. `choices`, `list`, `handles` and `languages` are several values with commas between them. `media` is
 * a file of the project or a web address, as in the column `media`: plancast uploads it and sends what the service calls it.
 * `data` is anything that YAML can hold: services have their own forms for it, so only plancast.yaml can set it.
 */
type OptionKind =
  | "choice"
  | "choices"
  | "flag"
  | "text"
  | "list"
  | "handles"
  | "language"
  | "languages"
  | "address"
  | "media"
  | "data";

export interface OptionFacts {
  readonly kind: OptionKind;
  /** What it is, as the end of a sentence. */
  readonly what: string;
  /**
   * The values of a choice, each with other words that people write for it, separated by commas. Types of posts have
   * their words in post-types.ts.
   */
  readonly values?: Readonly<Record<string, string>>;
  /** The value that a post has without the option: a network without the option loses nothing by it. */
  readonly usual?: string;
  /** The maximum number of characters of a text, or of values in a list. */
  readonly max?: number;
  /** `all.cover` is only for the networks of a row that have the option, and loses nothing on the others. */
  readonly isOnlySome?: true;
  /** Headers in calendars that may mean it: only the proposal of `init` uses them. */
  readonly headers?: string;
}

interface NetworkOptions {
  readonly source: string;
  /** Year and month of the check. */
  readonly checked: string;
  readonly options: Readonly<Record<string, OptionFacts>>;
}

const TYPE = { kind: "choice", what: "the type of the post" } as const;
const VISIBILITY = { kind: "choice", what: "who sees the post", usual: "public" } as const;
const REPLIES = { what: "who may reply", usual: "everyone" } as const;
const EVERYONE =
  "everyone, everybody, öffentlich, publique, público, pública, pubblico, pubblica, openbaar, publiczny";
const NOT_LISTED =
  "not listed, nicht gelistet, non répertorié, no listado, non in elenco, não listado, niet vermeld";
const ONLY_ME = "only me, privat, privé, privado, privato, prywatny";
const ANYONE = "everybody, anyone, all";
const FOLLOWING = "people you follow";
const MENTIONED = "mentioned users, mentions";
const TITLE = { kind: "text", what: "the title" } as const;
const LANGUAGE = "the language of the text, such as `en`";
const COVER = { kind: "media", what: "the cover picture of a video", isOnlySome: true } as const;

function network(source: string, options: NetworkOptions["options"]): NetworkOptions {
  return { source, checked: "2026-11", options };
}

/** For networks with settings that only the service explains. */
const POSTIZ = "the settings of each network in gitroomhq/postiz-app";

/** By network. Postiz, Zernio and Buffer have fields for most of them; `carried.ts` has their names there. */
export const CATALOGUE: Readonly<Record<string, NetworkOptions>> = {
  mastodon: network("https://docs.joinmastodon.org/methods/statuses/", {
    visibility: {
      ...VISIBILITY,
      values: {
        public: EVERYONE,
        unlisted: `quiet public, ${NOT_LISTED}`,
        private:
          "followers, followers only, only followers, nur follower, abonnés, seguidores, solo follower",
      },
    },
    content_warning: {
      kind: "text",
      what: "a warning that readers see instead of the post until they open it",
      headers:
        "cw, content warning, content warnings, spoiler, spoiler text, spoiler warning, trigger warning",
    },
    language: { kind: "language", what: LANGUAGE },
    sensitive: { kind: "flag", what: "whether the media are hidden until readers open them", usual: "no" },
  }),
  bluesky: network("the lexicons app.bsky.feed.post, app.bsky.feed.threadgate and com.atproto.label.defs", {
    language: { kind: "languages", what: LANGUAGE, max: 3 },
    labels: {
      kind: "choices",
      what: "labels that hide the media until readers open them",
      values: { sexual: "suggestive", nudity: "", porn: "adult", "graphic-media": "graphic, violence" },
    },
    replies: {
      ...REPLIES,
      kind: "choices",
      values: {
        everyone: ANYONE,
        nobody: "no one, none",
        mentioned: MENTIONED,
        followers: "",
        following: FOLLOWING,
      },
    },
  }),
  instagram: network("https://developers.facebook.com/docs/instagram-platform/content-publishing", {
    type: { ...TYPE, values: { post: "", reel: "", story: "", carousel: "" }, usual: "post" },
    collaborators: {
      kind: "handles",
      what: "accounts that are invited as authors",
      max: 3,
      headers: "collaborators, collaborator, collab, collabs, collab with, co authors, coauthors",
    },
    cover: { ...COVER, headers: "reel cover, instagram cover" },
  }),
  facebook: network("https://developers.facebook.com/docs/pages-api/posts", {
    type: { ...TYPE, values: { post: "", reel: "", story: "" }, usual: "post" },
    title: { ...TITLE, what: "the title of a reel" },
  }),
  youtube: network("https://developers.google.com/youtube/v3/docs/videos", {
    title: { ...TITLE, max: 100, headers: "video title, youtube title, yt title" },
    visibility: {
      ...VISIBILITY,
      what: "who sees the video",
      values: { public: EVERYONE, unlisted: NOT_LISTED, private: ONLY_ME },
    },
    type: {
      ...TYPE,
      what: "the type of the post; YouTube itself takes a short upright video as a Short",
      values: { video: "", short: "" },
      usual: "video",
    },
    category: {
      kind: "choice",
      what: "what the video is about",
      values: {
        film: "film & animation, 1",
        autos: "autos & vehicles, 2",
        music: "10",
        pets: "pets & animals, 15",
        sports: "17",
        travel: "travel & events, 19",
        gaming: "20",
        people: "people & blogs, 22",
        comedy: "23",
        entertainment: "24",
        news: "news & politics, 25",
        howto: "howto & style, how to, 26",
        education: "27",
        science: "science & technology, 28",
        nonprofits: "nonprofits & activism, 29",
      },
      headers: "video category, youtube category",
    },
    tags: { kind: "list", what: "its tags", headers: "video tags, youtube tags" },
    made_for_kids: { kind: "flag", what: "whether the video is made for children", usual: "no" },
    ai: { kind: "flag", what: "whether the video shows scenes that a machine made" },
    cover: { ...COVER, headers: "video thumbnail, youtube thumbnail, yt thumbnail, youtube cover" },
  }),
  pinterest: network("https://developers.pinterest.com/docs/api/v5/pins-create", {
    board: {
      kind: "text",
      what: "the id of the board",
      headers: "board, pinterest board, board id, boards, pin board",
    },
    title: { ...TITLE, max: 100, headers: "pin title, pinterest title" },
    link: { kind: "address", what: "where the pin leads", headers: "pin link, pin url, pinterest link" },
    cover: COVER,
  }),
  linkedin: network("https://learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api", {
    type: {
      ...TYPE,
      what: "the type of the post; a document is a PDF",
      values: { post: "", carousel: "", document: "documents, pdf, pdf carousel" },
      usual: "post",
    },
    title: { ...TITLE, what: "the title of a document" },
  }),
  tiktok: network("https://developers.tiktok.com/doc/content-posting-api-reference-direct-post", {
    visibility: {
      ...VISIBILITY,
      values: {
        public: EVERYONE,
        friends: "mutual friends",
        followers: "followers only",
        private: `${ONLY_ME}, self`,
      },
    },
    title: { ...TITLE, max: 90, headers: "tiktok title" },
    cover: { ...COVER, headers: "tiktok cover" },
    comments: { kind: "flag", what: "whether people may comment" },
    duet: { kind: "flag", what: "whether people may make duets" },
    stitch: { kind: "flag", what: "whether people may use parts of it" },
    music: { kind: "flag", what: "whether TikTok adds music to photos" },
    ai: { kind: "flag", what: "whether a machine made the video" },
    paid_partnership: { kind: "flag", what: "whether it advertises another brand" },
    own_brand: { kind: "flag", what: "whether it advertises the own brand" },
    method: {
      kind: "choice",
      what: "whether TikTok publishes it, or only puts it into the app's inbox",
      values: { direct: "publish", inbox: "upload, draft" },
    },
    preview_confirmed: { kind: "flag", what: "whether you have seen the posts" },
    consent: { kind: "flag", what: "whether you agree that they are published" },
  }),
  twitter: network("https://docs.x.com/x-api/posts/create-post", {
    replies: {
      ...REPLIES,
      kind: "choice",
      values: {
        everyone: ANYONE,
        following: FOLLOWING,
        mentioned: MENTIONED,
        subscribers: "",
        verified: "verified accounts",
      },
    },
    community: { kind: "address", what: "the web address of a community" },
  }),
  snapchat: network("https://github.com/zernio-dev/zernio-api", {
    type: { ...TYPE, values: { story: "", saved_story: "saved story", spotlight: "" } },
  }),
  discord: network(POSTIZ, { channel: { kind: "text", what: "the id of the channel" } }),
  slack: network(POSTIZ, { channel: { kind: "text", what: "the id of the channel" } }),
  reddit: network(POSTIZ, { subreddit: { kind: "data", what: "the subreddits, as Postiz describes them" } }),
  lemmy: network(POSTIZ, { subreddit: { kind: "data", what: "the communities, as Postiz describes them" } }),
  warpcast: network(POSTIZ, { subreddit: { kind: "data", what: "the channels, as Postiz describes them" } }),
  dribbble: network(POSTIZ, { title: TITLE }),
  medium: network(POSTIZ, { title: TITLE, subtitle: { kind: "text", what: "the line below the title" } }),
  devto: network(POSTIZ, { title: TITLE }),
  hashnode: network(POSTIZ, {
    title: TITLE,
    publication: { kind: "text", what: "the id of the publication" },
    tags: { kind: "data", what: "its tags, as Postiz describes them" },
  }),
  wordpress: network(POSTIZ, { title: TITLE, type: { kind: "text", what: "the type of the post" } }),
  listmonk: network(POSTIZ, {
    subject: { kind: "text", what: "the subject of the e-mail" },
    preview: { kind: "text", what: "the text before somebody opens it" },
    list: { kind: "text", what: "the id of the list" },
  }),
  skool: network(POSTIZ, {
    group: { kind: "text", what: "the id of the group" },
    label: { kind: "text", what: "the id of the label" },
    title: TITLE,
  }),
  whop: network(POSTIZ, {
    company: { kind: "text", what: "the id of the company" },
    experience: { kind: "text", what: "the id of the experience" },
  }),
  moltbook: network(POSTIZ, { submolt: { kind: "text", what: "the name of the community" } }),
  mewe: network(POSTIZ, { post_type: { kind: "text", what: "where it is posted" } }),
};

/** In place of a network: every network of the row. */
export const ALL_NETWORKS = "all";

/** Headers that may mean an option of every network of a row. */
export const SHARED_HEADERS: Readonly<Record<string, string>> = {
  visibility:
    "visibility, privacy, post visibility, post privacy, privacy setting, sichtbarkeit, visibilité, visibilidad, visibilidade, visibilità, " +
    "zichtbaarheid, widoczność",
  cover: "cover, cover image, cover picture, cover photo, video cover, thumbnail, cover url, cover image url",
};

/** The network of an identifier: `linkedin` for `linkedin/founder`. */
export function networkOf(platform: string): string {
  return platform.split("/", 1)[0] ?? "";
}

/**
 * The facts of an option; undefined if the catalogue does not have it.
 * @param platform a network, `network/account`, or `all` for the first network with the option
 */
export function optionFacts(platform: string, option: string): OptionFacts | undefined {
  const own = networkOf(platform);
  const isThere = ([name, { options }]: [string, NetworkOptions]): boolean =>
    (own === name || own === ALL_NETWORKS) && Object.hasOwn(options, option);
  return Object.entries(CATALOGUE).find(isThere)?.[1].options[option];
}

/** Every option by its name, such as `mastodon.visibility`, in the order of the catalogue. */
export const OPTION_NAMES: readonly string[] = Object.entries(CATALOGUE).flatMap(([network, { options }]) =>
  Object.keys(options).map((option) => `${network}.${option}`),
);

/** `mastodon.visibility`, `mastodon/second.visibility` or `all.visibility`, in any case; undefined for anything else. */
export function optionNamed(name: string): string | undefined {
  const { platform, option } = splitOption(name.trim().toLowerCase()) ?? {};
  if (platform === undefined || option === undefined) return undefined;
  return optionFacts(platform, option) === undefined ? undefined : `${platform}.${option}`;
}

const NAME = /^([^\s.:]{1,40}(?:\.[^\s.:]{1,40}){0,4})\.([a-z_]{1,40})$/;

/** The parts of a name such as `mastodon.visibility`; undefined for a text without that form. */
export function splitOption(
  name: string,
): { readonly platform: string; readonly option: string } | undefined {
  const [, platform, option] = NAME.exec(name) ?? [];
  return platform === undefined || option === undefined ? undefined : { platform, option };
}

/** An option of a post. */
export interface PostOption {
  /** A network, or `network/account`. */
  readonly platform: string;
  readonly option: string;
  readonly value: string;
}

/** An option as posts hold it: `mastodon.visibility: unlisted`. */
export function optionText({ platform, option, value }: PostOption): string {
  return `${platform}.${option}: ${value}`;
}

/** The reverse of `optionText`; undefined for another text. */
export function readOption(text: string): PostOption | undefined {
  const at = text.indexOf(": ");
  const split = at === -1 ? undefined : splitOption(text.slice(0, at));
  return split === undefined ? undefined : { ...split, value: text.slice(at + 2) };
}

/** An option whose value is a medium; undefined for any other. */
function mediaOption(text: string): PostOption | undefined {
  const read = readOption(text);
  return read !== undefined && optionFacts(read.platform, read.option)?.kind === "media" ? read : undefined;
}

/** The options of a post whose value is a medium, such as a cover, in their order. */
export function mediaOptions(options: readonly string[] = []): readonly PostOption[] {
  return options.flatMap((text) => mediaOption(text) ?? []);
}

/** The options with other values for their media. @param values in the order of `mediaOptions` */
export function withOptionMedia(
  options: readonly string[] = [],
  values: readonly string[],
): readonly string[] {
  let next = 0;
  return options.map((text) => {
    const read = mediaOption(text);
    return read === undefined ? text : optionText({ ...read, value: values[next++] ?? read.value });
  });
}

/** The options of a post on one platform, by their names there. */
export function optionsOn(
  platform: string,
  options: readonly string[] | undefined = [],
): ReadonlyMap<string, string> {
  const own = options.flatMap((text) => readOption(text) ?? []).filter((each) => each.platform === platform);
  return new Map(own.map(({ option, value }) => [option, value]));
}
