/** Reads an answer whose form is documented: anything else is an error, and never an empty list. */

import { z } from "zod";
import { isoInstant, utcTime } from "../../model/canonical.ts";
import { Failure } from "../../model/failure.ts";
import { bodyOf } from "../http/refusal.ts";
import type { HttpAnswer } from "../http/request.ts";
import type { CallResult } from "../http/transport.ts";
import { readFailure } from "./results.ts";
import { isId } from "./record.ts";

export const answerId = z.string().refine(isId, "must be an id");

/** A time as JavaScript writes it, such as `2030-02-01T09:00:00.000Z`. */
export const answerTime = z.string().transform((text, context) => {
  const ms = isoInstant(text, "Z");
  if (ms !== undefined) return utcTime(ms);
  context.addIssue("must be a time in an ISO 8601 form");
  return z.NEVER;
});

/** A count, also as a text of digits. */
export const answerCount = z.union([
  z.int().nonnegative(),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
]);

/** Longest address of a file, characters. */
const MAX_ADDRESS = 4_096;

/** An address on the web, in the form of `URL`: without control characters. */
export const answerAddress = z
  .url({ protocol: /^https?$/ })
  .max(MAX_ADDRESS)
  .transform((text) => new URL(text).href);

/** Throws a Failure for an answer in another form. @param endpoint for messages, such as `GET /posts` */
export function decodeAnswer<Schema extends z.ZodType>(
  answer: HttpAnswer,
  schema: Schema,
  endpoint: string,
): z.output<Schema> {
  const body = bodyOf(answer);
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue?.path.join(".") || "the whole answer";
  const why = body === undefined ? "it is not JSON" : `${where}: ${issue?.message ?? "not as documented"}`;
  throw new Failure(
    "service/unreadable",
    `plancast cannot read the answer to ${endpoint}: ${why}.`,
    "plancast does not plan without it. Check that service.url is the address of the API, and not of the website. If it is, run `plancast doctor`: it shows what differs from the published interface.",
  );
}

/** Like `decodeAnswer`, for the result of a request that only reads. Throws a Failure if there is no answer. */
export function decodeRead<Schema extends z.ZodType>(
  result: CallResult,
  schema: Schema,
  endpoint: string,
): z.output<Schema> {
  if (result.kind !== "answer") throw readFailure(endpoint, result);
  return decodeAnswer(result.answer, schema, endpoint);
}
