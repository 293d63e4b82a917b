/**
 * What doctor gathers before it judges anything: a Failure means that it was tried, and did not work. And what can be read
 * of the service's answers.
 */

import type { CheckedCalendars } from "../calendars/check.ts";
import type { LockOwner } from "../disk/process-lock.ts";
import { type ProjectProblems, Failure, unlessFailure } from "../model/failure.ts";
import { type Page, decodePage } from "../service/answers/list-page.ts";
import { decodePostRecord } from "../service/answers/post.ts";
import { applyMapping } from "../service/answers/response-mapping.ts";
import { bodyOf } from "../service/http/refusal.ts";
import type { HttpAnswer } from "../service/http/request.ts";
import type { Exchange } from "../service/http/transport.ts";
import type { Listed, PlatformRecord, PostRecord } from "../service/records.ts";
import type { Project } from "../settings/config.ts";
import type { ResponseMapping } from "../settings/response-mapping.ts";
import type { ReadState } from "../sync/state/project-state.ts";

export interface Facts {
  /** Local ms. */
  readonly now: number;
  /** Of Node: the version that runs, such as `22.1.0`, and those that plancast runs on, such as `>=20.19`. */
  readonly node: { readonly version: string; readonly wanted: string };
  readonly project: Project | ProjectProblems | Failure;
  /** Undefined where nothing says which service it would be. */
  readonly service: ServiceFacts | undefined;
  readonly calendars: CheckedCalendars | Failure | undefined;
  readonly state: StateFacts | undefined;
  /** Media files that are remembered; `unusable` where what is kept cannot be read. */
  readonly remembered: number | "unusable" | undefined;
}

export interface ServiceFacts {
  /** As it is configured, safe to show; a Failure where it cannot be used. */
  readonly address: string | Failure;
  /** Where the address comes from. */
  readonly source: string;
  /** Host of the proxy that requests go through. */
  readonly proxy: string | undefined;
  /** Redis as it may be shown; undefined where none is named. */
  readonly redis: string | undefined;
  /** Why the service could not be asked: no key, no Redis. */
  readonly closed: Failure | undefined;
  /** Ms since the epoch: this machine's time, or the embedded service's own, which people move. */
  readonly now: number;
  readonly settings: Project["config"]["service"];
  /** All that came back, in order. */
  readonly exchanges: readonly Exchange[];
  /** Likewise of media and automations, which are only asked for where answers are unusual. */
  readonly otherExchanges: readonly Exchange[];
  /** Undefined where it was not asked for. */
  readonly accounts: Listed<PlatformRecord> | Failure | undefined;
  readonly posts: Listed<PostRecord> | Failure | undefined;
  /** One post asked for by its id; `missing` where there is none of that id. */
  readonly single: PostRecord | Failure | "missing" | undefined;
  /** Whether the list was left after so many pages that it was clear how it is paged. */
  readonly isCutShort: boolean;
}

export interface StateFacts {
  /** `unreadable`: the file is there and cannot be understood. */
  readonly lock: { readonly owner: LockOwner; readonly running: boolean } | "free" | "unreadable";
  /** Name of the lockfile, as configured, and whether it is there. */
  readonly lockfile: { readonly name: string; readonly exists: boolean };
  /** Undefined where it is not known which service it should be of. */
  readonly read: ReadState | Failure | undefined;
}

/** Failures that concern every request: they are told with the key, the way there and the limit. */
export const REPORTED_ELSEWHERE: ReadonlySet<string> = new Set([
  "service/unauthorized",
  "service/forbidden",
  "service/redirect",
  "service/unreachable",
  "service/rate-limited",
]);

/** Whether something was tried and worked. */
export function worked<T>(fact: T | Failure | undefined): fact is T {
  return fact !== undefined && !(fact instanceof Failure);
}

/** Whether an answer came that could not be decoded. */
export function isUnreadable(fact: unknown): fact is Failure {
  return fact instanceof Failure && fact.code === "service/unreadable";
}

type AnsweredExchange = Exchange & { readonly result: HttpAnswer };

/** The exchanges that brought an answer, in order. */
export function answersIn(service: ServiceFacts | undefined): readonly AnsweredExchange[] {
  return (service?.exchanges ?? []).flatMap(({ result, ...rest }) =>
    result.kind === "answer" ? [{ ...rest, result }] : [],
  );
}

/** The first page of the list of posts. */
export function firstPage(service: ServiceFacts | undefined): HttpAnswer | undefined {
  return answersIn(service).find((each) => each.path.includes("/v1/posts?"))?.result;
}

/** Those that may be the service's own, not of something before it: they are JSON, and no redirects. */
export function ownAnswersIn(service: ServiceFacts | undefined): readonly AnsweredExchange[] {
  return answersIn(service).filter(
    ({ result }) => bodyOf(result) !== undefined && (result.status < 300 || result.status >= 400),
  );
}

/**
 * One page of a list, read with this shape; undefined where there is no list in the answer.
 * @param path of the endpoint, such as `/posts`
 */
export function pageOf(
  answer: HttpAnswer,
  shape: ResponseMapping | undefined,
  path: string,
): Page | undefined {
  return unlessFailure(() => decodePage(applyMapping(answer, shape, path, "list"), `GET /v1${path}`));
}

/** The posts of a page; none where one of them cannot be read. */
export function postsOn(page: Page | undefined): readonly PostRecord[] {
  return unlessFailure(() => page?.items.map((item) => decodePostRecord(item, "GET /v1/posts"))) ?? [];
}
