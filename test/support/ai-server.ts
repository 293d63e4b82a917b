/**
 * A strict stand-in for a server with the API of OpenAI: checks each request completely, and answers 400 to anything that
 * the API does not define. Sources: OpenAI's reference of chat completions and images; Ollama's page on compatibility.
 */
import { z } from "zod";
import { type StandIn, type StandInAnswer, type StandInRequest, startStandIn } from "./networks/stand-in.ts";
import { tinyPng } from "./tiny-media.ts";

const textPart = z.strictObject({ type: z.literal("text"), text: z.string().min(1) });
const picturePart = z.strictObject({
  type: z.literal("image_url"),
  image_url: z.strictObject({
    url: z.string().regex(/^data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2}$/),
  }),
});

const chatRequest = z.strictObject({
  model: z.string().min(1),
  stream: z.literal(false),
  messages: z
    .array(
      z.discriminatedUnion("role", [
        z.strictObject({ role: z.literal("system"), content: z.string().min(1) }),
        z.strictObject({ role: z.literal("assistant"), content: z.string().min(1) }),
        z.strictObject({
          role: z.literal("user"),
          content: z.union([
            z.string().min(1),
            z.array(z.discriminatedUnion("type", [textPart, picturePart])).min(1),
          ]),
        }),
      ]),
    )
    .min(1),
});

const imageRequest = z.strictObject({
  model: z.string().min(1),
  prompt: z.string().min(1),
  size: z.string().regex(/^\d+x\d+$/),
  n: z.literal(1),
});

type Chat = z.infer<typeof chatRequest>;

export const AI_KEY = "sk-test-0123456789abcdef";

export interface AiServer extends StandIn {
  /** With /v1. */
  readonly url: string;
  readonly chats: Chat[];
  readonly images: z.infer<typeof imageRequest>[];
  /** The next answers, in order: a text, or a whole answer. Then, every text is "More". */
  readonly answers: (string | StandInAnswer)[];
  /** The answer to one chat, for requests that may arrive in any order. Undefined: the next of `answers`. */
  answerTo: (chat: Chat) => string | undefined;
}

interface AiServerOptions {
  /** The key that every request must carry. Default: none may carry one. */
  readonly key?: string;
  readonly models?: readonly string[];
}

export async function startAiServer({ key, models = ["qwen3"] }: AiServerOptions = {}): Promise<AiServer> {
  const chats: Chat[] = [];
  const images: z.infer<typeof imageRequest>[] = [];
  const answers: (string | StandInAnswer)[] = [];
  const handle = (request: StandInRequest): StandInAnswer => {
    const { method, url, headers, body } = request;
    if (headers.authorization !== (key === undefined ? undefined : `Bearer ${key}`))
      return failure(
        401,
        `Incorrect API key provided: ${headers.authorization ?? "none"}.`,
        "invalid_api_key",
      );
    if (method !== "POST" || url.search !== "") return failure(405, "Not allowed.", "method");
    if (headers["content-type"] !== "application/json") return failure(415, "Not JSON.", "content_type");
    const isChat = url.pathname === "/v1/chat/completions";
    if (!isChat && url.pathname !== "/v1/images/generations") return failure(404, "Unknown path.", "path");
    const parsed = (isChat ? chatRequest : imageRequest).safeParse(JSON.parse(body.toString("utf8")));
    if (!parsed.success) return failure(400, z.prettifyError(parsed.error), "invalid_request");
    const asked = parsed.data;
    if (!models.includes(asked.model))
      return failure(404, `The model '${asked.model}' does not exist`, "model_not_found");
    if ("messages" in asked) chats.push(asked);
    else images.push(asked);
    const own = "messages" in asked ? server.answerTo(asked) : undefined;
    const answer = own ?? answers.shift() ?? "More";
    if (typeof answer !== "string") return answer;
    return isChat
      ? chatAnswer(answer)
      : { json: { created: 1, data: [{ b64_json: Buffer.from(tinyPng(3)).toString("base64") }] } };
  };
  const standIn = await startStandIn(handle);
  const own = { url: `${standIn.origin}/v1`, chats, images, answers };
  const server: AiServer = Object.assign(standIn, own, { answerTo: () => undefined });
  return server;
}

/** An answer with this text. @param more fields of the choice that differ */
export function chatAnswer(content: string | null, more: object = {}): StandInAnswer {
  const message = { role: "assistant", content };
  const choice = { index: 0, message, finish_reason: "stop", ...more };
  return {
    json: { id: "chatcmpl-1", object: "chat.completion", created: 1, model: "qwen3", choices: [choice] },
  };
}

/** A refusal in OpenAI's form. */
export function failure(status: number, message: string, code: string | null, headers = {}): StandInAnswer {
  return { status, json: { error: { message, type: "error", param: null, code } }, headers };
}

/** The text of a message, without pictures. */
export function said(chat: Chat | undefined, role: "system" | "user"): string {
  const content = chat?.messages.find((each) => each.role === role)?.content ?? "";
  return typeof content === "string"
    ? content
    : content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
