import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { csv, startScenario } from "../support/scenario.ts";
import { mp4 } from "../support/sized-media.ts";

test("uploads a video of many chunks whole", async () => {
  const video = mp4(3, { data: 8_000_000 });
  const { apply, service } = await startScenario({
    files: {
      "calendars/a.csv": csv(
        ["scheduled_at", "platforms", "content", "media"],
        ["2036-03-01 10:00", "tiktok", "Hi", "clip.mp4"],
      ),
      "calendars/clip.mp4": video,
    },
  });
  await apply();
  const sha256 = createHash("sha256").update(video).digest("hex");
  expect([...service.media.values()]).toMatchObject([{ bytes: video.length, sha256 }]);
});
