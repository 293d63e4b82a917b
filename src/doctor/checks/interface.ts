/** Whether Postiz or Zernio answers as its published interface says. */

import { Failure } from "../../model/failure.ts";
import { serviceTypeFacts } from "../../model/service-interface.ts";
import { plural } from "../../report/text/numbers.ts";
import { listSome } from "../../problems/plan-texts.ts";
import { statusMeaning } from "../../service/answers/post.ts";
import type { PlatformRecord, PostRecord } from "../../service/records.ts";
import {
  type Check,
  NEEDS_ANSWER,
  failing,
  isUnreadable,
  ok,
  publishedType,
  skipped,
  warning,
} from "../check.ts";

export const interfaceCheck: Check = {
  name: "interface",
  looksAt: "Only with `service.type`: whether the service answers as its published interface says.",
  run: ({ service }) => {
    const { title } = (service && serviceTypeFacts(publishedType(service))) ?? {};
    if (service === undefined || title === undefined) return undefined;
    const { accounts, posts, single } = service;
    const other = [accounts, posts, single].filter(isUnreadable);
    if (other.length > 0)
      return failing(
        `${title} does not answer as its published interface says: ${other.map(({ message }) => message).join(" ")}`,
        `Check that service.url is the address of ${title}'s API. If it is, please report this output: plancast was not yet tested with a live account.`,
      );
    if (accounts === undefined || posts === undefined) return skipped(NEEDS_ANSWER);
    if (accounts instanceof Failure || posts instanceof Failure) return skipped(NEEDS_ANSWER);
    const saw = `${title}: ${describeAccounts(accounts.items)}; ${plural(posts.items.length, "scheduled post")}.`;
    const differences = [...unknownStatuses(posts.items), ...(single === "missing" ? [NOT_FOUND] : [])];
    if (differences.length === 0) return ok(`${saw} The answers are as published.`);
    return warning(
      `${saw} These differ from its published interface: ${differences.join("; ")}.`,
      "Please report this output. plancast does not change these posts.",
    );
  },
};

const NOT_FOUND = "a listed post that cannot be read by its id";

/** As many names as fit into a line or two. */
const NAMED = 12;

function describeAccounts(accounts: readonly PlatformRecord[]): string {
  const names = accounts.map(
    ({ platform, name }) => `${platform ?? ""}${name === undefined ? "" : ` (${name})`}`,
  );
  return `${plural(accounts.length, "account")}: ${listSome(names, NAMED)}`;
}

function unknownStatuses(posts: readonly PostRecord[]): readonly string[] {
  const unknown = posts.flatMap(({ status = "" }) => (statusMeaning(status) === undefined ? [status] : []));
  return [...new Set(unknown)].map((status) => `the status ${JSON.stringify(status.slice(0, 60))}`);
}
