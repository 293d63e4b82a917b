import { decodeMedia } from "../../service/answers/other-records.ts";
import type { Check } from "../check.ts";
import { checkOtherList } from "../other-list.ts";

export const mediaCheck: Check = {
  name: "media",
  looksAt: "Where answers are unusual: whether the media library can be read. Some commands read it.",
  run: (facts) => checkOtherList(facts, "media", "media item", decodeMedia),
};
