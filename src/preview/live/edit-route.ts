/**
 * Requests to edit posts: only from the page itself, in the browser of the person who started the server. A page of
 * another site cannot send the header with the token, the content type or the origin. Another user of this machine does
 * not know the token.
 */

import { createHash, timingSafeEqual } from "node:crypto";
import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import { type EditAnswer, type EditRequest, EDIT_TOKEN_HEADER } from "../preview-data.ts";

export const EDIT_PATH = "/edit";

export interface PageEditing {
  /** Anybody who has it may edit. */
  readonly token: string;
  readonly answer: (request: EditRequest) => Promise<EditAnswer>;
}

/** Largest request, in bytes: more than the longest text of any network needs. */
const MAX_REQUEST_BYTES = 512 * 1024;

const post = z.strictObject({
  file: z.string().min(1).max(4_000),
  version: z.string().max(100),
  sheet: z.string().max(1_000).optional(),
  line: z.int().min(1),
  platforms: z.array(z.string().max(200)).max(100),
});

const request = z.discriminatedUnion("ask", [
  z.strictObject({ ask: z.literal("open"), post }),
  z.strictObject({
    ask: z.literal("change"),
    post,
    change: z.strictObject({
      day: z.iso.date().optional(),
      clock: z
        .string()
        .regex(/^\d\d:\d\d(?::\d\d)?$/)
        .optional(),
      text: z.string().optional(),
      platforms: z.array(z.string().max(200)).max(100).optional(),
      status: z.string().optional(),
    }),
  }),
  z.strictObject({
    ask: z.literal("measure"),
    post,
    text: z.string(),
    platforms: z.array(z.string().max(200)).max(100),
  }),
  z.strictObject({ ask: z.literal("undo"), edit: z.string().max(100) }),
]) satisfies z.ZodType<EditRequest>;

/** Reads requests up to the largest size. */
export const limitRequest = bodyLimit({
  maxSize: MAX_REQUEST_BYTES,
  onError: (context) => refuse(context, 413, "This request is too large."),
});

/** Answers a request to edit. @param host of the request, which names this machine */
export async function answerEdit(
  context: Context,
  host: string | undefined,
  { token, answer }: PageEditing,
): Promise<Response> {
  const origin = context.req.header("origin");
  const site = context.req.header("sec-fetch-site");
  if (origin !== `http://${host}` || (site !== undefined && site !== "same-origin"))
    return refuse(context, 403, "Only the page itself may edit posts.");
  if (!isSame(context.req.header(EDIT_TOKEN_HEADER) ?? "", token))
    return refuse(
      context,
      403,
      "This page may not edit posts. Open the whole address that plancast preview --serve printed.",
    );
  if (context.req.header("content-type") !== "application/json")
    return refuse(context, 415, "An edit must be JSON.");
  const read = request.safeParse(await context.req.json().catch(() => undefined));
  if (!read.success) return refuse(context, 400, "plancast does not understand this edit. Reload the page.");
  const result = await answer(read.data);
  return context.json(result, result.answer === "refused" ? 409 : 200);
}

function refuse(context: Context, status: 400 | 403 | 413 | 415, message: string): Response {
  const answer: EditAnswer = { answer: "refused", code: "preview/not-allowed", message };
  return context.json(answer, status);
}

/** Takes the same time for any two texts. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((each) => createHash("sha256").update(each).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
