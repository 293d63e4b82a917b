/** What a service refuses that only schedules posts. */

import type { NotDone } from "./records.ts";
import type { FullService } from "./service.ts";

export type Refused = Extract<NotDone, { result: "refused" }>;

/** @param code the service's own word, or plancast's  @param fatal whether no later request can succeed */
export function refusedWrite(code: string, message: string, fatal = false): Refused {
  return { result: "refused", code, message, fatal };
}

type OtherWrites = Pick<
  FullService,
  "disconnectPlatform" | "generateText" | "generateImage" | "triggerAutomation" | "addWebhook"
>;

/**
 * Refuses everything besides posts and media.
 * @param why after "refused:"  @param instead how to disconnect an account
 */
export function refusedOtherWrites(why: string, instead: string): OtherWrites {
  return {
    disconnectPlatform: refusing(instead),
    generateText: refusing(why),
    generateImage: refusing(why),
    triggerAutomation: refusing(why),
    addWebhook: refusing(why),
  };
}

function refusing(message: string): () => Promise<Refused> {
  return () => Promise.resolve(refusedWrite("not_supported", message));
}
