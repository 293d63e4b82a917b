/**
 * Sends changes to Buffer, several in one request, because its limits count requests. Changes that wait together travel
 * together: creates with creates, which are never sent again if they may have arrived, and others with others. Each has its
 * own line in the journal before the request, and its own result. One request is under way at a time, as Buffer recommends.
 */

import { z } from "zod";
import type { Clock } from "../../model/clock.ts";
import { bodyOf, graphqlCode } from "../http/refusal.ts";
import type { HttpAnswer } from "../http/request.ts";
import type { CallResult, Transport } from "../http/transport.ts";
import { PRIORITY } from "../rate/limiter.ts";
import { type Mutation, MOST_CHANGES, aliasOf, mutationDocument } from "./buffer-documents.ts";

/** How a change ended: with Buffer's answer about it, or without one. */
export type MutationEnd =
  { readonly kind: "payload"; readonly payload: Payload } | Exclude<CallResult, { kind: "answer" }>;

/** A member of the union that Buffer answers with. */
export type Payload = z.output<typeof payloadSchema>;

interface MutationOptions {
  /** From then on, it is useless: ms since the epoch. */
  readonly notAfter?: number;
  readonly beforeSend?: (() => Promise<void>) | undefined;
}

interface Waiting extends MutationOptions {
  readonly name: Mutation;
  readonly input: object;
  readonly resolve: (end: MutationEnd) => void;
  readonly reject: (error: unknown) => void;
}

/** Changes that come one after the other, with at most this time between them, travel together, in ms. */
const TOGETHER_MS = 30;

export class Mutations {
  readonly #transport: Transport;
  readonly #clock: Pick<Clock, "sleep">;
  readonly #stop: AbortSignal;
  #waiting: Waiting[] = [];
  #most: number = MOST_CHANGES;
  #isSending = false;

  constructor(transport: Transport, clock: Pick<Clock, "sleep">, stop: AbortSignal) {
    this.#transport = transport;
    this.#clock = clock;
    this.#stop = stop;
  }

  /** Rejects only with what `beforeSend` threw. It may be called again if the request certainly did not arrive. */
  send(name: Mutation, input: object, options: MutationOptions = {}): Promise<MutationEnd> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ name, input, ...options, resolve, reject });
      if (!this.#isSending) void this.#sendAll();
    });
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    while (this.#waiting.length > 0) {
      await this.#gather();
      const changes = this.#take();
      await this.#sendTogether(changes).catch((error: unknown) => {
        for (const { reject } of changes) reject(error);
      });
    }
    this.#isSending = false;
  }

  /** Waits until no further change comes, or a document is full. */
  async #gather(): Promise<void> {
    for (let before = 0; before < this.#waiting.length && this.#waiting.length < this.#most;) {
      before = this.#waiting.length;
      await this.#clock.sleep(TOGETHER_MS, this.#stop);
    }
  }

  /** The next changes of one kind. */
  #take(): readonly Waiting[] {
    const [first] = this.#waiting;
    const isCreate = first?.name === "createPost";
    const same = this.#waiting.filter(({ name }) => (name === "createPost") === isCreate);
    const taken = new Set(same.slice(0, this.#most));
    this.#waiting = this.#waiting.filter((each) => !taken.has(each));
    return [...taken];
  }

  async #sendTogether(changes: readonly Waiting[]): Promise<void> {
    const query = mutationDocument(changes.map(({ name }) => name));
    const variables = Object.fromEntries(changes.map(({ input }, index) => [aliasOf(index), input]));
    const due = Math.min(...changes.map(({ notAfter = Infinity }) => notAfter));
    const result = await this.#transport.call({
      method: "POST",
      path: "/",
      repeat: changes[0]?.name === "createPost" ? "once" : "repeatable",
      json: { query, variables },
      ...(due === Infinity ? {} : { notAfter: due }),
      beforeSend: async () => void (await Promise.all(changes.map(async ({ beforeSend }) => beforeSend?.()))),
      priority: PRIORITY.write,
    });
    if (result.kind === "late") this.#endLate(changes, due);
    else if (result.kind === "answer") endAnswered(changes, result.answer);
    else if (result.kind === "refused") this.#endRefused(changes, result);
    else for (const { resolve } of changes) resolve(result);
  }

  /** Only those whose time has passed are late. */
  #endLate(changes: readonly Waiting[], due: number): void {
    const isLate = ({ notAfter = Infinity }: Waiting): boolean => notAfter <= due;
    for (const { resolve } of changes.filter(isLate)) resolve({ kind: "late" });
    this.#waiting.unshift(...changes.filter((each) => !isLate(each)));
  }

  #endRefused(changes: readonly Waiting[], result: Extract<CallResult, { kind: "refused" }>): void {
    const { code } = result.error;
    // Perhaps the document was too long or too expensive.
    if (code === "validation_error" && changes.length > 1) {
      this.#most = Math.ceil(changes.length / 2);
      this.#waiting.unshift(...changes);
      return;
    }
    // It says when to go on, which is enough for people to read once.
    const rest: MutationEnd =
      code === "rate_limit_exceeded" ? { kind: "unsent", why: result.error.message, stopped: true } : result;
    changes.forEach(({ resolve }, index) => resolve(index === 0 ? result : rest));
  }
}

const answerSchema = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z
    .array(
      z.object({
        message: z.string().catch(""),
        path: z.array(z.unknown()).catch([]),
        extensions: z
          .object({ code: z.string().optional().catch(undefined) })
          .optional()
          .catch(undefined),
      }),
    )
    .catch([]),
});

type FieldError = z.infer<typeof answerSchema>["errors"][number];

const payloadSchema = z
  .looseObject({
    __typename: z.string(),
    post: z.unknown().optional(),
    message: z.string().optional().catch(undefined),
    code: z.number().nullish().catch(undefined),
  })
  .transform(({ __typename: type, ...rest }) => ({ ...rest, type }));

/**
 * A change that fails in an unplanned way takes the answers about all others with it (GraphQL 2021-10, section 6.4.4), so
 * their results are unknown.
 */
function endAnswered(changes: readonly Waiting[], answer: HttpAnswer): void {
  const { data, errors = [] } = answerSchema.safeParse(bodyOf(answer)).data ?? {};
  const why = errors[0]?.message || "Buffer's answer says nothing about this change";
  const errorOf = (index: number): FieldError | undefined =>
    errors.find(({ path }) => path[0] === aliasOf(index));
  const isKeyRefused = codeOf(errorOf(0)) === "unauthorized";
  changes.forEach(({ resolve }, index) => {
    const payload = payloadSchema.safeParse(data?.[aliasOf(index)]).data;
    const error = isKeyRefused ? errorOf(0) : errorOf(index);
    const code = codeOf(error);
    if (payload !== undefined) resolve({ kind: "payload", payload });
    else if (error === undefined || code === undefined) resolve({ kind: "unknown", why });
    else
      resolve({
        kind: "refused",
        error: { code, status: answer.status, message: error.message, retryAfterMs: undefined },
      });
  });
}

/** Undefined if the error does not say that nothing was done. */
function codeOf(error: FieldError | undefined) {
  return graphqlCode(error?.extensions?.code);
}
