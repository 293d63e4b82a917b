/** The service's answers as doctor got them: which there are, and what can be read of a list. */

import { unlessFailure } from "../model/failure.ts";
import { type Page, decodePage } from "../service/answers/list-page.ts";
import { decodePostRecord } from "../service/answers/post.ts";
import { applyMapping } from "../service/answers/response-mapping.ts";
import { bodyOf } from "../service/http/refusal.ts";
import type { HttpAnswer } from "../service/http/request.ts";
import type { Exchange } from "../service/http/transport.ts";
import type { PostRecord } from "../service/records.ts";
import type { ResponseMapping } from "../settings/response-mapping.ts";
import type { ServiceFacts } from "./facts.ts";

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
