/** What `status --write` puts into a row that repeats: the result of its latest post that is over. */
import { expect, test } from "vitest";
import { resultField } from "../../../src/model/fields.ts";
import type { RowStatus } from "../../../src/model/publication.ts";
import { resultEdits, statusRow } from "../../../src/report/status/status-data.ts";
import { row } from "../../support/rows.ts";

const ROW = row({ id: "tip", content: "A tip" });

function status(
  day: string,
  state: RowStatus["state"],
  more: Partial<RowStatus> = {},
): ReturnType<typeof statusRow> {
  return statusRow({
    key: `tip/${day}`,
    file: ROW.file,
    line: ROW.line,
    place: "a.csv:2",
    scheduledAt: `${day}T09:00:00Z`,
    platforms: ["linkedin"],
    content: "A tip",
    state,
    postId: undefined,
    results: [],
    reason: undefined,
    since: undefined,
    ...more,
  });
}

const PUBLISHED = status("2030-01-07", "published", { publishedAt: "2030-01-07T09:00:05Z" });
const COMING = status("2030-01-21", "scheduled");

test.each(["expired", "failed", "cancelled"] as const)(
  "if the latest post is %s, it hides the previous one",
  (state) => {
    const [edit] = resultEdits(
      [ROW],
      [PUBLISHED, status("2030-01-14", state), COMING],
      ["time", "error"],
      "UTC",
    );
    expect(edit?.cells.get(resultField("error"))).toMatch(/./);
    expect(edit?.cells.get(resultField("time"))).toBeUndefined();
  },
);

test("a post that is still to come hides nothing", () => {
  const [edit] = resultEdits([ROW], [PUBLISHED, COMING], ["time", "error"], "UTC");
  expect([...(edit?.cells.keys() ?? [])]).toEqual(["result_time"]);
});
