/** What a plan says about posts that the service already has. */
import { expect, test } from "vitest";
import { csv, startScenario } from "../../support/scenario.ts";
import { png } from "../../support/sized-media.ts";

test("a cancel and a changed picture name the uploaded files, and for a row without an id, the message recommends ids", async () => {
  const files = {
    "calendars/a.csv": csv(
      ["id", "scheduled_at", "platforms", "content", "media"],
      ["", "2036-03-01 10:00", "twitter", "One", "media/one.png"],
      ["b", "2036-03-02 10:00", "twitter", "Two", "media/one.png"],
    ),
    "calendars/media/one.png": png(400, 400),
    "calendars/media/two.png": png(500, 400),
  };
  const { apply, project, run } = await startScenario({ files });
  await apply();
  const edited = csv(
    ["id", "scheduled_at", "platforms", "content", "media"],
    ["", "2036-03-05 11:00", "twitter", "One, another day", "media/one.png"],
    ["b", "2036-03-02 10:00", "twitter", "Two", "media/two.png"],
  );
  await project.write("calendars/a.csv", edited);
  const { stdout } = await run("plan");
  const text = stdout.replaceAll(/\s+/g, " ");
  expect(text).toMatch(/- 10:00 .* media: one\.png [\d.]+ k?B .* With an id, a row keeps its post\./);
  expect(text).toMatch(/one\.png [\d.]+ k?B .*two\.png [\d.]+ k?B/);
  expect(text).not.toContain("media_");
});
