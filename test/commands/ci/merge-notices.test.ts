/** What a merge changes besides its plan. */
import { expect, test } from "vitest";
import { isWorkflow, settingNotices, workflowNotices } from "../../../src/commands/ci/merge-notices.ts";

function noticed(before: string, after: string): readonly string[] {
  return settingNotices({ file: "plancast.yaml", before, after }).map(({ message }) =>
    message.replace(/\. It can.*$/, ""),
  );
}

test.each([
  ["nothing", "service: { url: https://a.example }\n", "# words\nservice: { url: https://a.example }\n", []],
  [
    "another address",
    "service: { url: https://a.example }\n",
    "service: { url: https://b.example }\n",
    ['A merge changes the setting service.url from "https://a.example" to "https://b.example"'],
  ],
  [
    "a guard",
    "",
    "safety: { max_cancels: 1000 }\n",
    ['A merge changes the setting safety from nothing to {"max_cancels":1000}'],
  ],
  [
    "an account and quiet hours",
    "accounts: { a: { network: bluesky, handle: a.example } }\nquiet_hours: { from: '20:00' }\n",
    "accounts: { a: { network: bluesky, handle: b.example } }\n",
    [
      'A merge changes the setting accounts.a.handle from "a.example" to "b.example"',
      'A merge changes the setting quiet_hours from {"from":"20:00"} to nothing',
    ],
  ],
  ["another name", "name: a\n", "name: b\n", []],
  ["broken settings", "name: a\n", "service: [\n", []],
])("settings: %s", (_what, before, after, expected) => {
  expect(noticed(before, after)).toEqual(expected);
});

test("workflows that run plancast are shown, before or after the merge", () => {
  const files = [
    { file: "a.yml", before: "", after: "run: npx plancast apply" },
    { file: "b.yml", before: "uses: acme/plancast@v1", after: "" },
    { file: "c.yml", before: "run: make", after: "run: make all" },
    { file: "d.yml", before: "plancast", after: "plancast" },
  ];
  expect(workflowNotices(files).map(({ message }) => message.split(",")[0])).toEqual([
    "A merge changes a.yml",
    "A merge changes b.yml",
  ]);
  expect([".github/workflows/a.yml", ".gitlab-ci.yml", "docs/a.yml"].map(isWorkflow)).toEqual([
    true,
    true,
    false,
  ]);
});
