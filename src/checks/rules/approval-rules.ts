/** The rule about a client's answers, which `plancast approvals` records. */

import { SEALED_PARTS } from "../../problems/plan-texts.ts";
import { type Rule, NO_FINDINGS } from "./rule.ts";

export const notApproved: Rule = {
  code: "row/not-approved",
  severity: "error",
  rule: "A ready row that a client has answered is exactly as the client approved it.",
  cause:
    "Somebody edited the row after the client approved it, or set it to ready after the client requested changes.",
  fix: "Make a new page with `plancast preview --for-client`. To decide without the client, remove the row from `plancast.approvals.json`.",
  of: "approval",
  check: (post, approvals) => {
    const found = approvals.of(post);
    if (found === undefined) return NO_FINDINGS;
    const day = found.saved.slice(0, "YYYY-MM-DD".length);
    const parts = found.changed.map((part) => SEALED_PARTS[part]).join(" and the ");
    const said =
      found.answer === "approved"
        ? `Your client approved this post on ${day}, and the ${parts} changed since.`
        : `Your client requested changes to this post on ${day}, and has not approved it since.`;
    return [{ message: `${said} ${WAYS_ON}`, field: "status" }];
  },
};

const WAYS_ON =
  "Set the status to draft and send a new page. Or remove the row from plancast.approvals.json to decide without the client.";
