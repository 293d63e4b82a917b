/** The model of a publishing service: what its documentation guarantees, and the worst that it allows. */

import type { Random } from "./random.ts";

export interface SimulatedPost {
  readonly id: string;
  readonly content: string;
  readonly platforms: readonly string[];
  readonly dueMs: number;
  readonly madeBy: "api" | "hand";
  readonly madeMs: number;
  /** When it stopped to be scheduled, and why. */
  endMs: number | undefined;
  end: "published" | "cancelled by hand" | "cancelled by the API" | undefined;
}

/** How a service behaves. All of it is allowed by its documentation. */
export interface Traits {
  /** A list shows the posts as they were this long ago, in ms. */
  readonly listLagMs: number;
  /** Posts on one page of a list; 0 for all. */
  readonly pageSize: number;
  readonly requestsPerMinute: number;
  /** It answers a create with an error after the work, in hundredths. Creates have no transaction. */
  readonly failsAfterWork: number;
  readonly failsBeforeWork: number;
  /** It refuses a request for its rate limit, in hundredths. */
  readonly throttles: number;
  /** It stores other texts than it was given, and does not show that. */
  readonly rewrites: boolean;
}

export const TRAITS: Traits = {
  listLagMs: 0,
  pageSize: 0,
  requestsPerMinute: 600,
  failsAfterWork: 0,
  failsBeforeWork: 0,
  throttles: 0,
  rewrites: false,
};

/** Values of traits from which a seed chooses. */
export const TRAIT_CHOICES: { readonly [Name in keyof Traits]: readonly Traits[Name][] } = {
  listLagMs: [0, 0, 2_000, 30_000, 100_000],
  pageSize: [0, 0, 1, 3],
  requestsPerMinute: [600, 600, 12],
  failsAfterWork: [0, 0, 10],
  failsBeforeWork: [0, 0, 10],
  throttles: [0, 0, 15],
  rewrites: [false],
};

export interface SimulatedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly body: string;
}

export interface SimulatedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const MINUTE_MS = 60_000;

export class Service {
  readonly posts: SimulatedPost[] = [];
  /** Lists that leave out a post without a sign, in this run. */
  cutLists = 0;
  /** Requests that changed something. */
  writes = 0;
  readonly traits: Traits;
  readonly #random: Random;
  readonly #now: () => number;
  #window = 0;
  #used = 0;

  constructor(traits: Traits, random: Random, now: () => number) {
    this.traits = traits;
    this.#random = random;
    this.#now = now;
  }

  /** Publishes what is due. */
  tick(): void {
    for (const post of this.posts) {
      if (post.end !== undefined || post.dueMs > this.#now()) continue;
      post.end = "published";
      post.endMs = post.dueMs;
    }
  }

  live(): readonly SimulatedPost[] {
    this.tick();
    return this.posts.filter(({ end }) => end === undefined);
  }

  add(post: Pick<SimulatedPost, "content" | "platforms" | "dueMs" | "madeBy">): SimulatedPost {
    const id = `post_${this.posts.length + 1}`;
    const made = { ...post, id, madeMs: this.#now(), endMs: undefined, end: undefined };
    this.posts.push(made);
    return made;
  }

  cancelByHand(post: SimulatedPost): void {
    post.end = "cancelled by hand";
    post.endMs = this.#now();
  }

  handle(request: SimulatedRequest): SimulatedReply {
    this.tick();
    const { failsAfterWork, failsBeforeWork, throttles } = this.traits;
    const windowNow = Math.floor(this.#now() / MINUTE_MS);
    if (windowNow !== this.#window) [this.#window, this.#used] = [windowNow, 0];
    this.#used += 1;
    if (this.#used > this.traits.requestsPerMinute || this.#random.percent(throttles))
      return this.#error(429, "rate_limit_exceeded", {
        "retry-after": String(60 - (Math.floor(this.#now() / 1_000) % 60)),
      });
    if (this.#random.percent(failsBeforeWork)) return this.#error(500, "internal_error");
    const reply = this.#answer(request);
    return request.method === "POST" && this.#random.percent(failsAfterWork)
      ? this.#error(500, "internal_error")
      : reply;
  }

  #answer({ method, target, body }: SimulatedRequest): SimulatedReply {
    const { pathname, searchParams } = new URL(target, "https://service.example");
    if (pathname === "/v1/platforms" && method === "GET")
      return this.#json(200, { data: [{ id: "acc_1", platform: "linkedin", status: "active" }] });
    if (pathname === "/v1/posts" && method === "GET") return this.#list(searchParams);
    if (pathname === "/v1/posts" && method === "POST") return this.#create(body);
    const id = /^\/v1\/posts\/(post_\d+)$/.exec(pathname)?.[1];
    const post = this.posts.find((each) => each.id === id);
    if (post === undefined) return this.#error(404, "not_found");
    if (method === "GET") return this.#json(200, { data: this.#shown(post) });
    if (method !== "DELETE") return this.#error(404, "not_found");
    if (post.end !== undefined) return this.#error(422, "validation_error");
    this.writes += 1;
    post.end = "cancelled by the API";
    post.endMs = this.#now();
    return this.#json(200, { data: this.#shown(post) });
  }

  #create(body: string): SimulatedReply {
    const given: { content: string; platforms: string[]; scheduled_at: string } = JSON.parse(body);
    const dueMs = Date.parse(given.scheduled_at);
    if (dueMs <= this.#now()) return this.#error(422, "validation_error");
    this.writes += 1;
    const content = this.traits.rewrites ? given.content.toUpperCase() : given.content;
    const post = this.add({ content, platforms: given.platforms, dueMs, madeBy: "api" });
    return this.#json(201, { data: { ...this.#shown(post), content: given.content } });
  }

  #list(query: URLSearchParams): SimulatedReply {
    const then = this.#now() - this.traits.listLagMs;
    const limit = Math.min(Number(query.get("limit") ?? "100"), this.traits.pageSize || 1_000);
    const from = Number(query.get("cursor") ?? "0");
    let shown = this.posts.filter(
      (post) =>
        post.madeMs <= then && (post.endMs === undefined || post.endMs > then) && post.dueMs > this.#now(),
    );
    if (this.cutLists > 0 && from === 0 && shown.length > 0) {
      this.cutLists -= 1;
      shown = shown.slice(0, this.#random.below(shown.length));
    }
    const page = shown.slice(from, from + limit);
    const isLast = from + limit >= shown.length;
    const data = page.map((post) => this.#shown(post, "scheduled"));
    return this.#json(
      200,
      this.traits.pageSize === 0 || isLast ? { data } : { data, next_cursor: String(from + limit) },
    );
  }

  #shown(post: SimulatedPost, status = post.end?.split(" ")[0] ?? "scheduled"): object {
    const { id, content, platforms, dueMs } = post;
    const scheduled_at = `${new Date(dueMs).toISOString().slice(0, 19)}Z`;
    return { id, status, content, platforms, scheduled_at, media_ids: [] };
  }

  #json(status: number, value: unknown, headers: Record<string, string> = {}): SimulatedReply {
    const limit = String(this.traits.requestsPerMinute);
    const left = String(Math.max(0, this.traits.requestsPerMinute - this.#used));
    const reset = String(60 - (Math.floor(this.#now() / 1_000) % 60));
    return {
      status,
      headers: {
        "content-type": "application/json",
        date: new Date(this.#now()).toUTCString(),
        "x-ratelimit-limit": limit,
        "x-ratelimit-remaining": left,
        "x-ratelimit-reset": reset,
        ...headers,
      },
      body: JSON.stringify(value),
    };
  }

  #error(status: number, code: string, headers: Record<string, string> = {}): SimulatedReply {
    return this.#json(status, { error: { code, message: "Simulated." } }, headers);
  }
}
