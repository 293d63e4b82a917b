import { expect, test } from "vitest";
import { countText } from "../../../src/checks/rules/count-text.ts";
import { hostileTexts } from "./hostile-texts.ts";

test.each(["characters", "utf16", "graphemes", "bytes", "twitter", "mastodon", "threads"] as const)(
  "%s: counts hostile texts of 400,000 letters",
  (count) => {
    for (const text of hostileTexts(400_000)) expect(countText(text, count)).toBeGreaterThan(0);
  },
);
