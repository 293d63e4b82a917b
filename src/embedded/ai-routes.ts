import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Size } from "../picture/png.ts";
import { aiPicture } from "./ai-picture.ts";
import { aiText } from "./ai-text.ts";
import { aiTextAnswer, media } from "./answers.ts";
import { platformFails } from "./failures.ts";
import { addMedia, shownMedia } from "./new-media.ts";
import { PLATFORM_ACCOUNTS } from "./platform-accounts.ts";
import { aiImageRequest, aiTextRequest } from "./requests.ts";
import { invalid } from "./request-body.ts";
import { endpoint, noQuery, type Route } from "./route.ts";
import { ServiceError } from "./service-error.ts";

const writeText = endpoint({
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
      throw invalid("platform", "is not a platform of this service");
    }
    if (platformFails(failures, body.platform)) {
      throw new ServiceError("platform_error", `${body.platform} is made to fail.`);
    }
    return { content: aiText(body), platform: body.platform, tone: body.tone };
  },
});

const makeImage = endpoint({
  method: "POST",
  path: "/ai/image",
  scope: "write",
  operation: "generateImage",
  summary: "Makes a PNG for the media library: the same for the same prompt and size",
  query: noQuery,
  body: aiImageRequest,
  status: 201,
  answer: media,
  async handle({ body, context }, backend) {
    const bytes = aiPicture(body.prompt, sizeOf(body.size));
    return shownMedia(await addMedia(backend, (sink) => pipeline(Readable.from([bytes]), sink())), context);
  },
});

export const aiRoutes: readonly Route[] = [writeText, makeImage];

/** Of a size that the schema has accepted. */
function sizeOf(size: string): Size {
  const [width = 0, height = 0] = size.split("x").map(Number);
  return { width, height };
}
