/**
 * The page at `/`, for people: the posts by day, with filters, the delivery log, and a control to move the clock. Not
 * part of the interface. The page needs no scripts, and escapes all text.
 */

import { Buffer } from "node:buffer";
import { isSameSecret } from "../../service/http/key.ts";
import { findZone, localInstant } from "../../checks/when/local-time.ts";
import { utcTime, wallMs } from "../../model/canonical.ts";
import { durationMs, durationOf } from "../../model/clock.ts";
import { mediaByText } from "../../model/extras.ts";
import { fullTime, localTime, sortableTime } from "../../report/text/local-time.ts";
import { connectionsOf, postAt } from "../publishing/post-state.ts";
import type { StoredDelivery, StoredMedia, StoredPost } from "../store/records.ts";
import type { Access } from "../store/file-store.ts";
import { SIMULATED_LANE, statusOf } from "../store/store-index.ts";
import { type Scope, allows } from "./api-keys.ts";
import { refuseMove } from "./control.ts";
import { type Backend, type RequestContext, EndpointError } from "./endpoint.ts";
import {
  POSTS_PAGE_POLICY,
  type PostStatusName,
  type ShownPost,
  type ShownResult,
  postsPage,
} from "./posts-page-view.ts";

export interface PostsPageOptions {
  readonly backend: Backend;
  readonly access: Access;
  /** The project's name. */
  readonly title: string;
  /** IANA zone of all times. */
  readonly timezone: string;
}

/** Posts on one page. */
const PAGE_SIZE = 50;
/** Deliveries in the log, newest first. */
const LOG_SIZE = 50;
/** The maximum size of a form, in bytes. Forms of this page are far smaller. */
const MAX_FORM_BYTES = 10_000;
const TOKEN_BYTES = 18;

/** The page, and the form that moves the clock. */
export class PostsPage {
  readonly #options: PostsPageOptions;
  /**
   * Browsers send the password of this page also with forms of other pages. Only this page knows the token.
   */
  #madeToken: string | undefined;

  constructor(options: PostsPageOptions) {
    this.#options = options;
  }

  get #token(): string {
    this.#madeToken ??= Buffer.from(this.#options.backend.random(TOKEN_BYTES)).toString("base64url");
    return this.#madeToken;
  }

  show(context: RequestContext, scope: Scope): Promise<Response> {
    return this.#answer(context, scope, undefined);
  }

  /** Moves the clock as the form asks, then shows the page again. */
  async moveClock(context: RequestContext, scope: Scope): Promise<Response> {
    if (!this.#mayMove(scope)) throw new EndpointError("forbidden", "This needs a key with the scope admin.");
    const form = await readForm(context);
    if (!isSameSecret(form.get("token") ?? "", this.#token) || isForeign(context))
      throw new EndpointError("forbidden", "Open the page again, then move the clock.");
    const time = await this.#timeOf(form);
    const wrong = typeof time === "string" ? time : refuseMove(time, this.#options.backend.now());
    if (wrong !== undefined) return this.#answer(context, scope, wrong);
    await this.#options.backend.timeline.moveTo(Number(time));
    return context.redirect("/", 303);
  }

  #mayMove(scope: Scope): boolean {
    const { access, backend } = this.#options;
    return allows(scope, "admin") && access === "read-write" && !backend.accounts.areReal;
  }

  /** Unix time, in ms, or what is wrong. */
  async #timeOf(form: URLSearchParams): Promise<number | string> {
    const { backend, timezone } = this.#options;
    const by = form.get("by") ?? "";
    if (by === "next") {
      const next = await backend.store.nextDue("post", [SIMULATED_LANE]);
      return Number.isFinite(next) ? next : "No post is scheduled.";
    }
    if (by !== "") {
      return durationOf(by) === undefined
        ? "Choose how far to move the clock."
        : backend.now() + durationMs(by);
    }
    const [, ...parts] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d))?$/.exec(form.get("to") ?? "") ?? [];
    const wall = wallMs(parts.map((part) => Number(part ?? 0)));
    const zone = findZone(timezone);
    if (wall === undefined || zone === undefined) return "Choose a day and a time.";
    const found = localInstant(zone, wall);
    if (found.kind === "instant") return found.ms;
    return found.kind === "gap"
      ? `Clocks in ${timezone} skip this time. Choose another one.`
      : `Clocks in ${timezone} show this time twice. Choose another one.`;
  }

  async #answer(context: RequestContext, scope: Scope, wrong: string | undefined): Promise<Response> {
    const { backend, title, timezone } = this.#options;
    const { store, accounts, runs } = backend;
    const now = backend.now();
    const query = new URL(context.req.url).searchParams;
    const connections = await connectionsOf(backend);
    const media = new Map((await store.list("media")).map((item) => [item.id, item]));
    const all = (await store.list("post")).map((post) =>
      this.#shown(postAt(post, now, connections), now, media),
    );
    const filter = {
      status: query.get("status") ?? "",
      network: query.get("network") ?? "",
      text: query.get("text") ?? "",
    };
    const matching = all.filter((post) => fits(post, filter));
    // The next post is first. After the posts to come, the latest past post follows.
    const coming = matching.filter(({ isComing }) => isComing);
    const ordered = [...coming, ...matching.filter(({ isComing }) => !isComing).reverse()];
    const pages = Math.max(1, Math.ceil(ordered.length / PAGE_SIZE));
    const page = Math.min(pages, Math.max(1, Math.trunc(Number(query.get("page") ?? 1)) || 1));
    const isAdmin = allows(scope, "admin");
    const deliveries = isAdmin
      ? await store.list("delivery", { isReversed: true, limit: LOG_SIZE })
      : undefined;
    const text = await postsPage({
      title,
      now: this.#time(now),
      nowInput: this.#inputTime(now),
      today: sortableTime(utcTime(now), timezone).date,
      timezone,
      runs,
      accounts: accounts.areReal
        ? accounts.list.map(({ name, platform }) => `${name} (${platform})`)
        : undefined,
      canMove: this.#mayMove(scope) ? this.#token : undefined,
      isAdmin,
      wrong,
      filter,
      statusCounts: countBy(all, ({ status }) => status),
      networkCounts: countBy(
        all.flatMap(({ results }) => results),
        ({ network }) => network,
      ),
      matching: matching.length,
      posts: ordered.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE),
      page,
      pages,
      deliveries: deliveries?.map((each) => this.#delivery(each)),
      deliveryCount: isAdmin ? await store.count("delivery") : 0,
    });
    return context.html(text, wrong === undefined ? 200 : 422, {
      "Content-Security-Policy": POSTS_PAGE_POLICY,
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
      "Cache-Control": "no-store",
    });
  }

  #time(ms: number): string {
    return fullTime(localTime(utcTime(ms), this.#options.timezone));
  }

  /** In the form of a browser's field for a local time. */
  #inputTime(ms: number): string {
    const { date, clock } = sortableTime(utcTime(ms), this.#options.timezone);
    return `${date}T${clock.slice(0, 5)}`;
  }

  #shown(post: StoredPost, now: number, media: ReadonlyMap<string, StoredMedia>): ShownPost {
    const time = Date.parse(post.scheduled_at);
    const { isoDay, day, clock } = localTime(utcTime(time), this.#options.timezone);
    const status = statusNameOf(post);
    return {
      id: post.id,
      status,
      isComing: status === "scheduled" && time > now,
      day: isoDay,
      dayTitle: day,
      clock,
      texts: textsOf(post, media),
      comment: post.first_comment,
      besides: besidesOf(post),
      expires: post.expires === undefined ? undefined : this.#time(Date.parse(post.expires)),
      options: post.options ?? [],
      results: post.platforms.map((network) => this.#result(post, network)),
    };
  }

  /** What happened on one network and, on a real account, the progress. */
  #result(post: StoredPost, network: string): ShownResult {
    const publication = post.publications?.[network];
    const result = post.results?.find(({ platform }) => platform === network);
    if (result !== undefined)
      return {
        network,
        state: result.error === undefined ? "published" : (result.code ?? "failed"),
        reason: result.error ?? result.note,
        url: result.url ?? publication?.url,
      };
    if (publication === undefined)
      return { network, state: post.cancelled_at === undefined ? "scheduled" : "cancelled" };
    const { state, reason, next_at: next, url } = publication;
    const again = next === undefined ? undefined : this.#time(Date.parse(next));
    return { network, state: state === "sending" ? "unknown" : state, reason, url, again };
  }

  #delivery(delivery: StoredDelivery) {
    const { event, url, state, attempts, next_attempt_at: next } = delivery;
    return {
      event: event.event,
      post: "post_id" in event.data ? String(event.data.post_id) : undefined,
      url,
      state,
      at: this.#time(Date.parse(event.timestamp)),
      attempts: attempts.map(({ at, status, error }) => ({
        at: this.#time(Date.parse(at)),
        answer: status === undefined ? (error ?? "") : String(status),
      })),
      next: next === undefined ? undefined : this.#time(Date.parse(next)),
    };
  }
}

/** If only some networks took a post, it is partly published. */
function statusNameOf(post: StoredPost): PostStatusName {
  const status = statusOf(post);
  const isPartly = status === "failed" && post.results?.some(({ error }) => error === undefined) === true;
  return isPartly ? "partly" : status;
}

/** The texts of a post and of its thread, each with its media. */
function textsOf(post: StoredPost, media: ReadonlyMap<string, StoredMedia>): ShownPost["texts"] {
  const all = post.media_ids.map((id, index) => ({ item: media.get(id), alt: post.alt?.[index] ?? "" }));
  const byText = mediaByText(all, post);
  return [post.content, ...(post.thread ?? [])].map((text, index) => ({
    text,
    media: (byText[index] ?? []).flatMap(({ item, alt }) => (item === undefined ? [] : [{ item, alt }])),
  }));
}

function besidesOf({ reply_to: answered, quote, poll }: StoredPost): readonly string[] {
  return [
    ...(answered === undefined ? [] : [`Answers: ${answered}`]),
    ...(quote === undefined ? [] : [`Quotes: ${quote}`]),
    ...(poll === undefined ? [] : [`Poll: ${poll.join(" | ")}`]),
  ];
}

function fits(
  { status, results, texts, id }: ShownPost,
  filter: { readonly status: string; readonly network: string; readonly text: string },
): boolean {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const text = [...texts.map((each) => each.text), id].join(" ").toLowerCase();
  return (
    (filter.status === "" || filter.status === status) &&
    (filter.network === "" || results.some(({ network }) => network === filter.network)) &&
    words.every((word) => text.includes(word))
  );
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

/** The fields of a small form. Browsers always announce its length. */
async function readForm(context: RequestContext): Promise<URLSearchParams> {
  const type = (context.req.header("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  const length = Number(context.req.header("content-length") ?? Number.NaN);
  if (type !== "application/x-www-form-urlencoded" || !(length <= MAX_FORM_BYTES))
    throw new EndpointError("validation_error", "body: must be the form of this page.");
  return new URLSearchParams(await context.req.text());
}

/** Whether a browser says that another page sent the form. */
function isForeign(context: RequestContext): boolean {
  const site = context.req.header("sec-fetch-site");
  return site !== undefined && site !== "same-origin";
}
