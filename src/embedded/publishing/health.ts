/** What a machine's watchers see of a running service: whether it works, and numbers without any content. */

import { type AccountNews, type AccountState, ACCOUNT_STATES } from "../../model/publication.ts";
import type { ServiceState } from "./post-state.ts";
import { SIMULATED_LANE } from "../store/store-index.ts";

/** A store that answers again within this time, in ms, has only paused the work. */
const TROUBLE_MS = 5 * 60_000;
/** More posts than these are not counted one by one. */
const MOST_DUE = 10_000;

export class Health {
  readonly #state: Pick<ServiceState, "store" | "now" | "accounts">;
  /** What happened on accounts since the start. */
  readonly #counts = new Map<AccountState, number>(ACCOUNT_STATES.map((name) => [name, 0]));
  /** Accounts whose servers do not accept their secrets. */
  readonly #refused = new Set<string>();
  /** Since when the store does not answer, in ms. */
  #troubleSince: number | undefined;

  constructor(state: Pick<ServiceState, "store" | "now" | "accounts">) {
    this.#state = state;
  }

  count({ state, account, isSignInRefused }: AccountNews): void {
    this.#counts.set(state, (this.#counts.get(state) ?? 0) + 1);
    if (isSignInRefused === true) this.#refused.add(account);
  }

  /** The store did not answer. */
  trouble(): void {
    this.#troubleSince ??= this.#state.now();
  }

  /** Whether posts can be published now. */
  async isReady(): Promise<boolean> {
    try {
      await this.#state.store.nextDue("post", []);
      this.#troubleSince = undefined;
      return true;
    } catch {
      this.trouble();
      return false;
    }
  }

  /** Whether the process works. After a long time without its store, it does not: nothing is published any more. */
  async isAlive(): Promise<boolean> {
    if (await this.isReady()) return true;
    return this.#state.now() - (this.#troubleSince ?? this.#state.now()) < TROUBLE_MS;
  }

  /**
   * Numbers in the text format of Prometheus, version 0.0.4. Source: prometheus.io, "Exposition formats". Rejects if the
   * store does not answer.
   */
  async metrics(): Promise<string> {
    const { store, now, accounts } = this.#state;
    const lanes = accounts.areReal ? accounts.list.map(({ id }) => id) : [SIMULATED_LANE];
    const at = now();
    const due = await Promise.all(lanes.map((lane) => store.due("post", { lane, at, limit: MOST_DUE })));
    const oldest = await store.nextDue("post", lanes);
    return [
      ...metric("plancast_posts_due", "gauge", "Posts whose time has come, and that are not published yet.", [
        ["", due.flat().length],
      ]),
      ...metric("plancast_lag_seconds", "gauge", "How long the oldest of these posts waits.", [
        ["", Math.max(0, at - oldest) / 1000],
      ]),
      ...metric(
        "plancast_accounts_refused",
        "gauge",
        "Accounts whose servers do not accept their secrets. Nothing more is sent there before a restart.",
        [["", this.#refused.size]],
      ),
      ...metric(
        "plancast_publications_total",
        "counter",
        "Results on accounts since the start. A lost claim was taken over by another machine.",
        ACCOUNT_STATES.map((name) => [`{result="${name}"}`, this.#counts.get(name) ?? 0]),
      ),
    ].join("");
  }
}

function metric(
  name: string,
  type: "gauge" | "counter",
  help: string,
  values: readonly (readonly [string, number])[],
): readonly string[] {
  return [
    `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`,
    ...values.map(([labels, value]) => `${name}${labels} ${value}\n`),
  ];
}
