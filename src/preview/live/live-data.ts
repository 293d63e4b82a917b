/** The newest data of a page on a server, and what changed since the data that an open page has. */

import { randomUUID } from "node:crypto";
import { DataTexts } from "../data-parts.ts";
import type { PreviewData } from "../preview-data.ts";

/** Data with its texts, which take long to make and are made only if a page asks for them. */
class Version {
  readonly data: PreviewData;
  readonly name: string;
  #texts: DataTexts | undefined;

  constructor(data: PreviewData, name: string) {
    this.data = { ...data, version: name };
    this.name = name;
  }

  get texts(): DataTexts {
    return (this.#texts ??= new DataTexts(this.data));
  }
}

export class LiveData {
  /** A page may have the data of another server that was at the same address. */
  readonly #run = randomUUID();
  #count = 0;
  #now: Version;
  #before: Version | undefined;

  constructor(data: PreviewData) {
    this.#now = this.#named(data);
  }

  get data(): PreviewData {
    return this.#now.data;
  }

  set(data: PreviewData): void {
    this.#before = this.#now;
    this.#now = this.#named(data);
  }

  /**
   * PreviewData as JSON, or DataChanges if they are enough. Undefined if the page has the newest data.
   * @param since the version that the page has
   */
  json(since: string | undefined): string | undefined {
    if (since === this.#now.name) return undefined;
    if (this.#before === undefined || since !== this.#before.name) return this.#now.texts.whole();
    return this.#now.texts.since(this.#before.texts, since);
  }

  #named(data: PreviewData): Version {
    return new Version(data, `${this.#run}-${(this.#count += 1)}`);
  }
}
