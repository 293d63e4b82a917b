/** The endpoint of webhooks; none lists or removes them. */
import type { Caller } from "./caller.ts";
import { decodeWebhook } from "./decode-answer.ts";
import { requireJsonOrEmpty } from "./own-answer.ts";
import { toWriteResult } from "./results.ts";
import type { Service } from "./service.ts";

export function webhooksEndpoints({ write }: Caller): Pick<Service, "addWebhook"> {
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
