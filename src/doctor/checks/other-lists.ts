/** Checks lists that only some commands read, media and automations: whether the first page of each can be read. */

import { Failure } from "../../model/failure.ts";
import { plural } from "../../report/text/numbers.ts";
import { decodePage } from "../../service/answers/list-page.ts";
import { decodeAutomation, decodeMedia } from "../../service/answers/other-records.ts";
import { applyMapping } from "../../service/answers/response-mapping.ts";
import { type Check, type Facts, ok, skipped, warning } from "../check.ts";
import { mappingHelp } from "../mapping-help.ts";

/**
 * @param name of the list, as in its address
 * @param noun for one item of it
 * @param decode throws a Failure for an item that cannot be read
 * @returns undefined where doctor did not ask for the list
 */
function checkOtherList(
  facts: Facts,
  name: "media" | "automations",
  noun: string,
  decode: (item: unknown, endpoint: string) => unknown,
): ReturnType<Check["run"]> {
  const { otherExchanges = [], settings } = facts.service ?? {};
  const result = otherExchanges.find(({ path }) => path.includes(`/v1/${name}?`))?.result;
  if (result === undefined) return undefined;
  if (result.kind !== "answer" || result.status >= 300) return skipped("the service has no list of them.");
  const endpoint = `GET /v1/${name}`;
  try {
    const { items } = decodePage(applyMapping(result, settings?.shape, `/${name}`, "list"), endpoint);
    for (const item of items) decode(item, endpoint);
    return ok(
      items.length === 0
        ? "The list is empty."
        : `plancast can read the first ${plural(items.length, noun)}.`,
    );
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const help = mappingHelp(facts);
    return help === undefined
      ? warning(
          error.message,
          "Commands that read them fail. Set their place in the answers with service.shape (docs/run/doctor.md).",
        )
      : warning(error.message, `Commands that read them fail. ${help.advice}`, help.snippet);
  }
}

export const mediaCheck: Check = {
  name: "media",
  looksAt: "If answers are unusual: whether plancast can read the media library. Some commands need it.",
  run: (facts) => checkOtherList(facts, "media", "media item", decodeMedia),
};

export const automationsCheck: Check = {
  name: "automations",
  looksAt: "If answers are unusual: whether plancast can read the automations.",
  run: (facts) => checkOtherList(facts, "automations", "automation", decodeAutomation),
};
