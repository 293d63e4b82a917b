/** An event counts once, and only if the service confirms it. */

import { describe, expect, test } from "vitest";
import { type Publication, isFinal, isFinished } from "../../src/model/publication.ts";
import { receivedEnvelope } from "../../src/model/service-interface.ts";
import { publicationOf } from "../../src/service/answers/post.ts";
import {
  type PublicationRecord,
  Publications,
  eventHash,
  isWorthRecording,
  publicationRecord,
  publicationRecordSchema,
} from "../../src/tracking/publications.ts";

const ORIGIN = "https://api.example.com";
const URL = "https://linkedin.example/post/1";

function event(kind: string, data: object, more: object = {}): PublicationRecord {
  const received = {
    event: kind,
    timestamp: "2027-03-01T08:00:00Z",
    data: { post_id: "p", ...data },
    ...more,
  };
  return { at: "2027-03-01T08:00:01.000Z", origin: ORIGIN, received: receivedEnvelope.parse(received) };
}

function told(fate: Publication, at = Date.UTC(2027, 2, 1, 8, 0, 5), origin = ORIGIN): PublicationRecord {
  if (!isWorthRecording(fate)) throw new Error(`${fate.state} is not kept.`);
  return publicationRecord("p", fate, origin, at);
}

function outcomes(...records: readonly PublicationRecord[]): Publications {
  const book = new Publications(ORIGIN);
  for (const record of records) book.take(record, "events");
  return book;
}

const PUBLISHED: Publication = { state: "published", results: [] };
const FAILED: Publication = { state: "failed", results: [] };

const mark = (
  more: object,
  data: object = { post_id: "p", platform: "x" },
  timestamp = "2027-03-01T08:00:00Z",
) => eventHash(receivedEnvelope.parse({ event: "post.published", timestamp, data, ...more }));

const post = (status: string, record: Record<string, unknown>, platforms = ["linkedin", "x"]) =>
  publicationOf({ id: "p", status, platforms, record });

describe("events", () => {
  test("do not count before plancast asks the service, and then provide the address", () => {
    const arrived = event("post.published", { platform: "LinkedIn", url: URL });
    expect(outcomes(arrived).publicationOf("p")).toBeUndefined();
    expect(outcomes(arrived).unconfirmed()).toEqual(["p"]);
    const book = outcomes(arrived, told(PUBLISHED));
    expect(book.unconfirmed()).toEqual([]);
    expect(book.publicationOf("p")).toEqual({
      state: "published",
      publishedAt: "2027-03-01T08:00:00Z",
      results: [{ platform: "linkedin", state: "published", url: URL }],
    });
  });

  test("that the service contradicts change nothing, and are checked once", () => {
    const arrived = event("post.failed", { platform: "linkedin", error: "No." });
    const before = told(PUBLISHED, Date.UTC(2027, 2, 1, 7));
    expect(outcomes(before, arrived).unconfirmed()).toEqual(["p"]);
    const after = outcomes(before, arrived, told(PUBLISHED));
    expect([after.unconfirmed(), after.publicationOf("p")]).toEqual([[], PUBLISHED]);
  });

  test.each([
    ["of the whole post", {}],
    ["of a platform", { platform: "linkedin" }],
  ])("that a failed post has been published since then make plancast ask about it: %s", (_name, data) => {
    const before = told(FAILED, Date.UTC(2027, 2, 1, 7));
    const arrived = event("post.published", data);
    expect(outcomes(before, arrived).unconfirmed()).toEqual(["p"]);
    const after = outcomes(before, arrived, told(PUBLISHED));
    expect([after.unconfirmed(), after.publicationOf("p")?.state]).toEqual([[], "published"]);
    expect(outcomes(before, arrived, told(FAILED)).unconfirmed()).toEqual([]);
  });

  test("provide what a service without statuses does not show", () => {
    const unknown = publicationOf({ id: "p", record: {} });
    expect([isFinished(unknown), unknown.state]).toEqual([false, "unknown"]);
    expect(
      outcomes(told(unknown), event("post.published", { platform: "x" })).publicationOf("p"),
    ).toMatchObject({
      state: "published",
    });
    const failed = outcomes(told(unknown), event("post.failed", { error: { message: "Token expired." } }));
    expect(failed.publicationOf("p")).toEqual({ state: "failed", results: [], reason: "Token expired." });
  });

  test("say why a post failed where its record does not", () => {
    const book = outcomes(
      event("post.failed", { platform: "instagram", error: "No picture." }),
      event("post.published", { platform: "linkedin", url: URL }),
      told(FAILED),
    );
    expect(book.publicationOf("p")?.results).toEqual([
      { platform: "instagram", state: "failed", reason: "No picture." },
      { platform: "linkedin", state: "published", url: URL },
    ]);
  });

  test("of another service, of no post, and of other kinds are ignored", () => {
    const book = outcomes(
      { ...event("post.published", {}), origin: "https://other.example" },
      event("post.published", { post_id: "two words" }),
      event("automation.completed", { run_id: "r" }),
      told(PUBLISHED, 0, "https://other.example"),
    );
    expect([book.unconfirmed(), book.publicationOf("p")]).toEqual([[], undefined]);
  });

  test("other records do not change a final status, even after a clock was set back", () => {
    const unknown: Publication = { state: "unknown", results: [] };
    expect(outcomes(told(FAILED, 2_000), told(PUBLISHED, 1_000)).publicationOf("p")).toEqual(PUBLISHED);
    expect(told(unknown)).toMatchObject({ told: { state: "unclear" } });
    expect(outcomes(told(unknown)).publicationOf("p")).toEqual(unknown);
    expect(outcomes(told(FAILED, 1_000), told(unknown, 2_000)).publicationOf("p")).toEqual(FAILED);
    expect(outcomes(told(unknown, 2_000), told(FAILED, 1_000)).publicationOf("p")).toEqual(FAILED);
    const arrived = event("post.failed", { platform: "linkedin" });
    expect(outcomes(told(PUBLISHED, Date.UTC(2028)), arrived).unconfirmed()).toEqual(["p"]);
    expect(outcomes(arrived, told(PUBLISHED, 1_000)).unconfirmed()).toEqual([]);
  });

  test("if two files have a status, the later one counts, unless it is less final", () => {
    expect(fateOfBoth(told(PUBLISHED, 2_000), told(FAILED, 1_000))).toEqual(PUBLISHED);
    expect(fateOfBoth(told({ state: "unknown", results: [] }, 2_000), told(FAILED, 1_000))).toEqual(FAILED);
  });
});

function fateOfBoth(first: PublicationRecord, second: PublicationRecord): Publication | undefined {
  const book = new Publications(ORIGIN);
  book.take(first, "answers");
  book.take(second, "events");
  return book.publicationOf("p");
}

test("a failed post is checked for a day after it was due; every other final status is not checked again", () => {
  const due = "2027-03-01T08:00:00Z";
  const after = (fate: Publication, hours: number) => isFinal(fate, due, Date.UTC(2027, 2, 1, 8 + hours));
  expect([after(FAILED, 0), after(FAILED, 24), after(FAILED, 25)]).toEqual([false, false, true]);
  expect([after(PUBLISHED, 0), after({ state: "unknown", results: [] }, 99)]).toEqual([true, false]);
});

describe("repeats", () => {
  const later = "2027-03-01T08:05:00Z";

  test("have the same content, in any order", () => {
    expect(mark({})).toBe(mark({}, { platform: "x", post_id: "p" }));
    expect(mark({})).not.toBe(mark({}, { platform: "y", post_id: "p" }));
    expect(mark({})).not.toBe(mark({}, undefined, later));
  });

  test("have the same id, although the time differs; an id without content is not enough", () => {
    expect(mark({ id: "evt_1" })).toBe(mark({ id: "evt_1" }, undefined, later));
    expect(mark({ id: "evt_1" })).not.toBe(mark({ id: "evt_2" }));
    expect(mark({ id: "evt_1" })).not.toBe(mark({ id: "evt_1" }, { post_id: "p", platform: "y" }));
    expect(mark({ event_id: 7 })).not.toBe(mark({ event_id: 8 }));
  });
});

describe("records of posts in other shapes", () => {
  test.each<[string, Publication, Publication]>([
    [
      "a list of results",
      post("failed", {
        results: [
          { platform: "linkedin", status: "published", url: URL },
          { platform: "x", status: "failed", error: { code: "platform_error", message: "No." } },
        ],
      }),
      {
        state: "failed",
        results: [
          { platform: "linkedin", state: "published", url: URL },
          { platform: "x", state: "failed", reason: "No." },
        ],
      },
    ],
    [
      "a list of results, of which one failed although the post is called published",
      post("published", {
        results: [
          { platform: "LinkedIn", status: "POSTED", url: URL },
          { platform: "x", status: "ERROR", error: "No." },
        ],
      }),
      {
        state: "failed",
        results: [
          { platform: "linkedin", state: "published", url: URL },
          { platform: "x", state: "failed", reason: "No." },
        ],
      },
    ],
    [
      "results under another name",
      post("posted", { permalink: URL, deliveries: [{ platform: "x", status: "failed" }] }, ["x"]),
      PUBLISHED,
    ],
    [
      "a reason of the whole",
      post("error", { error: { message: "Gone." } }),
      { state: "failed", results: [], reason: "Gone." },
    ],
    ["under way", post("publishing", {}), { state: "scheduled", results: [] }],
    [
      "a word that nobody knows, with results that are whole",
      post("partial", {
        results: [
          { platform: "x", status: "failed" },
          { platform: "linkedin", status: "sent" },
        ],
      }),
      {
        state: "failed",
        results: [
          { platform: "x", state: "failed" },
          { platform: "linkedin", state: "published" },
        ],
      },
    ],
    [
      "no address of the web",
      post("published", { results: [{ platform: "x", status: "published", url: "javascript:alert(1)" }] }),
      { state: "published", results: [{ platform: "x", state: "published" }] },
    ],
    ["nothing at all", publicationOf(undefined), { state: "missing", results: [] }],
  ])("%s", (_name, seen, wanted) => {
    expect({ ...seen, post: undefined }).toEqual(wanted);
  });

  test("a record keeps the final status, and a part of a long text", () => {
    const record = { id: "p", content: "x".repeat(3_000), platforms: ["x"], status: "published", record: {} };
    const fate = publicationOf(record);
    expect(fate.post).toEqual({ content: "x".repeat(500), platforms: ["x"] });
    if (!isWorthRecording(fate)) throw new Error("It is over.");
    const kept = new Publications("here");
    kept.take(
      publicationRecordSchema.parse(JSON.parse(JSON.stringify(publicationRecord("p", fate, "here", 0)))),
      "answers",
    );
    expect(kept.publicationOf("p")).toEqual(fate);
    expect(kept.isNews("p", fate)).toBe(false);
  });
});
