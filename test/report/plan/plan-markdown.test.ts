import { describe, expect, test } from "vitest";
import type { Plan } from "../../../src/model/plan.ts";
import { planMarkdown } from "../../../src/report/plan/plan-markdown.ts";
import { planView } from "../../../src/report/plan/plan-view.ts";
import { cancel, create, plan, post, replace, weekOfPosts } from "../sample-plan.ts";

const markdown = (of: Plan, maxLength = 65_536): string =>
  planMarkdown(planView(of, { timezone: "Europe/Paris", kept: false, reads: 0, expectedMs: 0 }), {
    maxLength,
  });

const many = (count: number): Plan =>
  plan(
    Array.from({ length: count }, (_, index) =>
      create(post({ key: `p${index}`, scheduledAt: `2027-03-0${1 + (index % 5)}T08:00:00Z` })),
    ),
  );

test("numbers, guards, then a table for each day", () => {
  const shown = markdown(
    plan(
      [
        create(post({ content: "Launch | day\n#1 @you" })),
        replace(post({ key: "row:1", content: "Open until five", scheduledAt: "2027-03-02T08:00:00Z" }), {
          content: "Open until four",
          platforms: ["linkedin"],
        }),
        cancel("old", "2027-03-02T09:00:00Z"),
      ],
      { guards: [{ code: "guard/too-many-cancels", cancels: 1, limit: 0, limitFrom: "settings" }] },
    ),
  );
  expect(shown).toMatchInlineSnapshot(`
    "### Plan: 1 to create, 1 to replace, 1 to cancel

    Apply will send 4 requests.
    Times are in Europe/Paris.

    > [!WARNING]
    > **Apply will refuse this plan.**
    > - guard/too-many-cancels: 1 post would be cancelled, but safety.max&#95;cancels allows 0.
    >
    > Did a filter or a deletion remove rows by mistake? Restore them. If you want to cancel these posts, run plancast apply --allow-cancels 1, or review a saved plan: plancast plan --out FILE, then plancast apply --plan FILE.

    **Mon 1 March 2027**

    | | Time | Platforms | Post | Row |
    | --- | --- | --- | --- | --- |
    | create | 09:00 | linkedin, twitter | Launch &#124; day ⏎ #<!-- -->1 @&#8203;you | launch<br><code>calendars/march.csv:4</code> |

    **Tue 2 March 2027**

    | | Time | Platforms | Post | Row |
    | --- | --- | --- | --- | --- |
    | replace | 09:00 | linkedin, twitter | Open until <del>four</del><ins>five</ins><br>platforms: linkedin → linkedin, twitter | <code>calendars/march.csv:4</code> |
    | **cancel** | 10:00 |  | Its row is gone, or is now a draft or skipped. | old<br><code>calendars/march.csv</code> |
    "
  `);
});

test("a plan without changes is short", () => {
  expect(markdown(plan([], { summary: { ...plan([]).summary, keep: 2 } }))).toBe(
    "### Plan: nothing to do\n\n2 unchanged.\n",
  );
});

test("a long plan is folded", () => {
  expect(markdown(many(30))).not.toContain("<details>");
  const folded = markdown(many(31));
  expect(folded).toContain("<details><summary><b>Mon 1 March 2027</b>: 7 posts</summary>\n\n| |");
  expect(folded.match(/<details>/g)).toHaveLength(5);
  expect(folded.match(/<\/details>/g)).toHaveLength(5);
});

const rows = (text: string): number => text.match(/^\| create/gm)?.length ?? 0;

describe("a limit", () => {
  test.each([1_000, 2_000, 3_500, 10_000])("of %d is kept to, and says how much is left out", (maxLength) => {
    const shown = markdown(many(120), maxLength);
    expect(shown.length).toBeLessThanOrEqual(maxLength);
    expect(shown.length).toBeGreaterThan(maxLength - 400);
    expect(shown).toContain(
      `**${120 - rows(shown)} more posts** did not fit here; \`plancast plan --verbose\` shows all of them.`,
    );
    expect(shown.match(/<details>/g)?.length).toBe(shown.match(/<\/details>/g)?.length);
  });

  test("that is large enough leaves nothing out", () => {
    const shown = markdown(many(120));
    expect(rows(shown)).toBe(120);
    expect(shown).not.toContain("did not fit");
  });

  test("holds the numbers even when there is room for nothing else", () => {
    expect(markdown(weekOfPosts(), 300)).toMatch(
      /^### Plan: 6 to create[\s\S]*\*\*13 more posts\*\* did not fit/,
    );
  });
});

test("an endless text takes one row", () => {
  const text = "word ".repeat(20_000);
  const shown = markdown(
    plan([
      create(post({ content: text })),
      replace(post({ content: `${text}!` }), { content: text.replaceAll("o", "0") }),
    ]),
  );
  expect(shown.length).toBeLessThan(2_000);
  expect(shown).toContain("word …");
});
