import type { Publication } from "../calendar/fate.ts";
import type { PostOwner } from "../calendar/post-owner.ts";
import { ownerText } from "./account-lists.ts";
import { terminalText } from "./escape-terminal.ts";
import { oneLine, type Style } from "./style.ts";

/** What became of a post, as a line of a log: `published post_81f (calendars/a.csv: launch) linkedin https://…`. */
export function publicationLine(
  id: string,
  owner: PostOwner | undefined,
  fate: Publication,
  style: Style,
): string {
  const { state, results, reason } = fate;
  const told = results.map(({ platform, url, reason: why }) =>
    [platform, url ?? why].filter(Boolean).join(" "),
  );
  const parts = [
    state,
    id,
    owner === undefined ? "" : `(${ownerText(owner)})`,
    told.join(", "),
    reason ?? "",
  ];
  return terminalText([oneLine(parts.filter((part) => part !== "").join(" "), style)]);
}
