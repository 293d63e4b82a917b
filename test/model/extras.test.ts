/** The extra parts of a post: without them, nothing changes, and a cell holds any alt texts. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalExtras } from "../../src/model/canonical.ts";
import {
  EMPTY_EXTRAS,
  EXTRA_PARTS,
  type PostExtras,
  joinAlt,
  joinThread,
  splitAlt,
  splitThread,
  supportedPosts,
  trimmedTexts,
} from "../../src/model/extras.ts";
import { checkLockfile, keptBody, keptParts } from "../../src/model/lockfile.ts";
import { differingParts } from "../../src/model/post.ts";
import { desiredFingerprint, fingerprint, storedDifferences } from "../../src/sync/plan/compare.ts";
import { diff } from "../../src/sync/plan/diff.ts";
import { reconcilePendingCreates } from "../../src/sync/plan/reconcile.ts";
import { diffInput, lockfile, owned, post, remote } from "../support/rows.ts";

const body = {
  content: "Tulips",
  platforms: ["linkedin"],
  scheduledAt: "2030-03-01T08:00:00Z",
  mediaIds: [],
};
/** From before posts had extra parts. */
const FINGERPRINT = "sha256:1309bf7e";

const alt = fc.array(fc.string({ unit: "grapheme", maxLength: 12 }), { maxLength: 4 });

test("a post without extra parts keeps its old fingerprint", () => {
  expect(fingerprint(body).slice(0, FINGERPRINT.length)).toBe(FINGERPRINT);
  fc.assert(
    fc.property(fc.array(fc.constantFrom("", " ", "\n")), (blank) => {
      const extras = canonicalExtras({ alt: blank });
      expect(fingerprint({ ...body, ...extras, alt: extras.alt })).toBe(fingerprint(body));
      expect(fingerprint({ ...body, alt: [] })).toBe(fingerprint(body));
    }),
  );
});

test("posts with other alt texts have other fingerprints", () => {
  fc.assert(
    fc.property(alt, alt, (one, other) => {
      const [a, b] = [one, other].map((texts) => canonicalExtras({ alt: texts }));
      const isSame = JSON.stringify(a) === JSON.stringify(b);
      expect(fingerprint({ ...body, ...a }) === fingerprint({ ...body, ...b })).toBe(isSame);
      expect(differingParts({ ...body, ...a }, { ...body, ...b }).length === 0 || a?.alt === undefined).toBe(
        isSame || a?.alt === undefined,
      );
    }),
  );
});

test("if a service does not store extra parts, plancast does not compare them", () => {
  fc.assert(
    fc.property(alt, (texts) => {
      const [supported] = supportedPosts([post({ alt: texts })]);
      expect(supported && desiredFingerprint(supported, {})).toBe(desiredFingerprint(post(), {}));
    }),
  );
});

test("the lockfile keeps the parts of a body, extra parts too", () => {
  const kept = keptParts({ ...body, alt: ["", "Red"] });
  expect(differingParts(keptBody(kept), { ...body, alt: ["", "Red"] })).toEqual([]);
  expect(differingParts(keptBody(kept), body)).toEqual(["alt"]);
  const attempt = {
    ...keptParts({ ...body, alt: ["Red"] }),
    fingerprint: "sha256:1",
    attempted_at: "2030-01-01T00:00:00Z",
    file: "calendars/a.csv",
  };
  expect(checkLockfile({ ...lockfile(), unknown: { a: attempt } })).toMatchObject({ success: true });
});

test("if the service stores an alt text in another form, nothing changes until that text is edited on the service", () => {
  const stored = storedDifferences({ ...body, alt: ["Red."] }, { id: "post_1", alt: ["Red"] });
  expect(stored).toEqual({ alt: ["Red"] });
  const desired = post({ alt: ["Red."], media: [{ kind: "id", id: "media_1" }] });
  const entry = owned("post_1", {
    fingerprint: desiredFingerprint(desired, {}) ?? "",
    ...(stored === undefined ? {} : { stored }),
  });
  const planned = (alt: readonly string[]) =>
    diff(
      diffInput({
        desired: [desired],
        lockfile: lockfile({ launch: entry }),
        remote: [remote({ mediaIds: ["media_1"], alt })],
      }),
    );
  expect(planned(["Red"]).kept).toHaveLength(1);
  expect(planned(["Blue"]).changes).toMatchObject([{ action: "replace", fields: ["alt"] }]);
});

test("a pending create is recognised only by its own alt texts", () => {
  const attempt = {
    fingerprint: "sha256:1",
    attempted_at: "2030-01-01T00:00:00Z",
    scheduled_at: "2030-03-01T08:00:00Z",
    content: "We are open",
    platforms: ["linkedin"],
    media_ids: ["media_1"],
    alt: ["Red"],
    file: "calendars/a.csv",
  };
  const found = (texts: readonly string[]) =>
    Object.keys(
      reconcilePendingCreates(lockfile({}, { unknown: { launch: attempt } }), [
        remote({ mediaIds: ["media_1"], alt: texts }),
      ]).posts,
    );
  expect(found(["Red"])).toEqual(["launch"]);
  expect(found(["Blue"])).toEqual([]);
  expect(found([])).toEqual([]);
});

test("a cell holds any alt texts that a person would write", () => {
  const text = fc
    .string({ unit: "grapheme", maxLength: 12 })
    .map((each) => each.replaceAll(/\r/g, "").trim());
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 0, max: 2 }),
      (texts, more) => {
        const cell = joinAlt(texts, texts.length + more);
        if (texts.every((each) => !each.includes("||") && !/^\||\|$/.test(each))) expect(cell).toBeDefined();
        if (cell !== undefined)
          expect(trimmedTexts(splitAlt(cell, texts.length + more))).toEqual(trimmedTexts(texts));
      },
    ),
  );
});

test("a cell holds any thread that a person would write", () => {
  const line = fc.string({ unit: "grapheme", maxLength: 8 }).filter((each) => /\S/.test(each));
  const text = fc
    .array(line, { minLength: 1, maxLength: 3 })
    .map((lines) => lines.join("\n").replaceAll(/\r/g, "").trimEnd())
    .filter((each) => each !== "" && !/^\s*\n/.test(each));
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (texts) => {
      const cell = joinThread(texts);
      if (texts.every((each) => !each.includes("---"))) expect(cell).toBeDefined();
      if (cell !== undefined) expect(splitThread(cell)).toEqual(texts);
    }),
  );
});

test("each part changes the fingerprint if it is filled in, and does not change it if it is empty", () => {
  const filled = {
    alt: ["A"],
    thread: ["B"],
    thread_media: [1],
    first_comment: "C",
    reply_to: "D",
    quote: "E",
    poll: ["F", "G"],
    poll_length: "1d",
    poll_multiple: "yes",
    expires: "2030-03-01T08:00:00Z",
    options: ["mastodon.visibility: unlisted"],
  } satisfies Required<PostExtras>;
  for (const part of EXTRA_PARTS) {
    expect(fingerprint({ ...body, [part]: EMPTY_EXTRAS[part] })).toBe(fingerprint(body));
    expect(fingerprint({ ...body, [part]: filled[part] })).not.toBe(fingerprint(body));
    expect(differingParts({ ...body, [part]: filled[part] }, body)).toEqual([part]);
    expect(differingParts({ ...body, [part]: EMPTY_EXTRAS[part] }, body)).toEqual([]);
  }
});
