/** What a merge changes besides its plan. */
import { expect, test } from "vitest";
import {
  approvalNotices,
  canRunPlancast,
  settingNotices,
  workflowNotices,
} from "../../../src/commands/ci/merge-notices.ts";

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
    "an automation",
    "",
    "automations: { after_apply: { id: aut_1, input: https://evil.example } }\n",
    [
      'A merge changes the setting automations from nothing to {"after_apply":{"id":"aut_1","input":"https://evil.example"}}',
    ],
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
  [
    "a sheet at another address, and a new one",
    "calendars: [a.csv, { file: b.xlsx, from: https://a.example/b, sheet: One }]\n",
    "calendars: [{ file: b.xlsx, from: https://b.example/b, sheet: Two }, { file: c.csv, from: https://c.example/ }]\n",
    [
      'A merge changes the setting calendars.b.xlsx from "https://a.example/b" to "https://b.example/b"',
      'A merge changes the setting calendars.c.csv from nothing to "https://c.example/"',
    ],
  ],
  [
    "another receiver of alerts",
    "notify: { email: { smtp_env: SMTP, to: team@acme.example } }\n",
    "notify: { email: { smtp_env: SMTP, to: team@evil.example } }\n",
    ['A merge changes the setting notify.email.to from "team@acme.example" to "team@evil.example"'],
  ],
  ["another name", "name: a\n", "name: b\n", []],
  ["broken settings", "name: a\n", "service: [\n", []],
])("settings: %s", (_what, before, after, expected) => {
  expect(noticed(before, after)).toEqual(expected);
});

test("settings in UTF-16 cannot be compared, and the message says so", () => {
  const utf16 = Buffer.from("safety: { max_cancels: 999 }\n", "utf16le").toString("utf8");
  expect(noticed("name: a\n", utf16)).toEqual([
    expect.stringContaining("A merge changes plancast.yaml, and it is not UTF-8"),
  ]);
  expect(noticed(utf16, utf16)).toEqual([]);
});

const PACKAGES = (hash: string, other: string): string =>
  JSON.stringify(
    {
      packages: {
        "node_modules/other": { version: other },
        "node_modules/plancast": { version: "0.1.0", resolved: "https://r.example/a.tgz", integrity: hash },
      },
    },
    null,
    2,
  );

test.each([
  ["a workflow that runs plancast", ".github/workflows/a.yml", "", "run: npx plancast apply", true],
  ["a workflow that ran plancast", ".github/workflows/b.yml", "uses: acme/plancast@v1", "", true],
  ["a workflow without secrets", ".github/workflows/c.yml", "run: make", "run: make all", false],
  ["a workflow that reads secrets", ".github/workflows/d.yml", "", "KEY: ${{ secrets.K }}", true],
  [
    "a workflow that runs an action of the checkout",
    ".github/workflows/e.yml",
    "",
    "uses: ./tools/act",
    true,
  ],
  ["a workflow that others call", ".github/workflows/f.yml", "", "on: workflow_call\nrun: make", true],
  ["an unchanged workflow", ".github/workflows/g.yml", "plancast", "plancast", false],
  ["an action in any folder", "tools/act/action.yml", "", "runs: { using: composite }", true],
  ["a file of another CI system", ".gitlab/ci/posts.yml", "", "script: make", true],
  ["a part of GitLab's jobs", "ci/posts.gitlab-ci.yml", "", "script: make", true],
  ["Forgejo's workflows", ".forgejo/workflows/p.yml", "", "run: make", true],
  ["a pipeline in a folder", "ci/Jenkinsfile.posts", "a", "b", true],
  ["a registry", "social/.npmrc", "", "registry=https://evil.example", true],
  ["the package itself", "plancast-0.1.0.tgz", "a", "b", true],
  [
    "a script that runs plancast",
    "package.json",
    '{"scripts":{}}',
    '{"scripts":{"a":"plancast apply"}}',
    true,
  ],
  ["another script", "package.json", '{"scripts":{}}', '{"scripts":{"a":"make"}}', false],
  [
    "another hash of plancast",
    "package-lock.json",
    PACKAGES("sha512-a", "1"),
    PACKAGES("sha512-b", "1"),
    true,
  ],
  [
    "another hash of others",
    "package-lock.json",
    PACKAGES("sha512-a", "1"),
    PACKAGES("sha512-a", "2"),
    false,
  ],
  ["a calendar", "calendars/plancast.yml", "", "plancast", false],
])("%s", (_what, file, before, after, isShown) => {
  const notices = canRunPlancast(file) ? workflowNotices([{ file, before, after }]) : [];
  expect(notices.map(({ message }) => message.split(",")[0])).toEqual(
    isShown ? [`A merge changes ${file}`] : [],
  );
});

const ANSWER = { answer: "changes", saved: "2036-01-01T00:00:00Z", seal: { text: "a" } };
const APPROVED = { ...ANSWER, answer: "approved" };

function recordText(answers: object | undefined): string {
  return answers === undefined ? "" : JSON.stringify({ version: 1, answers });
}

test.each([
  ["nothing", { a: ANSWER }, { a: ANSWER }, []],
  ["new answers, which only withhold", {}, { a: ANSWER, b: APPROVED }, []],
  ["an approval that becomes a rejection", { a: APPROVED }, { a: ANSWER }, []],
  ["a rejection that becomes an approval", { a: ANSWER }, { a: APPROVED }, ["a (approved)"]],
  [
    "an approval of another text",
    { a: APPROVED },
    { a: { ...APPROVED, seal: { text: "b" } } },
    ["a (approved)"],
  ],
  ["an answer that is gone", { a: ANSWER, b: APPROVED }, { b: APPROVED }, ["a (no answer any more)"]],
  ["no file any more", { a: ANSWER }, undefined, ["a (no answer any more)"]],
])("answers of clients: %s", (_what, before, after, expected) => {
  const found = approvalNotices({
    file: "plancast.approvals.json",
    before: recordText(before),
    after: recordText(after),
  });
  expect(found.map(({ message }) => /answered: (.*)\. Posts/.exec(message)?.[1])).toEqual(
    expected.length === 0 ? [] : [expected.join(", ")],
  );
});
