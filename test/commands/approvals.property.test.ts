/** Whatever a team edits around approvals: nothing is planned that the approver did not see, or has rejected since. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { z } from "zod";
import { planSchema } from "../../src/report/documents/runs.ts";
import type { PreviewData } from "../../src/preview/preview-data.ts";
import { APPROVED, CHANGES, answersFor, pageData } from "../support/client-answers.ts";
import { makeProject } from "../support/project.ts";
import { manyRuns } from "../support/property-tests.ts";
import { runCommand } from "../support/run-command.ts";
import { csv } from "../support/scenario.ts";
import { TestClock } from "../support/test-clock.ts";
import { tinyPng } from "../support/tiny-media.ts";

const FILE = "calendars/a.csv";
const COLUMNS = [
  "id",
  "date",
  "time",
  "repeat",
  "except",
  "pool",
  "spacing",
  "platforms",
  "content",
  "content:bluesky",
  "thread",
  "first_comment",
  "alt",
  "media",
  "expires",
] as const;
type Cells = Readonly<Record<(typeof COLUMNS)[number], string>>;

const NOW = Date.parse("2030-01-01T12:00:00Z");

/** A word that is in no other text. */
const word = fc.integer({ min: 1, max: 99_999 }).map((number) => `Word${number}`);
const sometimes = (arb: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant("") }, { weight: 1, arbitrary: arb });
const text = fc.tuple(word, fc.constantFrom("", " {n}", " on {date}")).map((parts) => parts.join(""));
const texts = fc.uniqueArray(text, { minLength: 1, maxLength: 4 }).map((each) => each.join("\n---\n"));

const single = fc.record({
  id: fc.constantFrom("one", "two"),
  date: fc.constantFrom("2030-01-03", "2030-01-07"),
  time: fc.constantFrom("09:00", "18:30"),
  repeat: fc.constant(""),
  except: fc.constant(""),
  pool: fc.constant(""),
  spacing: fc.constant(""),
  platforms: fc.constantFrom("linkedin", "linkedin bluesky", "bluesky"),
  content: word,
  "content:bluesky": sometimes(word),
  thread: sometimes(texts),
  first_comment: sometimes(word),
  alt: sometimes(word),
  media: fc.constantFrom("", "media/a.png", "media/b.png"),
  expires: sometimes(fc.constantFrom("2030-06-30", "2030-09-30")),
});

const repeated = fc.record({
  cells: single,
  repeat: fc.constantFrom("weekly", "daily x 5", "every 2 weeks until 2030-06-30", "weekly on mon, thu"),
  except: sometimes(fc.constantFrom("2030-01-10", "2030-01-17 -> 2030-01-18", "2030-01-14")),
  pool: texts,
  hasPool: fc.boolean(),
  content: text,
});

const draft: fc.Arbitrary<Cells> = fc.oneof(
  single,
  repeated.map(({ cells, repeat, except, pool, hasPool, content }) => ({
    ...cells,
    repeat,
    except,
    expires: "",
    ...(hasPool ? { pool, content: "", "content:bluesky": "", spacing: "" } : { content }),
  })),
);

/** A step of the team or its client after the first approval. */
const step = fc.oneof(
  // An edit takes some cells from another draft, and perhaps another picture.
  fc.record({
    does: fc.constant("edit" as const),
    row: fc.constantFrom(0, 1),
    from: draft,
    columns: fc.uniqueArray(fc.constantFrom(...COLUMNS.filter((each) => each !== "id")), { maxLength: 3 }),
    picture: fc.constantFrom(undefined, "media/a.png", "media/b.png"),
  }),
  // A new page comes back. The client's clock may be wrong, so the answers may be older than others.
  fc.record({
    does: fc.constant("answer" as const),
    isApproved: fc.boolean(),
    saved: fc.integer({ min: 0, max: 50 }),
  }),
  // Somebody finds an earlier file.
  fc.record({ does: fc.constant("again" as const), which: fc.nat({ max: 5 }) }),
);

/** What a client saw and answered. */
interface Answered {
  readonly page: PreviewData;
  readonly isApproved: boolean;
  /** Minutes. Two files of the same time have the same answer. */
  readonly saved: number;
}

test("nothing is planned that the approver did not see, whatever is edited and answered in whatever order", async () => {
  let planned = 0;
  const rows = fc
    .tuple(draft, draft)
    .map((both) => both.map((each, index) => ({ ...each, id: IDS[index] ?? "" })));
  await fc.assert(
    fc.asyncProperty(rows, fc.array(step, { minLength: 2, maxLength: 6 }), async (first, steps) => {
      const clock = new TestClock(() => false, NOW);
      let cells: readonly Cells[] = first;
      const pictures: Record<string, number> = { "media/a.png": 1, "media/b.png": 2 };
      const project = await makeProject({
        config: { timezone: "Europe/Paris", service: { url: "embedded" }, series: { ahead: "30d" } },
        files: {
          [FILE]: calendarOf(cells, ["draft", "draft"]),
          "media/a.png": tinyPng(1),
          "media/b.png": tinyPng(2),
        },
      });
      const run = (...args: string[]) => runCommand(args, { cwd: project.root, clock });
      const answered: Answered[] = [];
      const give = async ({ page, isApproved, saved }: Answered): Promise<void> => {
        const at = new Date(NOW + saved * 60_000).toISOString().replace(".000Z", "Z");
        const file = answersFor(page, () => (isApproved ? APPROVED : CHANGES), at);
        await project.write("answers.json", JSON.stringify(file));
        await run("approvals", "answers.json");
      };
      const answer = async (isApproved: boolean, saved: number): Promise<void> => {
        if (answered.some((each) => each.saved === saved)) return;
        if ((await run("preview", "--for-client")).code !== 0) return;
        const page = pageData(await project.read("client.html"));
        const given = { page, isApproved, saved };
        answered.push(given);
        await give(given);
      };
      await answer(true, 20);
      for (const each of steps) {
        if (each.does === "answer") await answer(each.isApproved, each.saved);
        else if (each.does === "again") {
          const earlier = answered[each.which % Math.max(1, answered.length)];
          if (earlier !== undefined) await give(earlier);
        } else {
          const { from, columns, picture } = each;
          const edited = Object.fromEntries(columns.map((column) => [column, from[column]]));
          cells = cells.map((row, index) => (index === each.row ? { ...row, ...edited } : row));
          // Answers may have changed the status.
          const written = [...(await project.read(FILE)).matchAll(/"(\w*)"$/gm)].map(
            ([, status = ""]) => status,
          );
          await project.write(FILE, calendarOf(cells, written.slice(-cells.length)));
          if (picture !== undefined) {
            pictures[picture] = (pictures[picture] ?? 0) + 10;
            await project.write(picture, tinyPng(pictures[picture]));
          }
        }
      }
      const result = await run("plan", "--format", "json");
      const { changes } = planSchema.parse(JSON.parse(result.stdout));
      const newest = answered.toSorted((one, other) => one.saved - other.saved).at(-1);
      planned += changes.length;
      for (const { post } of changes) {
        // Every page has all rows, so the newest answer is about each of them.
        expect(newest?.isApproved).toBe(true);
        const seen = answered.filter((each) => each.isApproved && isOnPage(post, each, pictures));
        expect(seen, JSON.stringify(post)).not.toEqual([]);
      }
    }),
    { numRuns: manyRuns(100) },
  );
  // The property would hold without any plan, too.
  expect(planned).toBeGreaterThan(0);
});

const IDS = ["one", "two"];

function calendarOf(rows: readonly Cells[], statuses: readonly string[]): string {
  return csv(
    [...COLUMNS, "status"],
    ...rows.map((cells, index) => [...COLUMNS.map((each) => cells[each]), statuses[index] ?? ""]),
  );
}

type Planned = z.infer<typeof planSchema>["changes"][number]["post"];

/** Whether one post of the page has everything that is planned: texts, time, networks, pictures and expiry. */
function isOnPage(planned: Planned, { page }: Answered, pictures: Readonly<Record<string, number>>): boolean {
  const at = Date.parse(planned.scheduled_at);
  return page.posts.some((shown) => {
    const texts = new Set([
      shown.content,
      ...(shown.alt ?? []),
      ...(shown.replies ?? []).map(({ text }) => text),
      ...(shown.repeats?.texts ?? []),
    ]);
    const said = [planned.content, ...(planned.thread ?? []), planned.first_comment, ...(planned.alt ?? [])];
    const networks = shown.platforms.map((index) => page.platforms[index]?.name);
    const shownPictures = shown.media.map((index) => page.media[index]?.source);
    const isInTime =
      shown.repeats === undefined ? Date.parse(shown.at) === at : shown.repeats.days.includes(inParis(at));
    return (
      isInTime &&
      said.every((each) => each === undefined || each === "" || texts.has(each)) &&
      (planned.platforms ?? []).every((each) => networks.includes(each)) &&
      (planned.media ?? []).every((path) => shownPictures.includes(sourceOf(pictures[path] ?? 0))) &&
      (planned.expires === undefined) === (shown.expires === undefined)
    );
  });
}

/** As the page has it. */
function sourceOf(picture: number): string {
  return `data:image/png;base64,${Buffer.from(tinyPng(picture)).toString("base64")}`;
}

/** As the page writes it. */
function inParis(ms: number): string {
  const local = new Intl.DateTimeFormat("sv-SE", {
    timeZone: "Europe/Paris",
    dateStyle: "short",
    timeStyle: "short",
  });
  return local.format(ms);
}
