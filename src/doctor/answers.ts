import { Failure } from "../model/failure.ts";
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

/** The answers among what came back, in order. */
export function answersIn(service: ServiceFacts | undefined): readonly AnsweredExchange[] {
  return (service?.heard ?? []).flatMap(({ result, ...rest }) =>
    result.kind === "answer" ? [{ ...rest, result }] : [],
  );
}

/** The first page of the list of posts. */
export function firstPage(service: ServiceFacts | undefined): HttpAnswer | undefined {
  return answersIn(service).find((each) => each.path.includes("/v1/posts?"))?.result;
}

/** Those that the service itself may have given: in JSON, and not to send the request elsewhere. */
export function ownAnswersIn(service: ServiceFacts | undefined): readonly AnsweredExchange[] {
  return answersIn(service).filter(
    ({ result }) => bodyOf(result) !== undefined && (result.status < 300 || result.status >= 400),
  );
}

const ENDPOINT = "GET /v1/posts";

/** One page of the list of posts, as far as it can be read with this shape: the page, and the posts on it. */
export function decodedPage(
  answer: HttpAnswer,
  shape: ResponseMapping | undefined,
): { readonly page: Page | undefined; readonly posts: readonly PostRecord[] } {
  const page = unlessFailure(() => decodePage(applyMapping(answer, shape, "/posts", "list"), ENDPOINT));
  const posts = page && unlessFailure(() => page.items.map((item) => decodePostRecord(item, ENDPOINT)));
  return { page, posts: posts ?? [] };
}

function unlessFailure<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
