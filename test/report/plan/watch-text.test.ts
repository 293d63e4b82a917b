/** `plan --watch` shows an edit, even if it is far down in a text. */

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Change } from "../../../src/model/plan.ts";
import { planDifferenceText } from "../../../src/report/plan/watch-text.ts";
import { createStyle } from "../../../src/report/text/style.ts";
import { cancel, create, media, plan, post, replace } from "../sample-plan.ts";

const LONG = Array.from({ length: 400 }, (_, index) => `word${index}`).join(" ");

function since(before: readonly Change[], after: readonly Change[], width = 80): string {
  const style = createStyle({ color: false, width, unicode: true });
  return planDifferenceText(plan(before), plan(after), "Europe/Paris", style);
}

/** A row without an id. Its key is made from its content. */
const nameless = (content: string, line = 4): Change =>
  create(post({ key: `row:${content.length}${line}`, content, source: { file: "calendars/a.csv", line } }));

test("an edit far down in a long text is shown with its old and new words", () => {
  const edited = LONG.replace("word311", "another");
  const expected = `Since the last plan: 1 changed
  changed + launch · calendars/march.csv:4
            │ … word306 word307 word308 word309 word310 [-word311-]{+another+}
            │ word312 word313 word314 word315 word316 …
`;
  expect(since([create(post({ content: LONG }))], [create(post({ content: edited }))])).toBe(expected);
  const remote = { content: "Something else." };
  expect(
    since([replace(post({ content: LONG }), remote)], [replace(post({ content: edited }), remote)]),
  ).toContain("[-word311-]{+another+}");
});

test("recognises a row without an id after an edit", () => {
  const shown = since([nameless(LONG)], [nameless(`${LONG} and more`)]);
  expect(shown).toContain("Since the last plan: 1 changed\n");
  expect(shown).toContain("and more+}");
});

test("a row without an id is recognised by its line after an edit of its time", () => {
  const moved = create(post({ key: "row:b", content: "Hi", scheduledAt: "2027-03-02T08:30:00Z" }));
  expect(since([create(post({ key: "row:a", content: "Hi" }))], [moved])).toContain(
    "time: Mon 1 March 2027 09:00 → Tue 2 March 2027 09:30",
  );
});

describe("what else is edited", () => {
  test.each([
    [{ platforms: ["linkedin"] }, "networks: LinkedIn, X → LinkedIn"],
    [{ scheduledAt: "2027-03-01T09:00:00Z" as const }, "time: 09:00 → 10:00"],
    [{ media: [media("a/b.png", 48_000)] }, "media: none → b.png 48 kB"],
  ])("%j", (edit, expected) => {
    expect(since([create(post())], [create(post(edit))])).toContain(expected);
  });

  test("a file of the same name and size that contains something else", () => {
    const file = media("a/b.png", 48_000);
    const other = { ...file, sha256: "ef".repeat(32) };
    expect(
      since([create(post({ media: [file] }))], [create(post({ media: [other as typeof file] }))]),
    ).toContain("media: b.png 48 kB → b.png 48 kB, another file with this name");
  });
});

test("shows added and removed changes; equal plans have no difference", () => {
  const shown = since([create(post())], [cancel("old", "2027-03-01T08:00:00Z")]);
  expect(shown).toContain("Since the last plan: 1 new, 1 gone");
  expect(since([create(post())], [create(post())])).toBe("Since the last plan: no changes.\n");
});

test("any edit of any text is seen, at any width", () => {
  const word = fc.constantFrom("one", "two", "three", "東京", "مرحبا", "👩‍🚀", "\n");
  const words = fc.array(word, { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(words, words, words, fc.integer({ min: 40, max: 120 }), (start, removed, end, width) => {
      const text = (middle: readonly string[]): string => [...start, ...middle, ...end].join(" ");
      const before = create(post({ content: text(removed) }));
      const after = create(post({ content: text(["EDITED"]) }));
      expect(since([before], [after], width).replaceAll(/[\s│]/g, "")).toContain("EDITED");
    }),
  );
});
