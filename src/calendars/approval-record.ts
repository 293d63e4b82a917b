/**
 * What a client answered to each post: the file `plancast.approvals.json`, which is committed with the calendars. It keeps
 * an older answer from overriding a newer one. A row that a client has answered is published only as the client approved it.
 */

import { z } from "zod";
import { changedParts, keysOfPosts, sealOf } from "../model/post-seal.ts";
import type { Approvals, Unapproved } from "../checks/rules/rule.ts";
import { readRegular, writeAtomic } from "../disk/files.ts";
import { placeInProject } from "../disk/place.ts";
import { sortKeys } from "../model/data.ts";
import { Failure, errorCode, reasonOf } from "../model/failure.ts";
import { reportInput } from "../model/input-size.ts";
import { type ListedPost, type PostSeal, DERIVED_KEY_PREFIX, rowIdsOf } from "../model/post.ts";
import { rowMark } from "../model/row.ts";
import type { Project } from "../settings/config.ts";

export const RECORD_FILE = "plancast.approvals.json";
/** More than 50,000 posts. */
const MAX_BYTES = 32 * 1_048_576;
const VERSION = 1;

const hashText = z.string().regex(/^[\w-]{16}$/, "must be a hash of 16 characters");

/** The seal of a post in a file. */
export const sealSchema = z.strictObject({
  text: hashText,
  networks: hashText,
  time: hashText,
  media: hashText,
  series: hashText.optional(),
}) satisfies z.ZodType<PostSeal>;

export const utcTimeSchema = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, "must be a time in UTC");

const recordedAnswer = z.strictObject({
  answer: z.enum(["approved", "changes"]),
  saved: utcTimeSchema,
  seal: sealSchema,
});

const recordFile = z.strictObject({
  version: z.literal(VERSION),
  answers: z.record(z.string().max(1_000), recordedAnswer),
});

/** The newest answer to a post. */
export type RecordedAnswer = z.infer<typeof recordedAnswer>;

/** By the keys of `keysOfPosts`. */
export type ApprovalRecord = ReadonlyMap<string, RecordedAnswer>;

/** Throws a Failure if the file cannot be used. */
export async function readApprovalRecord({ root }: Pick<Project, "root">): Promise<ApprovalRecord> {
  try {
    const bytes = await readRegular(await placeInProject(root, RECORD_FILE));
    if (bytes.byteLength > MAX_BYTES) throw unusable("it is larger than 32 MB");
    reportInput(bytes.byteLength);
    const read = recordFile.safeParse(JSON.parse(bytes.toString("utf8")));
    if (read.success) return new Map(Object.entries(read.data.answers));
    const [issue] = read.error.issues;
    throw unusable(`${issue?.path.map(String).join(".") ?? ""}: ${issue?.message ?? "not valid"}`);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return new Map();
    throw error instanceof Failure ? error : unusable(reasonOf(error));
  }
}

function unusable(why: string): Failure {
  return new Failure(
    "lockfile/invalid",
    `${RECORD_FILE} cannot be read: ${why}.`,
    "If git left conflict markers, keep the newer answer to each post. Otherwise, restore the file from git.",
  );
}

export async function writeApprovalRecord(
  { root, state }: Pick<Project, "root" | "state">,
  record: ApprovalRecord,
): Promise<void> {
  const text = JSON.stringify({ version: VERSION, answers: Object.fromEntries(record) }, sortKeys, 2);
  await writeAtomic(await placeInProject(root, RECORD_FILE), `${text}\n`, { scratch: state });
}

/**
 * The posts that their client has answered, but not approved as they are.
 * @param posts all posts of the project, from `listWholePosts`
 */
export function unapprovedPosts(record: ApprovalRecord, posts: readonly ListedPost[]): Approvals {
  const found = new Map<string, Unapproved>();
  // After an edit, the networks of a row may have posts of their own, which nobody has answered.
  const rows = new Map(
    [...record].flatMap(([key, answer]) => rowIdsOf(key).map((id) => [id, answer] as const)),
  );
  const keys = keysOfPosts(record.size === 0 ? [] : posts);
  const edited = new EditedRows(record, new Set(keys.values()));
  for (const [post, key] of keys) {
    const own = record.get(key) ?? edited.answerTo(post);
    const [ofRow] = own === undefined ? rowIdsOf(post.key).flatMap((id) => rows.get(id) ?? []) : [own];
    if (ofRow === undefined || post.status !== "ready") continue;
    const changed = own === undefined ? (["networks"] as const) : changedParts(own.seal, sealOf(post));
    const { answer, saved } = ofRow;
    if (answer === "approved" && changed.length === 0) continue;
    for (const platform of post.platforms) found.set(markOf(post, platform), { answer, saved, changed });
  }
  // Most projects have no answers, and a mark of each of their posts would take longer than most rules.
  return { of: (post) => (found.size === 0 ? undefined : found.get(markOf(post, post.platforms[0] ?? ""))) };
}

/** Answers to rows without an id under keys that no row has any more: an edit of a row without an id changes its key. */
class EditedRows {
  readonly #answers: readonly RecordedAnswer[];

  /** @param keys of all posts */
  constructor(record: ApprovalRecord, keys: ReadonlySet<string>) {
    this.#answers = [...record].flatMap(([key, answer]) =>
      key.startsWith(DERIVED_KEY_PREFIX) && !keys.has(key) ? [answer] : [],
    );
  }

  /** The answer to an earlier version of the row, with the same text, or at the same time on the same networks. */
  answerTo(post: ListedPost): RecordedAnswer | undefined {
    if (this.#answers.length === 0 || !post.key.startsWith(DERIVED_KEY_PREFIX)) return undefined;
    const seal = sealOf(post);
    return this.#answers.find(
      (each) =>
        (post.content !== "" && each.seal.text === seal.text) ||
        (each.seal.time === seal.time && each.seal.networks === seal.networks),
    );
  }
}

/** The posts of a row that repeats have the place of their row. */
function markOf({ source }: Pick<ListedPost, "source">, platform: string): string {
  return JSON.stringify([rowMark(source), platform]);
}
