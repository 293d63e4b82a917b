/** What only some commands read: looked at where a service's answers are otherwise than usual. */
import { Failure } from "../../calendar/failure.ts";
import { plural } from "../../report/plural.ts";
import { decodeAutomation } from "../../service/decode-answer.ts";
import { decodePage } from "../../service/decode-list.ts";
import { decodeMedia } from "../../service/decode-media.ts";
import { applyMapping } from "../../service/shape.ts";
import { adviseMapping } from "../advise-shape.ts";
import { ok, skipped, warning, type Check } from "../check.ts";

export const mediaCheck: Check = listCheck("media", "media item", decodeMedia);
export const automationsCheck: Check = listCheck("automations", "automation", decodeAutomation);

function listCheck(
  name: "media" | "automations",
  noun: string,
  decode: (item: unknown, endpoint: string) => unknown,
): Check {
  return (facts) => {
    const heard = facts.service?.further.find(({ path }) => path.includes(`/v1/${name}?`))?.result;
    if (heard === undefined) return undefined;
    if (heard.kind !== "answer" || heard.status >= 300)
      return skipped(name, "the service does not list them.");
    const endpoint = `GET /v1/${name}`;
    try {
      const page = decodePage(
        applyMapping(heard, facts.service?.settings.shape, `/${name}`, "list"),
        endpoint,
      );
      for (const item of page.items) decode(item, endpoint);
      return ok(
        name,
        page.items.length === 0
          ? "None is there to look at."
          : `The first ${plural(page.items.length, noun)} can be read.`,
      );
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const found = adviseMapping(facts);
      const part = name === "media" ? found?.shape.media : found?.shape.automation;
      const isFound = part !== undefined || found?.shape.list !== facts.service?.settings.shape?.list;
      return found === undefined || !isFound
        ? warning(
            name,
            error.message,
            "Commands that read them fail. Say where they stand with service.shape (docs/doctor.md).",
          )
        : warning(name, error.message, `If they stand there, ${found.paste}`, found.snippet);
    }
  };
}
