/** The endpoints that write texts and make pictures. */
import type { CallResult } from "./call-result.ts";
import type { Caller } from "./caller.ts";
import { decodeImage, decodeText } from "./decode-answer.ts";
import type { WriteResult } from "./records.ts";
import { toWriteResult } from "./results.ts";
import type { Service } from "./service.ts";

type AiEndpoints = Pick<Service, "generateText" | "generateImage">;

export function aiEndpoints({ write }: Caller): AiEndpoints {
  return {
    generateText: async ({ prompt, platform, tone }) => {
      const json = { prompt, platform, tone };
      const result = await write({ method: "POST", path: "/ai/text", repeat: "once", json });
      return withAnswer(
        result,
        toWriteResult(result, (answer) => decodeText(answer, "POST /v1/ai/text")),
      );
    },
    generateImage: async ({ prompt, size }) => {
      const json = { prompt, size };
      const result = await write({ method: "POST", path: "/ai/image", repeat: "once", json });
      return withAnswer(
        result,
        toWriteResult(result, (answer) => decodeImage(answer, "POST /v1/ai/image")),
      );
    },
  };
}

/** What was made may have cost money: where it cannot be read, people can look for it in the answer. */
function withAnswer<T>(call: CallResult, written: WriteResult<T>): WriteResult<T> {
  if (call.kind !== "answer" || written.result !== "unknown") return written;
  return { ...written, answer: call.answer.text };
}
