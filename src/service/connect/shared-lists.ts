/** Lets projects with the same service and the same key read the list of scheduled posts once. */

import { hash } from "node:crypto";
import type { Clock } from "../../model/clock.ts";
import type { LongestLists } from "../../model/lockfile.ts";
import type { DateRange, ReadService, RemoteList } from "../service.ts";

/** A list that is older than this is read again, in ms. */
const MAX_AGE_MS = 20_000;

type ListingService = Pick<ReadService, "listScheduled" | "listsByDate">;

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
    return age >= 0 && age < MAX_AGE_MS ? known.list : undefined;
  }
}
