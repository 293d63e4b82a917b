/** What a pull request may forge in its lockfile, its rows, its settings and its other files. */
import { FOREIGN, foreignEntry } from "../support/github/foreign-post.ts";
import type { Lockfile } from "../../src/model/lockfile.ts";
import { fingerprint } from "../../src/sync/plan/compare.ts";
import { csv } from "../support/scenario.ts";
import { tinyPng } from "../support/tiny-media.ts";

export const CALENDAR = "calendars/march.csv";
export const LOCKFILE = "plancast.lock.json";
const HEADER = ["id", "date", "time", "repeat", "platforms", "content", "media"];

type Row = readonly string[];
type Rows = Readonly<Record<string, Row>>;

export const ROWS = {
  launch: ["launch", "2036-03-01", "09:00", "", "linkedin", "We are live.", ""],
  second: ["second", "2036-03-02", "09:00", "", "linkedin", "And again.", ""],
  red: ["red", "2036-03-03", "09:00", "", "linkedin", "The red one.", "media/red.png"],
  blue: ["blue", "2036-03-04", "09:00", "", "linkedin", "The blue one.", "media/blue.png"],
  weekly: ["weekly", "2036-03-05", "09:00", "weekly until 2036-03-19", "linkedin", "Each week.", ""],
} satisfies Rows;

const SLOT = ["free", "", "", "", "linkedin", "Whenever.", ""];

export const SETTINGS = "timezone: UTC\nseries: { ahead: 200d }\n";

export function calendar(rows: Rows): string {
  return csv(HEADER, ...Object.values(rows));
}

/** What a forgery changes. It edits these. */
export interface Draft {
  readonly lockfile: Lockfile;
  /** Id of a post of somebody else. */
  readonly foreign: string;
  rows: Rows;
  settings: string;
  /** More files of the commit. */
  readonly files: Record<string, string | Uint8Array | undefined>;
  /** Instead of the lockfile. */
  text?: string;
}

export type Forgery = readonly [what: string, forge: (draft: Draft) => void];

function entryOf({ posts }: Lockfile, key: string): Lockfile["posts"][string] {
  const entry = posts[key];
  if (entry === undefined) throw new Error(`The lockfile has no ${key}.`);
  return entry;
}

function formerOf(lockfile: Lockfile, key: string) {
  const { post_id: _id, ...rest } = entryOf(lockfile, key);
  return { ...rest, key };
}

function edited(rows: Rows, key: string, column: string, value: string): Rows {
  const row = rows[key] ?? [];
  return { ...rows, [key]: row.map((cell, index) => (HEADER[index] === column ? value : cell)) };
}

function without(rows: Rows, ...keys: string[]): Rows {
  return Object.fromEntries(Object.entries(rows).filter(([key]) => !keys.includes(key)));
}

const NEW_TEXT = "Buy our coins.";
const NEW = fingerprint({
  content: NEW_TEXT,
  platforms: ["linkedin"],
  scheduledAt: "2036-03-01T09:00:00Z",
  mediaIds: [],
});

export const FORGERIES: readonly [Forgery, ...Forgery[]] = [
  ["only rows", (draft) => void (draft.rows = edited(draft.rows, "launch", "content", NEW_TEXT))],
  [
    "a stored text that hides an edit",
    (draft) => {
      draft.rows = edited(draft.rows, "launch", "content", NEW_TEXT);
      Object.assign(entryOf(draft.lockfile, "launch"), {
        fingerprint: NEW,
        stored: { content: "We are live." },
      });
    },
  ],
  [
    "a stored time that hides another time",
    (draft) => {
      draft.rows = edited(draft.rows, "launch", "time", "09:01");
      Object.assign(entryOf(draft.lockfile, "launch"), { stored: { scheduled_at: "2036-03-01T09:00:00Z" } });
    },
  ],
  [
    "another fingerprint",
    (draft) => {
      draft.rows = edited(draft.rows, "launch", "content", NEW_TEXT);
      entryOf(draft.lockfile, "launch").fingerprint = NEW;
    },
  ],
  [
    "a post of others, for a row that is gone",
    ({ lockfile, foreign }) => void (lockfile.posts["gone"] = foreignEntry(foreign)),
  ],
  [
    "a post of others, for a row with its text",
    (draft) => {
      draft.lockfile.posts["mine"] = foreignEntry(draft.foreign);
      draft.rows = {
        ...draft.rows,
        mine: ["mine", "2036-05-01", "08:00", "", "linkedin", FOREIGN.content, ""],
      };
    },
  ],
  [
    "a post of others, for a new row with another text",
    (draft) => {
      draft.lockfile.posts["mine"] = foreignEntry(draft.foreign);
      draft.rows = { ...draft.rows, mine: ["mine", "2036-05-01", "08:00", "", "linkedin", NEW_TEXT, ""] };
    },
  ],
  [
    "a post of others, to cancel after a replacement",
    ({ lockfile, foreign }) => {
      const { post_id: _id, ...rest } = foreignEntry(foreign);
      lockfile.retiring[foreign] = { ...rest, key: "launch" };
    },
  ],
  [
    "a post of others as the row's own",
    ({ lockfile, foreign }) => void (entryOf(lockfile, "launch").post_id = foreign),
  ],
  [
    "a post of others as the row's own, and the row is gone",
    (draft) => {
      entryOf(draft.lockfile, "launch").post_id = draft.foreign;
      draft.rows = without(draft.rows, "launch");
    },
  ],
  [
    "no entry and no row",
    (draft) => {
      delete draft.lockfile.posts["launch"];
      draft.rows = without(draft.rows, "launch");
    },
  ],
  [
    "no entries, and other texts",
    (draft) => {
      for (const key of ["launch", "second"]) {
        delete draft.lockfile.posts[key];
        draft.rows = edited(draft.rows, key, "content", `${NEW_TEXT} ${key}`);
      }
    },
  ],
  [
    "no lockfile, and other texts",
    (draft) => {
      draft.files[LOCKFILE] = undefined;
      draft.rows = edited(draft.rows, "launch", "content", NEW_TEXT);
    },
  ],
  [
    "a pending create that hides a new row",
    (draft) => {
      const content = NEW_TEXT;
      draft.rows = { ...draft.rows, coins: ["coins", "2036-03-01", "09:00", "", "linkedin", content, ""] };
      draft.lockfile.unknown["coins"] = {
        fingerprint: NEW,
        attempted_at: "2026-01-01T00:00:00Z",
        scheduled_at: "2036-03-01T09:00:00Z",
        content,
        platforms: ["linkedin"],
        media_ids: [],
        file: CALENDAR,
      };
    },
  ],
  [
    "a pending create that takes the post of others",
    (draft) => {
      draft.lockfile.unknown["mine"] = {
        ...foreignEntry(draft.foreign),
        attempted_at: "2026-01-01T00:00:00Z",
        content: FOREIGN.content,
        platforms: ["linkedin"],
        media_ids: [],
      };
      Reflect.deleteProperty(draft.lockfile.unknown["mine"], "post_id");
      draft.rows = {
        ...draft.rows,
        mine: ["mine", "2036-05-01", "08:00", "", "linkedin", FOREIGN.content, ""],
      };
    },
  ],
  [
    "a cancelled post that still exists",
    (draft) => {
      const { lockfile } = draft;
      const id = entryOf(lockfile, "launch").post_id;
      lockfile.cancelled[id] = { ...formerOf(lockfile, "launch"), at: "2036-02-01T00:00:00Z" };
      delete lockfile.posts["launch"];
      draft.rows = without(draft.rows, "launch");
    },
  ],
  [
    "a cancelled post of others",
    ({ lockfile, foreign }) => {
      const { post_id: _id, ...rest } = foreignEntry(foreign);
      lockfile.cancelled[foreign] = { ...rest, key: "gone", at: "2036-02-01T00:00:00Z" };
    },
  ],
  [
    "a reviewed series",
    (draft) => {
      for (const entry of Object.values(draft.lockfile.posts)) entry.series = "0123456789abcdef";
      draft.rows = edited(draft.rows, "weekly", "content", NEW_TEXT);
    },
  ],
  ["no accounts", ({ lockfile }) => void delete lockfile.accounts],
  [
    "no accounts, and an edit",
    (draft) => {
      delete draft.lockfile.accounts;
      draft.rows = edited(draft.rows, "launch", "content", NEW_TEXT);
    },
  ],
  [
    "one more account",
    ({ lockfile }) => void (lockfile.accounts = [...(lockfile.accounts ?? []), "acc_evil"]),
  ],
  ["other accounts", ({ lockfile }) => void (lockfile.accounts = ["acc_evil"])],
  [
    "the id of another picture",
    ({ lockfile: { media } }) => {
      const [one, other] = Object.keys(media);
      if (one === undefined || other === undefined) throw new Error("There are no pictures.");
      const [a, b] = [media[one], media[other]];
      if (a !== undefined && b !== undefined)
        Object.assign(media, { [one]: { ...a, id: b.id }, [other]: { ...b, id: a.id } });
    },
  ],
  [
    "the id of another picture, for a new row",
    (draft) => {
      const { media } = draft.lockfile;
      const [one, other] = Object.keys(media);
      const [a, b] = [media[one ?? ""], media[other ?? ""]];
      if (a !== undefined && b !== undefined) Object.assign(media, { [one ?? ""]: { ...a, id: b.id } });
      draft.rows = {
        ...draft.rows,
        more: ["more", "2036-03-07", "09:00", "", "linkedin", "More red.", "media/red.png"],
      };
    },
  ],
  ["other bytes of a picture", (draft) => void (draft.files["media/red.png"] = tinyPng(7))],
  [
    "other bytes of a picture with the known id",
    (draft) => {
      const { media } = draft.lockfile;
      draft.files["media/red.png"] = tinyPng(2);
      const red = Object.values(media).find(({ path }) => path === "media/red.png");
      const blue = Object.entries(media).find(([, { path }]) => path === "media/blue.png");
      if (red !== undefined && blue !== undefined) media[blue[0]] = { ...blue[1], also: [red.id] };
    },
  ],
  [
    "two rows that swapped their posts",
    (draft) => {
      const { posts } = draft.lockfile;
      const { launch, second } = posts;
      if (launch !== undefined && second !== undefined)
        Object.assign(posts, { launch: second, second: launch });
      draft.rows = edited(draft.rows, "launch", "content", NEW_TEXT);
    },
  ],
  [
    "a post with the key of another row",
    (draft) => {
      draft.lockfile.posts["other"] = entryOf(draft.lockfile, "launch");
      delete draft.lockfile.posts["launch"];
      draft.rows = without(draft.rows, "launch");
    },
  ],
  [
    "an older time of a post",
    (draft) => {
      entryOf(draft.lockfile, "launch").scheduled_at = "2020-01-01T09:00:00Z";
      draft.rows = without(draft.rows, "launch");
    },
  ],
  [
    "a file that no run reads",
    (draft) => {
      entryOf(draft.lockfile, "launch").file = "calendars/other.csv";
      draft.rows = without(draft.rows, "launch");
    },
  ],
  [
    "its own post as a former one",
    ({ lockfile }) => {
      lockfile.retiring[entryOf(lockfile, "launch").post_id] = formerOf(lockfile, "launch");
      delete lockfile.posts["launch"];
    },
  ],
  [
    "its own post as a former one, with another text",
    (draft) => {
      const { lockfile } = draft;
      lockfile.retiring[entryOf(lockfile, "launch").post_id] = formerOf(lockfile, "launch");
      lockfile.posts["launch"] = { ...entryOf(lockfile, "launch"), post_id: draft.foreign };
      draft.rows = edited(draft.rows, "launch", "content", NEW_TEXT);
    },
  ],
  [
    "a slot for a row with a time",
    (draft) => {
      entryOf(draft.lockfile, "launch").slot = ["linkedin"];
      draft.rows = edited(draft.rows, "launch", "time", "10:00");
    },
  ],
  [
    "a post that plancast seems to cancel",
    (draft) => {
      entryOf(draft.lockfile, "launch").cancelling = true;
      draft.rows = without(draft.rows, "launch");
    },
  ],
  ["a longer list", ({ lockfile }) => void (lockfile.longest_lists = { "100": 5 })],
  [
    "a shorter list",
    (draft) => {
      draft.lockfile.longest_lists = { "100": 1, "50": 1, "20": 1 };
      delete draft.lockfile.posts["launch"];
    },
  ],
  ["another service", ({ lockfile }) => void (lockfile.origin = "https://evil.example")],
  ["text that is no lockfile", (draft) => void (draft.text = "<<<<<<< ours\n{}\n")],
  ["a newer version", (draft) => void (draft.text = '{"version": 99, "origin": "x"}\n')],
  [
    "another lockfile by a setting",
    (draft) => {
      const { lockfile, foreign } = draft;
      draft.settings += "lockfile: other.lock.json\n";
      draft.files["other.lock.json"] =
        `${JSON.stringify({ ...lockfile, posts: { ...lockfile.posts, gone: foreignEntry(foreign) } }, null, 2)}\n`;
      draft.rows = edited(draft.rows, "launch", "content", NEW_TEXT);
    },
  ],
  [
    "an empty lockfile by a setting, and a row is gone",
    (draft) => {
      draft.settings += "lockfile: other.lock.json\n";
      draft.rows = without(draft.rows, "launch");
    },
  ],
  [
    "a lockfile by a file that the settings extend",
    (draft) => {
      const { lockfile, foreign } = draft;
      draft.settings = "extends: base.yaml\n";
      draft.files["base.yaml"] = `${SETTINGS}lockfile: other.lock.json\n`;
      draft.files["other.lock.json"] =
        `${JSON.stringify({ ...lockfile, posts: { ...lockfile.posts, gone: foreignEntry(foreign) } }, null, 2)}\n`;
      draft.rows = edited(draft.rows, "launch", "content", NEW_TEXT);
    },
  ],
  [
    "a lockfile in .plancast",
    (draft) => void (draft.files[".plancast/plancast.lock.json.own"] = JSON.stringify(draft.lockfile)),
  ],
  [
    "a journal that cancels",
    (draft) =>
      void (draft.files[".plancast/plancast.lock.json.journal"] =
        `${JSON.stringify({ event: "cancelled", key: "launch" })}\n`),
  ],
  [
    "the address of another service",
    (draft) => void (draft.settings += 'service: { url: "http://127.0.0.1:9/v1" }\n'),
  ],
  ["no rows at all", (draft) => void (draft.rows = {})],
  ["no project", (draft) => void (draft.files["plancast.yaml"] = undefined)],
  [
    "another folder for the calendars",
    (draft) => {
      draft.settings += "calendars: posts/*.csv\n";
      draft.files["posts/a.csv"] = calendar({
        launch: ["launch", "2036-03-01", "09:00", "", "linkedin", NEW_TEXT, ""],
      });
    },
  ],
  [
    "a row with the id of a post of others",
    (draft) => {
      draft.rows = {
        ...draft.rows,
        mine: [draft.foreign, "2036-05-01", "08:00", "", "linkedin", NEW_TEXT, ""],
      };
    },
  ],
  [
    "an adopted post of others, then edited",
    (draft) => {
      draft.rows = {
        ...draft.rows,
        mine: ["mine", "2036-05-01", "08:00", "", "linkedin", FOREIGN.content, ""],
      };
    },
  ],
  [
    "a free slot that is said to be taken",
    (draft) => {
      draft.settings += `calendars: [{ files: "calendars/*.csv", slots: { linkedin: ["mon 09:00"] } }]\n`;
      draft.rows = { ...draft.rows, free: SLOT };
      draft.lockfile.posts["free"] = { ...foreignEntry(draft.foreign), slot: ["linkedin"] };
    },
  ],
];
