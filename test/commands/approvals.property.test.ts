/** Whatever a team edits around an approval: no text is planned that the approver did not see. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { planSchema } from "../../src/report/documents/runs.ts";
import type { PreviewData } from "../../src/preview/preview-data.ts";
import { APPROVED, answersFor, pageData } from "../support/client-answers.ts";
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

/** An edit takes some cells from another draft. */
const edit = fc.record({
  from: draft,
  columns: fc.uniqueArray(fc.constantFrom(...COLUMNS.filter((each) => each !== "id")), { maxLength: 3 }),
  picture: fc.boolean(),
});

test("no text is planned that the approver did not see, whatever is edited before and after the approval", async () => {
  let planned = 0;
  await fc.assert(
    fc.asyncProperty(draft, edit, edit, async (cells, first, second) => {
      const clock = new TestClock(() => false, NOW);
      const project = await makeProject({
        config: { timezone: "Europe/Paris", service: { url: "embedded" }, series: { ahead: "30d" } },
        files: {
          [FILE]: calendarOf(cells, "draft"),
          "media/a.png": tinyPng(1),
          "media/b.png": tinyPng(2),
        },
      });
      const run = (...args: string[]) => runCommand(args, { cwd: project.root, clock });
      await run("preview", "--for-client");
      const page = pageData(await project.read("client.html"));
      await project.write("answers.json", JSON.stringify(answersFor(page, () => APPROVED)));
      let now = cells;
      for (const { from, columns, picture } of [first, second]) {
        now = { ...now, ...Object.fromEntries(columns.map((each) => [each, from[each]])) };
        // The first approval may have changed the status.
        const [, row = ""] = (await project.read(FILE)).split(/\n(?=")/);
        const written = /"(\w*)"\s*$/.exec(row)?.[1] ?? "";
        await project.write(FILE, calendarOf(now, written));
        if (picture) await project.write("media/a.png", tinyPng(3));
        await run("approvals", "answers.json");
      }
      const result = await run("plan", "--format", "json");
      const plan = planSchema.parse(JSON.parse(result.stdout));
      const seen = textsOn(page);
      for (const { post } of plan.changes) {
        planned += 1;
        const said = [post?.content, ...(post?.thread ?? []), post?.first_comment, ...(post?.alt ?? [])];
        for (const each of said) if (each !== undefined && each !== "") expect(seen).toContain(each);
      }
    }),
    { numRuns: manyRuns(100) },
  );
  // The property would hold without any plan, too.
  expect(planned).toBeGreaterThan(0);
});

function calendarOf(cells: Cells, status: string): string {
  return csv([...COLUMNS, "status"], [...COLUMNS.map((each) => cells[each]), status]);
}

/** Every text of the page. */
function textsOn({ posts }: PreviewData): ReadonlySet<string> {
  return new Set(
    posts.flatMap(({ content = "", alt = [], replies = [], repeats }) => [
      content,
      ...alt,
      ...replies.map((each) => each.text),
      ...(repeats?.texts ?? []),
    ]),
  );
}
