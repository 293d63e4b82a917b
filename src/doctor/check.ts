/**
 * A check of `plancast doctor`: the facts that it gets, and the findings that it makes. Checks are pure: examine.ts
 * collects the facts before any check. A Failure among them means that something was tried, and failed.
 */

import type { CheckedCalendars } from "../calendars/check.ts";
import type { Room } from "../disk/files.ts";
import type { LockOwner } from "../disk/process-lock.ts";
import { type ProjectProblems, Failure, unlessFailure } from "../model/failure.ts";
import { type Page, decodePage } from "../service/answers/list-page.ts";
import { decodePostRecord } from "../service/answers/post.ts";
import { applyMapping } from "../service/answers/response-mapping.ts";
import { bodyOf } from "../service/http/refusal.ts";
import type { HttpAnswer } from "../service/http/request.ts";
import type { Exchange } from "../service/http/transport.ts";
import type { Listed, PlatformRecord, PostRecord } from "../service/records.ts";
import type { ServiceType } from "../model/service-interface.ts";
import { type Project, EMBEDDED, REPOSITORY } from "../settings/config.ts";
import type { ResponseMapping } from "../settings/response-mapping.ts";
import type { ReadState } from "../sync/state/project-state.ts";

/** One check: an object in a file of checks/, and a line in checks/run-checks.ts. */
export interface Check {
  /** One word, as findings name it. */
  readonly name: string;
  /** What it checks, for docs/run/doctor.md. */
  readonly looksAt: string;
  /** Undefined if it does not apply to this project. */
  readonly run: (facts: Facts) => Result | undefined;
}

/** `warning`: you should know, but need not do anything. `skipped`: it could not be checked. */
export type FindingState = "ok" | "warning" | "problem" | "skipped";

interface Result {
  readonly state: FindingState;
  readonly message: string;
  /** What to do. */
  readonly advice?: string;
  /** Lines for plancast.yaml. */
  readonly snippet?: string;
}

/** The result of a check. */
export interface CheckFinding extends Result {
  /** Name of the check. */
  readonly name: string;
}

/** Why a check could not run. */
export const NEEDS_PROJECT = "needs a readable plancast.yaml.";
export const NEEDS_ADDRESS = "needs the address of a service.";
export const NEEDS_ANSWER = "needs an answer from the service.";
export const NEEDS_READABLE = "needs answers that plancast can read. See records.";

export function ok(message: string): Result {
  return { state: "ok", message };
}

export function skipped(message: string): Result {
  return { state: "skipped", message };
}

export function warning(message: string, advice: string, snippet?: string): Result {
  return { state: "warning", message, advice, ...(snippet !== undefined && { snippet }) };
}

/** @param advice undefined only for failures without one */
export function failing(message: string, advice?: string, snippet?: string): Result {
  return {
    state: "problem",
    message,
    ...(advice !== undefined && { advice }),
    ...(snippet !== undefined && { snippet }),
  };
}

export interface Facts {
  /** Local ms. */
  readonly now: number;
  /**
   * Versions of Node: the running version, such as `22.1.0`, and the supported versions, such as `>=20.19`. `zones`: the
   * release of its time zone data, such as `2026c`, if it has its own.
   */
  readonly node: { readonly version: string; readonly zones?: string | undefined; readonly wanted: string };
  readonly project: Project | ProjectProblems | Failure;
  /** Undefined if no service is configured. */
  readonly service: ServiceFacts | undefined;
  readonly calendars: CheckedCalendars | Failure | undefined;
  readonly state: StateFacts | undefined;
  readonly disk: Room | undefined;
}

export interface ServiceFacts {
  /** As configured, safe to show; a Failure if it cannot be used. */
  readonly address: string | Failure;
  /** Source of the address. */
  readonly source: string;
  /** Origins that PLANCAST_TRUSTED_ORIGINS names without a path. */
  readonly unscoped: readonly string[];
  /** Host of the proxy for requests. */
  readonly proxy: string | undefined;
  /** Redis in a form that is safe to show; undefined if none is configured. */
  readonly redis: string | undefined;
  /** Why no request was possible: no key, no Redis. */
  readonly closed: Failure | undefined;
  /** Ms since the epoch: this machine's time, or the embedded service's own, which people can change. */
  readonly now: number;
  readonly settings: Project["config"]["service"];
  /** All exchanges, in order. */
  readonly exchanges: readonly Exchange[];
  /** Undefined if it was not requested. */
  readonly accounts: Listed<PlatformRecord> | Failure | undefined;
  /** Ids of PLANCAST_ACCOUNTS; undefined if it names none, or the service was not opened. */
  readonly expectedAccounts: readonly string[] | undefined;
  readonly posts: Listed<PostRecord> | Failure | undefined;
  /** One post by its id; `missing` if there is none. */
  readonly single: PostRecord | Failure | "missing" | undefined;
  /** Whether reading of the list stopped early, because its paging was clear. */
  readonly isCutShort: boolean;
}

export interface StateFacts {
  /** `unreadable`: the file exists, but plancast cannot read it. */
  readonly lock: { readonly owner: LockOwner; readonly running: boolean } | "free" | "unreadable";
  /** Name of the lockfile, as configured, whether it exists, and if not, whether an earlier run wrote it. */
  readonly lockfile: { readonly name: string; readonly exists: boolean; readonly wasThere: boolean };
  /** Undefined if the right service is unknown. */
  readonly read: ReadState | Failure | undefined;
}

/** Failures of all requests. They are reported with the key, the connection and the limit. */
export const REPORTED_ELSEWHERE: ReadonlySet<string> = new Set([
  "service/unauthorized",
  "service/forbidden",
  "service/redirect",
  "service/unreachable",
  "service/rate-limited",
]);

/** The published interface of the service; undefined for plancast's own. Its answers have a known form. */
export function publishedType({ settings, address }: ServiceFacts): ServiceType | undefined {
  return address === EMBEDDED || address === REPOSITORY ? undefined : settings.type;
}

/** Whether something was tried and succeeded. */
export function worked<T>(fact: T | Failure | undefined): fact is T {
  return fact !== undefined && !(fact instanceof Failure);
}

/** Whether some answer could not be decoded. */
export function isUnreadable(fact: unknown): fact is Failure {
  return fact instanceof Failure && fact.code === "service/unreadable";
}

type AnsweredExchange = Exchange & { readonly result: HttpAnswer };

/** The exchanges with an answer, in order. */
export function answersIn(service: ServiceFacts | undefined): readonly AnsweredExchange[] {
  return (service?.exchanges ?? []).flatMap(({ result, ...rest }) =>
    result.kind === "answer" ? [{ ...rest, result }] : [],
  );
}

/** The first page of the list of posts. */
export function firstPage(service: ServiceFacts | undefined): HttpAnswer | undefined {
  return answersIn(service).find((each) => each.path.includes("/v1/posts?"))?.result;
}

/** Answers that may come from the service itself, not from a proxy: they are JSON, and no redirects. */
export function ownAnswersIn(service: ServiceFacts | undefined): readonly AnsweredExchange[] {
  return answersIn(service).filter(
    ({ result }) => bodyOf(result) !== undefined && (result.status < 300 || result.status >= 400),
  );
}

/**
 * One page of a list, read with this shape; undefined if the answer has no list.
 * @param path of the endpoint, such as `/posts`
 */
export function checkedPage(
  answer: HttpAnswer,
  shape: ResponseMapping | undefined,
  path: string,
): Page | undefined {
  return unlessFailure(() => decodePage(applyMapping(answer, shape, path, "list"), `GET /v1${path}`));
}

/** The posts of a page; empty if one of them cannot be read. */
export function postsOn(page: Page | undefined): readonly PostRecord[] {
  return unlessFailure(() => page?.items.map((item) => decodePostRecord(item, "GET /v1/posts"))) ?? [];
}
