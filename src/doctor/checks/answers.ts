import { bodyOf } from "../../service/decode-error.ts";
import type { Exchange } from "../../service/heard.ts";
import type { HttpAnswer } from "../../service/http.ts";
import type { ServiceFacts } from "../facts.ts";

export type AnsweredExchange = Exchange & { readonly result: HttpAnswer };

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
