/** The endpoints that write texts and make pictures. */

import {
  decodeAutomation,
  decodeImage,
  decodeText,
  decodeTrigger,
  decodeWebhook,
} from "../answers/other-records.ts";
import { requireJsonOrEmpty, toWriteResult } from "../answers/results.ts";
import type { CallResult } from "../http/transport.ts";
import type { WriteResult } from "../records.ts";
import type { ServiceClient } from "../service-client.ts";
import { type Caller, recordPath } from "./caller.ts";

type AiEndpoints = Pick<ServiceClient, "generateText" | "generateImage">;

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

/** The endpoints of automations. */

type AutomationsEndpoints = Pick<ServiceClient, "listAutomations" | "triggerAutomation">;

export function automationsEndpoints({ list, write }: Caller): AutomationsEndpoints {
  return {
    listAutomations: async () => {
      const { items, ...rest } = await list("/automations");
      return { items: items.map((item) => decodeAutomation(item, "GET /v1/automations")), ...rest };
    },
    triggerAutomation: async (id, input) => {
      const path = `${recordPath("/automations", id)}/trigger`;
      const result = await write({ method: "POST", path, repeat: "once", json: { input } });
      return toWriteResult(result, (answer) => decodeTrigger(requireJsonOrEmpty(answer, `POST /v1${path}`)));
    },
  };
}

/** The endpoint of webhooks; none lists or removes them. */

export function webhooksEndpoints({ write }: Caller): Pick<ServiceClient, "addWebhook"> {
  return {
    addWebhook: async ({ url, events }) => {
      const json = { url, events };
      const result = await write({ method: "POST", path: "/webhooks", repeat: "once", json });
      return toWriteResult(result, (answer) =>
        decodeWebhook(requireJsonOrEmpty(answer, "POST /v1/webhooks")),
      );
    },
  };
}
