/** The endpoints that create things: texts, pictures, runs of automations, and webhooks. */

import {
  decodeAutomation,
  decodeImage,
  decodeText,
  decodeTrigger,
  decodeWebhook,
} from "../answers/other-records.ts";
import { requireJsonOrEmpty, toWriteResult } from "../answers/results.ts";
import type { HttpAnswer } from "../http/request.ts";
import type { CallResult } from "../http/transport.ts";
import type { WriteResult } from "../records.ts";
import type { FullService } from "../full-service.ts";
import { type EndpointCalls, recordPath } from "./endpoint-calls.ts";

type Endpoints = Pick<
  FullService,
  "generateText" | "generateImage" | "listAutomations" | "triggerAutomation" | "addWebhook"
>;

export function aiAndAutomationsEndpoints({ list, write }: EndpointCalls): Endpoints {
  const postOnce = (path: string, json: object): Promise<CallResult> =>
    write({ method: "POST", path, repeat: "once", json });
  return {
    generateText: async ({ prompt, platform, tone }) =>
      withAnswer(await postOnce("/ai/text", { prompt, platform, tone }), (answer) =>
        decodeText(answer, "POST /v1/ai/text"),
      ),
    generateImage: async ({ prompt, size }) =>
      withAnswer(await postOnce("/ai/image", { prompt, size }), (answer) =>
        decodeImage(answer, "POST /v1/ai/image"),
      ),
    listAutomations: async () => {
      const { items, ...rest } = await list("/automations");
      return { items: items.map((item) => decodeAutomation(item, "GET /v1/automations")), ...rest };
    },
    triggerAutomation: async (id, input) => {
      const path = `${recordPath("/automations", id)}/trigger`;
      return toWriteResult(await postOnce(path, { input }), (answer) =>
        decodeTrigger(requireJsonOrEmpty(answer, `POST /v1${path}`)),
      );
    },
    addWebhook: async ({ url, events }) =>
      toWriteResult(await postOnce("/webhooks", { url, events }), (answer) =>
        decodeWebhook(requireJsonOrEmpty(answer, "POST /v1/webhooks")),
      ),
  };
}

/** The result may have cost money. If it cannot be read, people can look for it in the answer. */
function withAnswer<T>(call: CallResult, decode: (answer: HttpAnswer) => T): WriteResult<T> {
  const written = toWriteResult(call, decode);
  if (call.kind !== "answer" || written.result !== "unknown") return written;
  return { ...written, answer: call.answer.text };
}
