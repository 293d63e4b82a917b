/** Texts in calendars and of the service never act as commands in any output. */

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Failure } from "../../src/model/failure.ts";
import type { Change, Outcome, Plan } from "../../src/model/plan.ts";
import { fileLinks } from "../../src/github/pull-request-files.ts";
import { problem } from "../../src/model/problem.ts";
import { applyDocument, applyText } from "../../src/report/outcomes/apply.ts";
import { planDocument } from "../../src/report/plan/plan-json.ts";
import { planMarkdown } from "../../src/report/plan/plan-markdown.ts";
import { cutMarkdown } from "../../src/report/text/markdown.ts";
import { planText } from "../../src/report/plan/plan-text.ts";
import { planView } from "../../src/report/plan/plan-view.ts";
import { problemsMarkdown } from "../../src/report/problems/github.ts";
import { failureText } from "../../src/report/problems/failure-text.ts";
import { problemsText } from "../../src/report/problems/problems-text.ts";
import { printJson } from "../../src/report/text/escape.ts";
import { type Style, createStyle } from "../../src/report/text/style.ts";
import { hostileText } from "./hostile-text.ts";
import { cancel, create, media, plan, post, replace } from "./sample-plan.ts";

const texts = fc.record({
  key: hostileText,
  file: hostileText,
  content: hostileText,
  old: hostileText,
  reason: hostileText,
  platform: hostileText,
  message: hostileText,
  timezone: fc.oneof(fc.constant("Europe/Paris"), hostileText),
});
type Texts = typeof texts extends fc.Arbitrary<infer T> ? T : never;

/** The facts about a job that links need. */
const JOB = {
  serverUrl: "https://github.example",
  repository: "acme/social",
  sha: "0123456789abcdef",
  pullRequest: undefined,
};

const styles = fc
  .record({ color: fc.boolean(), unicode: fc.boolean(), width: fc.constantFrom(40, 60, 80, 120) })
  .map(createStyle);

function hostilePlan({ key, file, content, old, platform }: Texts): Plan {
  const desired = post({
    key,
    source: { file, line: 2 },
    content,
    platforms: [platform],
    campaign: old,
    media: [media(file, 5), { kind: "id", id: old }],
  });
  const changes: Change[] = [
    create(desired),
    replace(desired, { id: old, content: old, platforms: [old], mediaIds: [old], scheduledAt: old }),
    replace(desired, { id: old, content: `${content} ${old}` }),
    cancel(key, "2027-03-01T08:00:00Z", { content: old, platforms: [platform] }, file),
    { action: "adopt", key, desired, remote: { id: old } },
  ];
  return plan(changes, {
    guards: [{ code: "guard/no-rows", cancels: 1 }],
    pending: [{ action: "pending", key, desired, file, dueAt: desired.scheduledAt, until: old }],
    kept: [{ action: "keep", key, desired, remote: { id: old } }],
  });
}

function expectHarmless(output: string, { color }: Style): void {
  // oxlint-disable-next-line no-control-regex -- our own colours, and nothing else with an escape character
  const bare = color ? output.replace(/\u001B\[(?:1|2|9|22|29|31|32|33|35|36|39)m/g, "") : output;
  expect(bare.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\u200B\uFEFF]/u);
  expect(bare).not.toMatch(/^\s*::/m);
  expect(output).not.toMatch(/##(\[|vso\[)/);
  expect(output.endsWith("\n")).toBe(true);
}

describe("a terminal or a CI log executes no text of", () => {
  test("a plan", () => {
    fc.assert(
      fc.property(texts, styles, fc.boolean(), (given, style, verbose) => {
        const view = planView(hostilePlan(given), {
          timezone: given.timezone,
          kept: verbose,
          reads: 0,
          expectedMs: 0,
        });
        expectHarmless(planText(view, style, { verbose }), style);
        expectHarmless(planText(view, style, { verbose: false, maxChanges: 1 }), style);
      }),
    );
  });

  test("an apply", () => {
    fc.assert(
      fc.property(texts, styles, fc.boolean(), (given, style, verbose) => {
        const { changes } = hostilePlan(given);
        const outcomes = changes.flatMap(({ key, action }): Outcome[] => [
          { key, action, status: "done", postId: given.old },
          {
            key,
            action,
            status: "failed",
            code: given.reason,
            reason: { kind: "message", message: given.message },
          },
          { key: given.old, action, status: "unknown", reason: { kind: "message", message: given.message } },
          { key, action, status: "not_started" },
        ]);
        const result = { outcomes, uploaded: 1, missing: 0, requests: 1, waitedMs: 0, interrupted: true };
        const options = { changes, timezone: given.timezone, settleMs: 1000, verbose, interrupted: true };
        expectHarmless(applyText(applyDocument(result), style, options), style);
        expect(JSON.parse(printJson(applyDocument(result)))).toEqual(applyDocument(result));
      }),
    );
  });

  test("problems and failures", () => {
    const columns = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(texts, styles, columns, ({ file, message, content, reason }, style, column) => {
        const found = problem("row/type", message, { file, line: 3, column, length: 4 });
        expectHarmless(
          problemsText([found], () => content, style),
          style,
        );
        const failure = new Failure("disk/not-writable", message, reason, { cause: new Error(content) });
        expectHarmless(failureText(failure, style, { verbose: true }), style);
        expectHarmless(failureText(new Error(content), style, { verbose: true }), style);
      }),
    );
  });
});

test("JSON parses back to the same text, and is safe in a terminal too", () => {
  fc.assert(
    fc.property(texts, (given) => {
      const found = problem("row/type", given.message, { file: given.file });
      const document = planDocument(hostilePlan(given), [found], { verbose: true });
      const json = printJson(document);
      expect(JSON.parse(json)).toEqual(document);
      expectHarmless(json, createStyle({ color: false, width: 80, unicode: true }));
    }),
  );
});

test("text from calendars creates no markup, link, mention or reference in Markdown", () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 500, max: 20_000 }), fc.boolean(), (given, maxLength, hasLinks) => {
      const view = planView(hostilePlan(given), {
        timezone: given.timezone,
        kept: false,
        reads: 0,
        expectedMs: 0,
      });
      const links = hasLinks ? fileLinks(JOB, "", new Set([given.file])) : undefined;
      const markdown = cutMarkdown(planMarkdown(view, { links }), maxLength, "the rest is there");
      const rest = markdown
        .replace("> [!WARNING]", "")
        .replace(
          /\]\(https:\/\/github\.example\/acme\/social\/blob\/[0-9a-f]+\/[\w\-.%/]+(?:#L\d+)?\)/g,
          "\u{e000}",
        )
        .replace(/\[(?=[^[\u{e000}]*\u{e000})/gu, "\u{1}")
        .replace(
          /<img height="64" alt="[\p{L}\p{N}. -]*" src="https:\/\/github\.example\/acme\/social\/raw\/[\w\-.%/]+">/gu,
          "\u{1}",
        )
        .replace(/<\/?(?:details(?: open)?|summary|b|small|del|br|wbr)>|<!-- -->|&nbsp;/g, "\u{1}")
        .replaceAll("**", "")
        .replaceAll(/`plancast [\w -]+`/g, "")
        .replace(/^>(?: |$)/gm, "")
        .replace(/@&#8203;/g, "")
        .replace(/&#\d+;/g, "");
      expect(rest).not.toMatch(/[<>`&@[\]\\_~]|#\d|:\/\/|www\./);
      for (const table of markdown.match(/^\|.*(?:\n\|.*)*/gm) ?? []) {
        const columns = table.startsWith("| Month ") ? 2 : 3;
        for (const row of table.split("\n")) expect(row.match(/\|/g)).toHaveLength(columns + 1);
      }
    }),
  );
});

test("text in a problem creates no markup, link, mention or reference in Markdown", () => {
  fc.assert(
    fc.property(texts, ({ file, message }) => {
      const at = { file, line: 3, column: 2, cell: `${message}!B3` };
      const found = [problem("row/type", message, { file, line: 3 }), problem("row/id", message, at)];
      const markdown = problemsMarkdown(found, { links: fileLinks(JOB, "", new Set()) });
      const rest = markdown
        .replace(/\]\(https:\/\/github\.example\/[\w\-.%/]+(?:#L\d+)?\)/g, "\u{e000}")
        .replace(/\[(?=[^[\u{e000}]*\u{e000})/gu, "\u{1}")
        .replace(/<\/?(?:small|wbr)>|<!-- -->/g, "\u{1}")
        .replaceAll("**", "")
        .replace(/@&#8203;/g, "")
        .replace(/&#\d+;/g, "");
      expect(rest).not.toMatch(/[<>`&@[\]\\_~|]|#\d|:\/\/|www\./);
    }),
  );
});
