import { decodeAutomation } from "../../service/answers/other-records.ts";
import type { Check } from "../check.ts";
import { checkOtherList } from "../other-list.ts";

export const automationsCheck: Check = {
  name: "automations",
  looksAt: "Likewise the automations.",
  run: (facts) => checkOtherList(facts, "automations", "automation", decodeAutomation),
};
