import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Size } from "../picture/png.ts";
import { simulatedPicture } from "./ai-picture.ts";
import { simulatedText } from "./ai-text.ts";
import { aiTextAnswer, mediaAnswer } from "./answers.ts";
import { platformFails } from "./failures.ts";
import { addMedia, toMediaAnswer } from "./new-media.ts";
import { PLATFORM_ACCOUNTS } from "./platform-accounts.ts";
import { aiImageRequest, aiTextRequest } from "./requests.ts";
import { invalidField } from "./request-body.ts";
import { endpoint, noQuery, type Route } from "./route.ts";
import { ServiceError } from "./service-error.ts";

const generateText = endpoint({
  method: "POST",
  path: "/ai/text",
  scope: "write",
  operation: "generateText",
  summary: "Writes the text of a post: the same for the same prompt, platform and tone",
  query: noQuery,
  body: aiTextRequest,
  answer: aiTextAnswer,
  errors: ["platform_error"],
  handle({ body }, { failures }) {
    if (PLATFORM_ACCOUNTS.every((account) => account.platform !== body.platform)) {
      throw invalidField("platform", "is not a platform of this service");
    }
    if (platformFails(failures, body.platform)) {
      throw new ServiceError("platform_error", `${body.platform} is made to fail.`);
    }
    return { content: simulatedText(body), platform: body.platform, tone: body.tone };
  },
});

const generateImage = endpoint({
  method: "POST",
  path: "/ai/image",
  scope: "write",
  operation: "generateImage",
  summary: "Makes a PNG for the media library: the same for the same prompt and size",
  query: noQuery,
  body: aiImageRequest,
  status: 201,
  answer: mediaAnswer,
  async handle({ body, context }, backend) {
    const bytes = simulatedPicture(body.prompt, parseSize(body.size));
    return toMediaAnswer(
      await addMedia(backend, (sink) => pipeline(Readable.from([bytes]), sink())),
      context,
    );
  },
});

export const aiRoutes: readonly Route[] = [generateText, generateImage];

/** Of a size that the schema has accepted. */
function parseSize(size: string): Size {
  const [width = 0, height = 0] = size.split("x").map(Number);
  return { width, height };
}
