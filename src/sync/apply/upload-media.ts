/**
 * Uploads each distinct file once: posts that share a file wait for the same upload. The results are steps of a change.
 */

import { basename, join } from "node:path";
import { hashFile } from "../../media/media-file.ts";
import type { WebMedia } from "../../media/web-media.ts";
import { displayAddress, fileNameInAddress } from "../../model/address.ts";
import { type CachedMedia, cachedFile, isWebFile } from "../../model/lockfile.ts";
import type { OutcomeReason, StepResult } from "../../model/plan.ts";
import type { MediaFile, ResolvedMedia } from "../../model/post.ts";
import type { Code } from "../../problems/catalogue.ts";
import type { MediaRecord, WriteResult } from "../../service/records.ts";
import type { Service } from "../../service/service.ts";
import type { OpenState } from "../state/project-state.ts";

/** The stored result of an upload. */
type Uploaded = Pick<MediaRecord, "id" | "type">;

export class Uploads {
  readonly #service: Service;
  readonly #state: OpenState;
  readonly #root: string;
  readonly #addresses: WebMedia;
  readonly #running = new Map<string, Promise<StepResult<Uploaded>>>();
  #done = 0;

  constructor(service: Service, state: OpenState, root: string, addresses: WebMedia) {
    this.#service = service;
    this.#state = state;
    this.#root = root;
    this.#addresses = addresses;
  }

  /** Files uploaded so far. */
  get done(): number {
    return this.#done;
  }

  /** The ids of a post's media, or why one is unavailable. */
  async idsOf(media: readonly ResolvedMedia[]): Promise<StepResult<readonly string[]>> {
    const results = await Promise.all(media.map((each) => this.#idOf(each)));
    const ids: string[] = [];
    for (const each of results) {
      if (each.result !== "done") return each;
      ids.push(each.value.id);
    }
    return { result: "done", value: ids };
  }

  /** Forgets the cached ids of the given files that the service no longer has. Returns whether there were any. */
  async forgetMissing(media: readonly ResolvedMedia[]): Promise<boolean> {
    const cached = media.flatMap((each) => {
      if (each.kind !== "file" || this.#running.has(each.sha256)) return [];
      const known = this.#cached(each.sha256);
      return known === undefined ? [] : [{ sha256: each.sha256, id: known.id }];
    });
    if (cached.length === 0) return false;
    const missing = await this.#service.findMissingMedia(cached.map((each) => each.id));
    const gone = cached.filter((each) => missing.has(each.id));
    for (const { sha256 } of gone) delete this.#state.lockfile.media[sha256];
    return gone.length > 0;
  }

  #cached(sha256: string): CachedMedia | undefined {
    return this.#state.lockfile.media[sha256];
  }

  #idOf(media: ResolvedMedia): Promise<StepResult<Uploaded>> {
    if (media.kind === "id") return Promise.resolve({ result: "done", value: { id: media.id } });
    if (media.kind === "url") {
      const address = displayAddress(media.url);
      return Promise.resolve(refusedStep("media/url-unreachable", { kind: "clock-set-back", address }));
    }
    const running = this.#running.get(media.sha256);
    if (running !== undefined) return running;
    const cached = this.#cached(media.sha256);
    if (cached !== undefined && cached.assumed !== true)
      return Promise.resolve({ result: "done", value: cached });
    const upload = this.#upload(media);
    this.#running.set(media.sha256, upload);
    return upload;
  }

  async #upload(file: MediaFile): Promise<StepResult<Uploaded>> {
    const sent = await this.#send(file);
    if (sent.result !== "done") return sent;
    const media = cachedFile(file, sent.value.id, sent.value.type);
    await this.#state.record({ event: "uploaded", sha256: file.sha256, media });
    this.#done += 1;
    return { result: "done", value: media };
  }

  async #send(file: MediaFile): Promise<StepResult<MediaRecord>> {
    const published = await this.#service.publishFile?.(file);
    if (published !== undefined) return fromService(published);
    const absolutePath = isWebFile(file) ? await this.#addresses.pathOf(file) : join(this.#root, file.path);
    if (typeof absolutePath !== "string")
      return refusedStep(absolutePath.code, { kind: "message", message: absolutePath.message });
    // The id will be stored for the planned bytes, so exactly these must be sent.
    const found = await hashFile(absolutePath).catch(() => undefined);
    if (found?.sha256 !== file.sha256)
      return refusedStep("media/changed", { kind: "file-changed", file: file.path });
    const mime = found.mime ?? file.mime;
    return fromService(await this.#service.uploadMedia({ absolutePath, name: uploadName(file), mime }));
  }
}

/** Longest name of a file from the web, characters. */
const MAX_NAME_LENGTH = 100;

/** The file name that is sent to the service. A name from an address is cleaned, and ends with the file's type. */
export function uploadName({ path, url, mime }: MediaFile): string {
  if (url === undefined) return basename(path);
  const name = (fileNameInAddress(url) ?? "").replaceAll(/[^\p{L}\p{N}._-]+/gu, "_").slice(-MAX_NAME_LENGTH);
  if (/\w\.\w{2,5}$/.test(name)) return name;
  const [extension = ""] = mime.slice(mime.indexOf("/") + 1).split(/\W/, 1);
  return `${name || "media"}.${extension}`;
}

/** The result of a request, as a step of a change. */
export function fromService<T>(written: WriteResult<T>): StepResult<T> {
  return "message" in written
    ? { ...written, reason: { kind: "message", message: written.message } }
    : written;
}

/** A step that was not tried because it cannot succeed now. Others may. */
export function refusedStep(code: Code, reason: OutcomeReason): StepResult<never> {
  return { result: "refused", code, reason, fatal: false };
}
