/** How the page at `/` looks. All text is escaped by hono's `html`. */

import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import { networkNamed } from "../../checks/networks/network-names.ts";
import { visibleText } from "../../report/text/escape.ts";
import { plural } from "../../report/text/numbers.ts";
import { OUTBOX_PATH, outboxPath } from "../publishing/paths.ts";
import type { StoredMedia } from "../store/records.ts";

/** Listed in the order of the filters. */
const STATUS_NAMES = ["scheduled", "published", "partly", "failed", "cancelled"] as const;

export type PostStatusName = (typeof STATUS_NAMES)[number];

const STATUS_LABELS: Readonly<Record<PostStatusName, string>> = {
  scheduled: "Scheduled",
  published: "Published",
  partly: "Partly published",
  failed: "Failed",
  cancelled: "Cancelled",
};

export interface ShownResult {
  readonly network: string;
  readonly state: "scheduled" | "waiting" | "published" | "failed" | "expired" | "unknown" | "cancelled";
  /** Why it failed or waits. */
  readonly reason?: string | undefined;
  /** On a real network. */
  readonly url?: string | undefined;
  /** When plancast tries or asks again. */
  readonly again?: string | undefined;
}

export interface ShownPost {
  readonly id: string;
  readonly status: PostStatusName;
  readonly isComing: boolean;
  /** `2027-03-01` */
  readonly day: string;
  /** `Mon 1 March 2027` */
  readonly dayTitle: string;
  readonly clock: string;
  /** Its text, and those of its thread: each with its media. */
  readonly texts: readonly ShownText[];
  readonly comment: string | undefined;
  /** The posts that it refers to, and the choices of its poll. */
  readonly besides: readonly string[];
  /** The time as people read it. */
  readonly expires: string | undefined;
  readonly options: readonly string[];
  readonly results: readonly ShownResult[];
}

interface ShownText {
  readonly text: string;
  /** With their descriptions; empty for none. */
  readonly media: readonly { readonly item: StoredMedia; readonly alt: string }[];
}

interface ShownDelivery {
  readonly event: string;
  readonly post: string | undefined;
  readonly url: string;
  readonly state: "waiting" | "delivered" | "given_up";
  readonly at: string;
  /** Each with the status of the answer, or why there was none. */
  readonly attempts: readonly { readonly at: string; readonly answer: string }[];
  readonly next: string | undefined;
}

interface Filter {
  readonly status: string;
  readonly network: string;
  readonly text: string;
}

export interface PostsPageView {
  readonly title: string;
  readonly now: string;
  /** For a field with a local time. */
  readonly nowInput: string;
  /** `2027-03-01` */
  readonly today: string;
  readonly timezone: string;
  readonly runs: boolean;
  /** Names of the real accounts; undefined if they are simulated. */
  readonly accounts: readonly string[] | undefined;
  /** The token for the form that moves the clock; undefined if this visitor cannot move it. */
  readonly canMove: string | undefined;
  readonly isAdmin: boolean;
  /** Why the clock was not moved. */
  readonly wrong: string | undefined;
  readonly filter: Filter;
  readonly statusCounts: ReadonlyMap<string, number>;
  readonly networkCounts: ReadonlyMap<string, number>;
  readonly matching: number;
  readonly posts: readonly ShownPost[];
  readonly page: number;
  readonly pages: number;
  /** Newest first; undefined if this visitor may not see them. */
  readonly deliveries: readonly ShownDelivery[] | undefined;
  readonly deliveryCount: number;
}

type Html = ReturnType<typeof html>;

export async function postsPage(view: PostsPageView): Promise<string> {
  const { title, timezone, accounts } = view;
  const where =
    accounts === undefined
      ? "A simulation: posts go to the outbox and to no real account."
      : `Publishes on ${accounts.join(", ")}.`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="data:," />
        <title>${title}: posts on this service</title>
        ${raw(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <header>
          <div>
            <h1>${title}</h1>
            <p class="quiet">${where} Times are in ${timezone}.</p>
            ${filters(view)}
          </div>
          ${clockPanel(view)}
        </header>
        <main>
          <h2>${heading(view)}</h2>
          ${view.posts.length === 0 ? nothing(view) : days(view)} ${pager(view)} ${deliveryLog(view)}
        </main>
      </body>
    </html>`;
  return String(await page);
}

function clockPanel({
  now,
  nowInput,
  runs,
  canMove,
  accounts,
  isAdmin,
  wrong,
  timezone,
}: PostsPageView): Html {
  const hint =
    accounts !== undefined
      ? "Nobody can move the clock, because this service publishes on real accounts."
      : isAdmin
        ? ""
        : "To move the clock and see the delivery log, log in with the admin key.";
  return html`<section class="clock" aria-labelledby="clock">
    <h2 id="clock">Time of the service</h2>
    <p class="now"><time>${now}</time> <span class="quiet">${runs ? "running" : "stopped"}</span></p>
    ${wrong === undefined ? "" : html`<p class="wrong" role="alert">${wrong}</p>`}
    ${
      canMove === undefined
        ? html`<p class="quiet">${hint}</p>`
        : html`<form method="post" action="/">
              <input type="hidden" name="token" value="${canMove}" />
              <button name="by" value="next">Next post</button>
              <button name="by" value="1h">+ 1 hour</button>
              <button name="by" value="1d">+ 1 day</button>
            </form>
            <form method="post" action="/">
              <input type="hidden" name="token" value="${canMove}" />
              <label
                >Move to, in ${timezone}
                <input type="datetime-local" name="to" value="${nowInput}" min="${nowInput}" required
              /></label>
              <button>Move</button>
            </form>`
    }
  </section>`;
}

/** `Mastodon (press)` for `mastodon/press`. */
function networkTitle(name: string): string {
  const [network = "", account] = name.split("/");
  return `${networkNamed(network)?.title ?? network}${account === undefined ? "" : ` (${account})`}`;
}

/** The address of the page with these filters. */
function address(filter: Filter, page = 1): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) if (value !== "") query.set(name, value);
  if (page > 1) query.set("page", String(page));
  return query.size === 0 ? "/" : `/?${query.toString()}`;
}

function filters({ filter, statusCounts, networkCounts }: PostsPageView): Html {
  const statuses = STATUS_NAMES.filter((name) => statusCounts.has(name) || filter.status === name);
  const networks = [...networkCounts.keys()].sort();
  const chip = (key: "status" | "network", value: string, label: string, count: number): Html => {
    const isOn = filter[key] === value;
    const to = address({ ...filter, [key]: isOn ? "" : value });
    return html`<a
      class="chip ${key === "status" ? `is-${value}` : ""}"
      href="${to}"
      aria-current="${String(isOn)}"
      >${label} <span class="count">${count}</span></a
    >`;
  };
  return html`<nav aria-label="Filters">
    <p class="chips">
      ${statuses.map((name) => chip("status", name, STATUS_LABELS[name], statusCounts.get(name) ?? 0))}
    </p>
    ${
      networks.length < 2
        ? ""
        : html`<p class="chips">
            ${networks.map((name) => chip("network", name, networkTitle(name), networkCounts.get(name) ?? 0))}
          </p>`
    }
    <form class="search" method="get" action="/" role="search">
      ${filter.status === "" ? "" : html`<input type="hidden" name="status" value="${filter.status}" />`}
      ${filter.network === "" ? "" : html`<input type="hidden" name="network" value="${filter.network}" />`}
      <input
        type="search"
        name="text"
        value="${filter.text}"
        placeholder="Search posts"
        aria-label="Search posts"
      />
      <button>Search</button>
    </form>
  </nav>`;
}

function isFiltering({ status, network, text }: Filter): boolean {
  return `${status}${network}${text}` !== "";
}

function heading({ filter, matching }: PostsPageView): string {
  return `${plural(matching, "post")}${isFiltering(filter) ? (matching === 1 ? " matches" : " match") : ""}`;
}

function nothing({ filter }: PostsPageView): Html {
  return isFiltering(filter)
    ? html`<p class="nothing">No post matches. <a href="/">Show all posts</a></p>`
    : html`<p class="nothing">There are no posts yet. Run <code>plancast apply</code> in your project.</p>`;
}

/** Posts under the heading of their day. */
function days({ posts, today }: PostsPageView): Html[] {
  const groups: ShownPost[][] = [];
  for (const post of posts) {
    const last = groups.at(-1);
    const [first] = last ?? [];
    if (last !== undefined && first?.day === post.day && first.isComing === post.isComing) last.push(post);
    else groups.push([post]);
  }
  return groups.map(
    (group) =>
      html`<section class="day">
        <h3>
          ${group[0]?.dayTitle ?? ""} ${group[0]?.day === today ? html`<span class="today">Today</span>` : ""}
        </h3>
        ${group.map(postArticle)}
      </section>`,
  );
}

/** Not in the paragraph's template, because a text shows every space and line break around it. */
const COMMENT_LABEL = html`<span class="quiet">First comment: </span>`;

function postArticle(post: ShownPost): Html {
  const { id, status, clock, texts, comment, besides, expires, options, results } = post;
  return html`<article class="post is-${status}">
    <p class="head"><strong>${clock}</strong> <span class="badge">${STATUS_LABELS[status]}</span></p>
    ${texts.map(
      ({ text, media }, index) =>
        html`${text === "" ? "" : html`<p class="text${index === 0 ? "" : " reply"}" dir="auto">${visibleText(text)}</p>`}
        ${media.length === 0 ? "" : html`<p class="media${index === 0 ? "" : " reply"}">${media.map(({ item, alt }) => mediaElement(item, visibleText(alt)))}</p>`}`,
    )}
    ${comment === undefined ? "" : html`<p class="text reply" dir="auto">${[COMMENT_LABEL, visibleText(comment)]}</p>`}
    <ul class="results">
      ${results.map((result) => resultItem(result, id))}
    </ul>
    <p class="quiet">${id}${expires === undefined ? "" : `, expires ${expires}`}</p>
    ${[...besides, ...options].map((each) => html`<p class="quiet" dir="auto">${visibleText(each)}</p>`)}
  </article>`;
}

const RESULT_LABELS: Readonly<Record<ShownResult["state"], string>> = {
  scheduled: "scheduled",
  waiting: "not published yet",
  published: "published",
  failed: "failed",
  expired: "expired",
  unknown: "unknown",
  cancelled: "cancelled",
};

function resultItem({ network, state, reason, url, again }: ShownResult, id: string): Html {
  // An address from a network's answer must not run anything.
  const link = url === undefined ? outboxPath(id, encodeURIComponent(network)) : url;
  const isLink = state === "published" && /^(?:https?:\/\/|\/)/.test(link);
  return html`<li class="result is-${state}">
    <b>${networkTitle(network)}</b>
    ${isLink ? html`<a href="${link}" rel="noreferrer">${RESULT_LABELS[state]}</a>` : RESULT_LABELS[state]}${
      reason === undefined ? "" : html`: ${visibleText(reason)}`
    }
    ${again === undefined ? "" : html`<span class="quiet">Next try ${again}.</span>`}
  </li>`;
}

/** @param alt empty for none */
function mediaElement({ id, type }: StoredMedia, alt: string): Html {
  const path = `${OUTBOX_PATH}/media/${id}`;
  return type === "image"
    ? html`<a href="${path}"><img src="${path}" alt="${alt || `Picture ${id}`}" loading="lazy" /></a>`
    : html`<video src="${path}" controls preload="metadata" aria-label="${alt || `Video ${id}`}"></video>`;
}

function pager({ page, pages, filter }: PostsPageView): Html | string {
  if (pages === 1) return "";
  const link = (to: number, label: string): Html | string =>
    to < 1 || to > pages ? "" : html`<a class="button" href="${address(filter, to)}">${label}</a>`;
  return html`<nav class="pager" aria-label="Pages">
    ${link(page - 1, "Previous posts")} <span>Page ${page} of ${pages}</span> ${link(page + 1, "More posts")}
  </nav>`;
}

const DELIVERY_LABELS = { waiting: "waiting", delivered: "delivered", given_up: "given up" } as const;

function deliveryLog({ deliveries, deliveryCount }: PostsPageView): Html | string {
  if (deliveries === undefined) return "";
  const rest =
    deliveryCount > deliveries.length
      ? html`<p class="quiet">The latest ${deliveries.length} of ${deliveryCount}.</p>`
      : "";
  return html`<section class="log" aria-labelledby="log">
    <h2 id="log">Delivery log</h2>
    ${
      deliveries.length === 0
        ? html`<p class="nothing">No event was sent to a webhook yet.</p>`
        : html`${rest}
            <ul>
              ${deliveries.map(deliveryItem)}
            </ul>`
    }
  </section>`;
}

function deliveryItem({ event, post, url, state, at, attempts, next }: ShownDelivery): Html {
  return html`<li class="delivery is-${state}">
    <p>
      <b>${event}</b> <span class="badge">${DELIVERY_LABELS[state]}</span>
      <span class="quiet">${at}${post === undefined ? "" : ` · ${post}`}</span>
    </p>
    <p class="quiet">${visibleText(url)}</p>
    <details>
      <summary>${plural(attempts.length, "attempt")}${next === undefined ? "" : `, next at ${next}`}</summary>
      <ol>
        ${attempts.map(({ at: time, answer }) => html`<li>${time}: ${visibleText(answer)}</li>`)}
      </ol>
    </details>
  </li>`;
}

const STYLE = `
:root { color-scheme: light dark; --bg: #f6f6f4; --surface: #fff; --line: #dddcd6; --text: #1c1b19; --quiet: #5f5d57;
  --accent: #2f55c8; --blue: #1c57b0; --green: #146c43; --red: #ac1f2a; --amber: #825000; --grey: #5f5d57; --on: #fff; }
@media screen and (prefers-color-scheme: dark) { :root { --bg: #141416; --surface: #1c1c1f; --line: #35353b;
  --text: #ededee; --quiet: #a4a4ac; --accent: #94adff; --blue: #93bdf9; --green: #62d49e; --red: #ff9296;
  --amber: #efbb58; --grey: #a4a4ac; --on: #141416; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 64rem; padding: 1.75rem 1.5rem 4rem; background: var(--bg); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1, h2, h3, p, ul, ol { margin: 0; }
h1 { font-size: 1.625rem; line-height: 1.2; letter-spacing: -.015em; overflow-wrap: anywhere; }
h2 { font-size: 1.125rem; }
h3 { font-size: 1rem; margin-bottom: .5rem; }
ul { padding: 0; list-style: none; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.quiet { color: var(--quiet); font-size: .875rem; overflow-wrap: anywhere; }
header { display: grid; grid-template-columns: 1fr auto; gap: 1rem 2rem; align-items: start; margin-bottom: 1.5rem; }
.clock { max-width: 27rem; padding: .875rem 1rem; border: 1px solid var(--line); border-radius: .75rem;
  background: var(--surface); }
.clock h2 { font-size: .875rem; font-weight: 550; color: var(--quiet); }
.now { font-size: 1.125rem; font-weight: 620; font-variant-numeric: tabular-nums; }
.clock form { display: flex; flex-wrap: wrap; align-items: end; gap: .5rem; margin-top: .625rem; }
.clock label { display: grid; flex: 1; color: var(--quiet); font-size: .8125rem; }
.wrong { margin-top: .5rem; color: var(--red); font-weight: 550; }
button, .button, input { font: inherit; font-size: .875rem; color: inherit; min-height: 2.25rem; padding: .25rem .75rem;
  border: 1px solid var(--line); border-radius: .5rem; background: var(--surface); }
button, .button { cursor: pointer; font-weight: 500; text-decoration: none; display: inline-flex; align-items: center; }
button:hover, .button:hover, .chip:hover { border-color: var(--quiet); }
nav { margin-top: 1.25rem; }
.chips { display: flex; flex-wrap: wrap; gap: .375rem; margin-bottom: .5rem; }
.chip { display: inline-flex; gap: .4rem; padding: .25rem .75rem; border: 1px solid var(--line); border-radius: 1rem;
  background: var(--surface); color: inherit; font-size: .8125rem; font-weight: 500; text-decoration: none; }
.chip[aria-current="true"] { border-color: var(--tone, var(--accent)); color: var(--tone, var(--accent));
  box-shadow: inset 0 0 0 1px var(--tone, var(--accent)); font-weight: 650; }
.count { color: var(--quiet); font-variant-numeric: tabular-nums; }
.search { display: flex; gap: .5rem; max-width: 24rem; }
.search input { flex: 1; min-width: 0; }
.is-scheduled { --tone: var(--blue); }
.is-published, .is-delivered { --tone: var(--green); }
.is-partly, .is-waiting, .is-unknown { --tone: var(--amber); }
.is-failed, .is-given_up { --tone: var(--red); }
.is-cancelled { --tone: var(--grey); }
.day { margin-top: 1.25rem; }
.today { padding: .0625rem .5rem; border-radius: 1rem; background: var(--accent); color: var(--on); font-size: .75rem; }
.post, .delivery { margin-bottom: .75rem; padding: .875rem 1rem; border: 1px solid var(--line);
  border-left: 4px solid var(--tone); border-radius: .75rem; background: var(--surface); }
.post > * + * { margin-top: .5rem; }
.head { display: flex; align-items: center; justify-content: space-between; font-variant-numeric: tabular-nums; }
.badge { padding: .0625rem .5625rem; border: 1px solid var(--tone); border-radius: 1rem; color: var(--tone);
  font-size: .75rem; font-weight: 600; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
.reply { padding-left: .75rem; border-left: 2px solid var(--line); }
.media { display: flex; flex-wrap: wrap; gap: .5rem; }
.media img, .media video { display: block; height: 8rem; max-width: 100%; border-radius: .5rem; }
.results { display: grid; gap: .25rem; font-size: .875rem; }
.result { overflow-wrap: anywhere; }
.result b { display: inline-block; min-width: 6rem; }
.nothing { margin-top: 1rem; padding: 2rem 1rem; border: 1px dashed var(--line); border-radius: .75rem; text-align: center; }
.pager { display: flex; flex-wrap: wrap; align-items: center; justify-content: center; gap: 1rem; margin: 1.5rem 0; }
.log { margin-top: 2.5rem; }
.log ul { margin-top: .75rem; }
.delivery p { overflow-wrap: anywhere; }
details { margin-top: .25rem; font-size: .875rem; }
summary { cursor: pointer; }
@media (max-width: 720px) { body { padding: 1.125rem 1rem 3rem; } header { grid-template-columns: 1fr; }
  .clock { max-width: none; } .clock form button { flex: 1; justify-content: center; } }
@media (forced-colors: active) { .chip[aria-current="true"] { forced-color-adjust: none; background: Highlight; color: HighlightText; }
  .chip[aria-current="true"] .count { color: inherit; } }
@media print { .clock form, nav { display: none; } .post, .delivery { break-inside: avoid; } }
`;

const styleHash = createHash("sha256").update(STYLE).digest("base64");

/** Only the page's own style, media of this service, and forms to this service. */
export const POSTS_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "img-src 'self' data:",
  "media-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");
