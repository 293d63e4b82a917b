/** The endpoints of automations. */
import { recordPath, type Caller } from "./caller.ts";
import { decodeAutomation, decodeTrigger } from "./decode-answer.ts";
import { requireJsonOrEmpty } from "./own-answer.ts";
import { toWriteResult } from "./results.ts";
import type { Service } from "./service.ts";

type AutomationsEndpoints = Pick<Service, "listAutomations" | "triggerAutomation">;

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
