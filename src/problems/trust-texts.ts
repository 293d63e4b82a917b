/** What a plan says about files of a checkout that nothing confirms, and about what a merge does besides the plan. */

/** A setting that a pull request changes. */
export function settingChangedText(name: string, before: string, after: string): string {
  return `A merge changes the setting ${name} from ${before} to ${after}. It can send posts elsewhere, or otherwise: check that this is meant.`;
}

/** Answers of clients that a pull request removes or turns into approvals. */
export function answersChangedText(answers: readonly string[]): string {
  return `A merge changes what clients have answered: ${firstOf(answers)}. Posts that waited for a client could go out: check that the client said so.`;
}

/** Settings that a pull request changes, in an encoding that cannot be compared. */
export function otherEncodingText(file: string): string {
  return `A merge changes ${file}, and it is not UTF-8 before or after it. The plan cannot show which settings change: save the file as UTF-8, or read its changes.`;
}

/** A file that a pull request changes. It decides what CI runs. */
export function workflowChangedText(file: string): string {
  return `A merge changes ${file}, which decides what CI runs with your keys. The plan cannot show what it will do: read its changes.`;
}

/** A post in the schedule of a checkout that no row asks for. */
interface UnknownPost {
  readonly id: string;
  readonly dueAt: string;
  /** All of its texts. */
  readonly texts: readonly string[];
  /** Its networks, with the account if it is not the usual one. */
  readonly accounts: readonly string[];
  /** Paths of its pictures and videos. */
  readonly files: readonly string[];
}

export function unknownPostText({ id, dueAt, texts, accounts, files }: UnknownPost): string {
  const media = files.length === 0 ? "" : `, with ${files.join(", ")}`;
  return (
    `plancast.schedule.json has ${id}, which no row asks for. It is due ${dueAt} on ${accounts.join(", ")}${media}. ` +
    `It says: ${texts.map((text) => JSON.stringify(text)).join(", ")}. If you did not schedule it, restore the file: \`plancast publish\` would send it.`
  );
}

/** A post of the base that the schedule of a checkout lacks. */
export function removedPostText({ id, dueAt, texts }: Pick<UnknownPost, "id" | "dueAt" | "texts">): string {
  return `This checkout removes ${id} from plancast.schedule.json, but nothing cancelled it. It is due ${dueAt} and says: ${texts.map((text) => JSON.stringify(text)).join(", ")}. Apply puts it back.`;
}

/** A post whose result the schedule of a checkout lacks, although the base has it. */
export function forgottenResultText({
  id,
  dueAt,
  texts,
}: Pick<UnknownPost, "id" | "dueAt" | "texts">): string {
  return `This checkout removes the result of ${id}, which was due ${dueAt} and says: ${texts.map((text) => JSON.stringify(text)).join(", ")}. The result still counts, so the post is not published again. Apply puts it back.`;
}

/** A statement of a lockfile that nothing confirms, so that plancast does not use it. */
export type RefusedStatement =
  | { readonly of: "post"; readonly key: string; readonly postId: string; readonly parts: readonly string[] }
  | { readonly of: "pending-create"; readonly key: string }
  | { readonly of: "media"; readonly path: string; readonly id: string }
  | { readonly of: "accounts"; readonly before: readonly string[]; readonly now: readonly string[] };

/** The maximum number of rows that a message names. */
const MAX_NAMED_ROWS = 5;

const NOT_USED =
  "Neither the base nor the service confirms this, so plancast does not use it. Restore the lockfile.";

/**
 * @param added keys of rows whose posts only the lockfile of a pull request names
 * @param clipped shortens a name
 */
export function notConfirmedTexts(
  refused: readonly RefusedStatement[],
  added: readonly string[],
  clipped: (text: string) => string,
): readonly string[] {
  const quoted = (key: string): string => `"${clipped(key)}"`;
  const posts = refused.flatMap((each) =>
    each.of === "post" ? [`${quoted(each.key)} (${each.parts.join(", ")})`] : [],
  );
  const pending = refused.flatMap((each) => (each.of === "pending-create" ? [quoted(each.key)] : []));
  return [
    ...(added.length === 0
      ? []
      : [
          `The lockfile names posts that its base does not have, for ${firstOf(added.map(quoted))}. ` +
            "After the merge, plancast can replace and cancel them. If nobody applied from this branch, restore the lockfile.",
        ]),
    ...(posts.length === 0
      ? []
      : [`The lockfile says something else than its base about the posts of ${firstOf(posts)}. ${NOT_USED}`]),
    ...(pending.length === 0
      ? []
      : [
          `The lockfile says that a create may still appear on the service, for ${firstOf(pending)}. ${NOT_USED}`,
        ]),
    ...refused.flatMap((each) => {
      if (each.of === "media")
        return [
          `The lockfile says that ${clipped(each.path)} is ${clipped(each.id)} on the service. ${NOT_USED}`,
        ];
      if (each.of !== "accounts") return [];
      const [before, now] = [each.before, each.now].map((ids) => ids.map(clipped).join(", ") || "none");
      return [
        `The accounts in the lockfile change from ${before} to ${now}. If you did not run \`plancast lockfile accept-account\`, restore the lockfile.`,
      ];
    }),
  ];
}

function firstOf(names: readonly string[]): string {
  const more = names.length - MAX_NAMED_ROWS;
  return names.slice(0, MAX_NAMED_ROWS).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
