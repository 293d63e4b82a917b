/**
 * Recent answers of a service that runs use again to spare its rate limit, if they only read. Projects with the same
 * service and key read the list of scheduled posts once. Commands that watch files plan with the answers that they have.
 */

import { hash } from "node:crypto";
import type { Clock } from "../../model/clock.ts";
import type { LongestLists } from "../../model/lockfile.ts";
import type { DateRange, FullService, PostState, ReadService, RemoteList } from "../service.ts";

/** Older answers are not reused, in ms. Somebody who saves a calendar every few seconds does not use up the rate limit. */
export const REUSE_MS = 20_000;

type ListingService = Pick<ReadService, "listScheduled" | "listsByDate">;

/** The lists of several projects. */
export class SharedLists {
  readonly #clock: Clock;
  /** By address and hash of the key. */
  readonly #lists = new Map<string, { readonly list: RemoteList; readonly at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * The service for one project: its first list may come from an earlier project. Every other list is a new one, because
   * two lists can prove what one cannot.
   * @param base address of the service
   */
  share<Lists extends ListingService>(service: Lists, base: string, key: string): Lists {
    // This list has only the posts of one project's dates.
    if (service.listsByDate === true) return service;
    const name = JSON.stringify([base, hash("sha256", key)]);
    let isFirst = true;
    return {
      ...service,
      listScheduled: async (range?: DateRange, longest?: LongestLists) => {
        const known = isFirst ? this.#recent(name) : undefined;
        isFirst = false;
        if (known !== undefined) return known;
        const list = await service.listScheduled(range, longest);
        this.#lists.set(name, { list, at: this.#clock.now() });
        return list;
      },
    };
  }

  /** A list in doubt is not reused: the lockfile of another project may clear the doubt. */
  #recent(name: string): RemoteList | undefined {
    const known = this.#lists.get(name);
    if (known === undefined || known.list.doubt !== undefined) return undefined;
    const age = this.#clock.now() - known.at;
    return age >= 0 && age < REUSE_MS ? known.list : undefined;
  }
}

interface OpenService {
  readonly service: FullService;
  readonly close: () => Promise<void>;
}

/** A service for several plans, one after the other. */
export interface ReusedService<Opened extends OpenService> {
  /** The service, which is asked again if its answers are too old. Closing the returned object has no effect. */
  readonly open: () => Promise<Opened>;
  /** Age of the answers that the last `open` reuses, in ms; undefined if it asks again. */
  readonly reusedMs: () => number | undefined;
  /** Drops all answers, and closes the service. */
  readonly forget: () => Promise<void>;
}

export function reuseService<Opened extends OpenService>(
  open: () => Promise<Opened>,
  clock: Clock,
): ReusedService<Opened> {
  let known: { readonly opened: Opened; readonly answers: Answers; readonly at: number } | undefined;
  let reusedMs: number | undefined;
  const forget = async (): Promise<void> => {
    const { opened } = known ?? {};
    known = undefined;
    reusedMs = undefined;
    await opened?.close();
  };
  return {
    forget,
    reusedMs: () => reusedMs,
    open: async () => {
      const age = known === undefined ? Infinity : clock.now() - known.at;
      // If the clock was set back, old answers stay old.
      const isYoung = age >= 0 && age < REUSE_MS;
      if (!isYoung) await forget();
      known ??= {
        opened: await open(),
        answers: { list: undefined, platforms: undefined, posts: new Map() },
        at: clock.now(),
      };
      const { opened, answers } = known;
      reusedMs = isYoung && answers.list !== undefined ? age : undefined;
      const service = isYoung ? reusing(opened.service, answers) : opened.service;
      return { ...opened, service: remembering(service, answers), close: async () => {} };
    },
  };
}

/** The latest answers. */
interface Answers {
  list: RemoteList | undefined;
  platforms: { readonly known: ReadonlySet<string> | undefined } | undefined;
  readonly posts: Map<string, PostState>;
}

/** Stores the answers. If a plan asks twice, it gets two answers, because two lists may prove what one cannot. */
function remembering(service: FullService, answers: Answers): FullService {
  return {
    ...service,
    listScheduled: async (...asked) => (answers.list = await service.listScheduled(...asked)),
    listNetworks: async () => {
      const known = await service.listNetworks();
      answers.platforms = { known };
      return known;
    },
    getPost: async (id) => {
      const state = await service.getPost(id);
      answers.posts.set(id, state);
      return state;
    },
  };
}

/** Returns answers from an earlier plan; asks for the rest. */
function reusing(service: FullService, { list, platforms, posts }: Answers): FullService {
  return {
    ...service,
    listScheduled: async (...asked) => list ?? service.listScheduled(...asked),
    listNetworks: async () => (platforms === undefined ? service.listNetworks() : platforms.known),
    getPost: async (id) => posts.get(id) ?? service.getPost(id),
  };
}
