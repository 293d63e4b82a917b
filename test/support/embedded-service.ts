import { mkdtemp, readFile, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Scope } from "../../src/embedded/routes/api-keys.ts";
import {
  type EmbeddedOptions,
  type RunningService,
  startEmbedded,
} from "../../src/embedded/start-embedded.ts";
import { Place } from "../../src/disk/place.ts";
import { checkDescribed } from "./described-answers.ts";

/** 2027-01-01T00:00:00Z. */
export const NEW_YEAR = Date.UTC(2027, 0, 1);

class TestClock {
  ms = NEW_YEAR;
  readonly now = (): number => this.ms;
}

/** Bytes that never repeat and are the same in every run. */
export function countingRandom(): (bytes: number) => Uint8Array {
  let count = 0;
  return (bytes) => {
    count += 1;
    const out = Buffer.alloc(bytes);
    out.writeUIntBE(count, bytes - 4, 4);
    return out;
  };
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "plancast-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface TestService extends RunningService {
  readonly folder: string;
  readonly clock: TestClock;
  call(method: string, path: string, body?: unknown, scope?: Scope): Promise<Answer>;
  /** Like `call`, for paths outside of /v1: the outbox and the control endpoints. */
  besides(method: string, path: string, body?: unknown, scope?: Scope): Promise<Answer>;
}

export interface TestOptions extends Partial<Omit<EmbeddedOptions, "folder">> {
  readonly folder?: string;
  readonly memory?: boolean;
}

export async function startTestService({ memory, ...options }: TestOptions = {}): Promise<TestService> {
  const folder = options.folder ?? join(await temporaryFolder(), "embedded");
  const clock = new TestClock();
  const service = await startEmbedded({
    access: "read-write",
    plan: "business",
    random: countingRandom(),
    now: clock.now,
    ...options,
    folder: memory === true ? undefined : Place.checked(folder),
  });
  onTestFinished(() => service.close());
  return {
    ...service,
    folder,
    clock,
    call: (method, path, body, scope = "admin") => call(service.url, service.keys[scope], method, path, body),
    besides: (method, path, body, scope = "admin") =>
      call(new URL(service.url).origin, service.keys[scope], method, path, body),
  };
}

/** Sends a request; an object goes as JSON, a form as it is. The answer must follow the service's description. */
export async function call(
  url: string,
  key: string | undefined,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const isRaw = body === undefined || body instanceof FormData;
  if (!isRaw) headers["content-type"] = "application/json";
  const response = await fetch(url + path, {
    method,
    headers,
    body: isRaw ? (body ?? null) : JSON.stringify(body),
  });
  const text = await response.text();
  const answer: unknown = text === "" ? undefined : JSON.parse(text);
  checkDescribed(method, url + path, response.status, answer);
  return { status: response.status, headers: response.headers, body: answer };
}

export function draft(over: Record<string, unknown> = {}): Record<string, unknown> {
  return { content: "Hello", platforms: ["twitter"], scheduled_at: "2027-03-01T08:00:00Z", ...over };
}

export function upload(bytes: Uint8Array, name = "a.png", field = "file"): FormData {
  const form = new FormData();
  form.append(field, new Blob([new Uint8Array(bytes)]), name);
  return form;
}

/** The smallest PNG: one pixel. */
export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

/** The beginning of an MP4 file, which identifies it. */
export const MP4 = Buffer.concat([
  Buffer.from("0000001866747970", "hex"),
  Buffer.from("isom0000isommp42"),
  Buffer.alloc(64),
]);

/** Every path below a folder, with its content, to show that nothing changed. */
export async function tree(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    const path = join(folder, name);
    const about = await stat(path);
    const bytes = about.isFile() ? (await readFile(path)).toString("base64") : "folder";
    found[name] = `${about.mtimeMs} ${about.mode} ${bytes}`;
  }
  return found;
}

/** A value in an answer's body, by its path. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let here = value;
  for (const part of path) {
    if (typeof here !== "object" || here === null) return undefined;
    here = Reflect.get(here, part);
  }
  return here;
}
