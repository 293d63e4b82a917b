/**
 * What plancast reads from Buffer: the organization, its channels and its posts. Requests are scarce there, so the first page
 * of a list brings the channels, too, and the id of the organization is known from the lockfile.
 */

import { z } from "zod";
import { utcTime } from "../../model/canonical.ts";
import type { Clock } from "../../model/clock.ts";
import { Failure } from "../../model/failure.ts";
import { incompleteList } from "../answers/results.ts";
import { answerId, decodeRead } from "../answers/typed-answer.ts";
import { onceUntilItFails } from "../endpoints/endpoint-calls.ts";
import { type Account, usableAccounts } from "../endpoints/posts-only.ts";
import { bodyOf, graphqlCode } from "../http/refusal.ts";
import type { CallResult, Transport } from "../http/transport.ts";
import { PRIORITY } from "../rate/limiter.ts";
import { QUERIES } from "./buffer-documents.ts";
import { type BufferPost, bufferPost, networkOfService } from "./buffer-posts.ts";

/** A channel, with what may keep its posts from going out. */
export type BufferAccount = Account & { readonly isPaused: boolean; readonly timezone: string };

interface ReadsOptions {
  readonly transport: Transport;
  readonly clock: Pick<Clock, "now">;
  /** `service.organization`. */
  readonly organization: string | undefined;
  /** The ids of accounts in the lockfile. They may be wrong. */
  readonly knownAccounts: () => Promise<readonly string[]>;
}

/** Posts in one page. */
const PAGE = 100;
/** More pages are a mistake: Buffer lists the same ones again and again. */
const MOST_PAGES = 1_000;
/** How far back `plancast status` finds posts, in ms, and in how many pages. */
const PAST_MS = 400 * 86_400_000;
const PAST_PAGES = 20;

/** How the lockfile stores the id of the organization, among those of the channels. */
const ORGANIZATION = "organization:";

const organizations = z.array(z.looseObject({ id: answerId, name: z.string() }));
const accountPart = z.object({ account: z.looseObject({ organizations }) });
const channelsPart = accountPart.extend({
  channels: z.array(
    z.looseObject({
      id: answerId,
      name: z.string(),
      displayName: z.string().nullish(),
      service: z.string(),
      isDisconnected: z.boolean(),
      isLocked: z.boolean(),
      isQueuePaused: z.boolean(),
      timezone: z.string(),
    }),
  ),
});
const postsPart = z.object({
  posts: z.object({
    edges: z.array(z.object({ node: bufferPost })).nullish(),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
  }),
});
const limitsPart = z.object({
  dailyPostingLimits: z.array(z.looseObject({ channelId: answerId, limit: z.int().nullish() })),
});

type Organizations = z.infer<typeof organizations>;
type Page = z.infer<typeof postsPart>["posts"];

export class BufferReads {
  readonly #options: ReadsOptions;
  #organization: string | undefined;
  #accounts: readonly BufferAccount[] | undefined;
  /** The scheduled posts of the latest list, by id. */
  #listed: ReadonlyMap<string, BufferPost> = new Map();

  /** The channels, from the latest list if there was one. */
  readonly accounts: () => Promise<readonly BufferAccount[]>;

  constructor(options: ReadsOptions) {
    this.#options = options;
    const ask = onceUntilItFails(() => this.#askChannels());
    this.accounts = async () => this.#accounts ?? ask();
  }

  /** The ids that belong to this customer of Buffer only. */
  async accountIds(): Promise<ReadonlySet<string>> {
    const ids = (await this.accounts()).map(({ id }) => id);
    return new Set([...ids, `${ORGANIZATION}${await this.#organizationId()}`]);
  }

  /** A post of the latest list. */
  listed(id: string): BufferPost | undefined {
    return this.#listed.get(id);
  }

  /** Every scheduled post. Throws a Failure if they cannot be read to the end. */
  async scheduled(): Promise<readonly BufferPost[]> {
    const posts = await this.#list({ status: ["scheduled"] }, "asc", () => true);
    this.#listed = new Map(posts.map((post) => [post.id, post]));
    return posts;
  }

  /**
   * Posts of the last year and all later ones, the latest first.
   * @param statuses Buffer's words; undefined for all  @param isWanted whether to read on after these posts
   */
  past(
    statuses: readonly string[] | undefined,
    isWanted: (found: ReadonlyMap<string, BufferPost>, pages: number) => boolean = () => true,
  ): Promise<readonly BufferPost[]> {
    const start = utcTime(this.#options.clock.now() - PAST_MS);
    const filter = { dueAt: { start }, ...(statuses === undefined ? {} : { status: statuses }) };
    return this.#list(filter, "desc", (found, pages) => isWanted(found, pages) && pages < PAST_PAGES);
  }

  /** Undefined if Buffer does not have the post. Throws a Failure if it cannot be read. */
  async post(id: string): Promise<BufferPost | undefined> {
    const result = await this.#query(QUERIES.post, { id });
    if (result.kind === "refused" && result.error.code === "not_found") return undefined;
    return decode(result, z.object({ post: bufferPost }), "post").post;
  }

  /** How many posts a day the networks accept, by channel. Channels without a limit are left out. */
  async dailyLimits(channels: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const result = await this.#query(QUERIES.limits, { channels });
    const { dailyPostingLimits: limits } = decode(result, limitsPart, "dailyPostingLimits");
    return new Map(
      limits.flatMap(({ channelId, limit }) =>
        typeof limit === "number" ? [[channelId, limit] as const] : [],
      ),
    );
  }

  async #list(
    filter: object,
    direction: "asc" | "desc",
    isWanted: (found: ReadonlyMap<string, BufferPost>, pages: number) => boolean,
  ): Promise<readonly BufferPost[]> {
    const found = new Map<string, BufferPost>();
    const variables = { filter, sort: [{ field: "dueAt", direction }], first: PAGE };
    let page = await this.#firstPage(variables);
    for (let pages = 1; ; pages += 1) {
      for (const { node } of page.edges ?? []) found.set(node.id, node);
      const { hasNextPage, endCursor: after } = page.pageInfo;
      if (!hasNextPage || !isWanted(found, pages)) return [...found.values()];
      if (after === null || after === undefined || pages >= MOST_PAGES)
        throw incompleteList("posts", "Buffer says that there are more pages, and does not show where");
      const organization = await this.#organizationId();
      const result = await this.#query(QUERIES.posts, { ...variables, organization, after });
      page = decode(result, postsPart, "posts").posts;
    }
  }

  async #firstPage(variables: object): Promise<Page> {
    const { channels, rest } = await this.#inOrganization(async (organization) => {
      const result = await this.#query(QUERIES.channelsAndPosts, { ...variables, organization });
      return { result, schema: channelsPart.extend(postsPart.shape), what: "posts" };
    });
    this.#accounts = accountsIn(channels);
    return rest.posts;
  }

  async #askChannels(): Promise<readonly BufferAccount[]> {
    const { channels } = await this.#inOrganization(async (organization) => {
      const result = await this.#query(QUERIES.channels, { organization });
      return { result, schema: channelsPart, what: "channels" };
    });
    this.#accounts = accountsIn(channels);
    return this.#accounts;
  }

  /** Asks in the organization of the lockfile first. It counts only if Buffer says that it is the right one. */
  async #inOrganization<Schema extends typeof channelsPart>(
    ask: (
      organization: string,
    ) => Promise<{ readonly result: CallResult; readonly schema: Schema; readonly what: string }>,
  ): Promise<{
    readonly channels: z.infer<typeof channelsPart>["channels"];
    readonly rest: z.output<Schema>;
  }> {
    const guess = this.#organization ?? (await this.#knownOrganization());
    if (guess !== undefined) {
      const { result, schema, what } = await ask(guess);
      const isOther = result.kind === "refused" && OTHER_ORGANIZATION.has(result.error.code);
      const rest = isOther ? undefined : decode(result, schema, what);
      if (rest !== undefined && this.#chosen(rest.account.organizations) === guess) {
        this.#organization = guess;
        return { channels: rest.channels, rest };
      }
      this.#organization = undefined;
    }
    const { result, schema, what } = await ask(await this.#askOrganization());
    const rest = decode(result, schema, what);
    return { channels: rest.channels, rest };
  }

  async #knownOrganization(): Promise<string | undefined> {
    const known = await this.#options.knownAccounts();
    return known.find((id) => id.startsWith(ORGANIZATION))?.slice(ORGANIZATION.length);
  }

  async #organizationId(): Promise<string> {
    return this.#organization ?? this.#askOrganization();
  }

  async #askOrganization(): Promise<string> {
    const result = await this.#query(QUERIES.organizations, {});
    const { account } = decode(result, accountPart, "account");
    this.#organization = this.#chosen(account.organizations);
    return this.#organization;
  }

  /** Throws a Failure with the line to paste if nobody can know which one is meant. */
  #chosen(all: Organizations): string {
    const { organization: wanted } = this.#options;
    const meant = all.filter(
      ({ id, name }) =>
        wanted === undefined || wanted === id || wanted.trim().toLowerCase() === name.trim().toLowerCase(),
    );
    const [only, ...others] = meant;
    if (only !== undefined && others.length === 0) return only.id;
    const lines = all.map(
      ({ id, name }) =>
        `\`service: { type: buffer, organization: ${JSON.stringify(isUnique(name, all) ? name : id)} }\``,
    );
    const what =
      wanted === undefined
        ? `The key leads to ${all.length} organizations in Buffer, and plancast.yaml names none.`
        : `The key does not lead to exactly one organization "${wanted}" in Buffer.`;
    const hint =
      lines.length === 0
        ? "Make a key of the right person in Buffer."
        : `Set one of these in plancast.yaml: ${lines.join(" or ")}.`;
    throw new Failure("service/organization", what, hint);
  }

  async #query(query: string, variables: object): Promise<CallResult> {
    const result = await this.#options.transport.call({
      method: "POST",
      path: "/",
      repeat: "repeatable",
      isRead: true,
      json: { query, variables },
      priority: PRIORITY.read,
    });
    return withFieldErrors(result);
  }
}

const OTHER_ORGANIZATION: ReadonlySet<string> = new Set(["forbidden", "not_found", "validation_error"]);

function isUnique(name: string, all: Organizations): boolean {
  return all.filter((each) => each.name === name).length === 1;
}

const fieldErrors = z.object({
  errors: z
    .array(
      z.object({
        message: z.string().catch(""),
        extensions: z
          .object({ code: z.string().optional().catch(undefined) })
          .optional()
          .catch(undefined),
      }),
    )
    .min(1),
});

/** An answer with an error counts as refused: nobody knows what it lacks. */
function withFieldErrors(result: CallResult): CallResult {
  if (result.kind !== "answer") return result;
  const [error] = fieldErrors.safeParse(bodyOf(result.answer)).data?.errors ?? [];
  if (error === undefined) return result;
  const code = graphqlCode(error.extensions?.code) ?? "http_500";
  const { status } = result.answer;
  const { message } = error;
  return {
    kind: "refused",
    error: { code, status, message, retryAfterMs: undefined },
    answer: result.answer,
  };
}

function decode<Schema extends z.ZodType>(
  result: CallResult,
  schema: Schema,
  what: string,
): z.output<Schema> {
  const inData = z
    .object({ data: z.unknown() })
    .transform(({ data }) => data)
    .pipe(schema);
  return decodeRead(result, inData, `Buffer's ${what}`);
}

function accountsIn(channels: z.infer<typeof channelsPart>["channels"]): readonly BufferAccount[] {
  return usableAccounts(
    channels.map((record) => {
      const { id, name, displayName, service, isDisconnected, isLocked, timezone } = record;
      return {
        id,
        network: networkOfService(service),
        names: [name, displayName ?? ""],
        isActive: !isDisconnected && !isLocked,
        isPaused: record.isQueuePaused,
        timezone,
        record,
      };
    }),
  );
}
