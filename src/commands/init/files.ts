/** The files of a new project and their content. */

import { CALENDAR_GLOB } from "../../calendars/read-calendar.ts";
import {
  type Template,
  SAMPLE_PICTURE,
  sampleCalendar,
  sampleCalendarPath,
  samplePicture,
} from "./sample-calendar.ts";

/** Facts for a new project. */
export interface InitOptions {
  /** The current day in the team's time zone: `YYYY-MM-DD`. */
  readonly today: string;
  /** The time zone, an IANA name. */
  readonly timezone: string;
  /** What the workflow uses, with an exact version: `owner/plancast@v1.2.3`. */
  readonly action: string;
  /** The branch of its repository, if it has one. */
  readonly branch: string | undefined;
  /** The project's folder, relative to the root of the repository, with `/`; blank if it is the root. */
  readonly folder: string;
  /** The kind of the sample calendar. */
  readonly template: Template;
  /** The current content of .gitignore; blank if there is none. */
  readonly gitignore: string;
}

/** The folder that GitHub reads, in the root of a repository. */
const WORKFLOW = ".github/workflows/plancast.yml";

export interface FileToWrite {
  /** Relative to the project root, with `/`. */
  readonly path: string;
  readonly contents: string | Uint8Array;
  /** The content starts with that of an existing file. All other files must be new. */
  readonly extendsExisting: boolean;
}

/**
 * The files of a new project, in a good order for reading. The project works immediately, with the embedded service. A
 * .gitignore that needs no change is left out.
 */
export function filesToWrite(options: InitOptions): FileToWrite[] {
  const { today, timezone, action, gitignore, template, folder } = options;
  const workflow = workflowTemplate({ action, branch: publishedBranch(options.branch), folder });
  const calendar = sampleCalendarPath(today, template);
  const files = [
    { path: "plancast.yaml", contents: projectTemplate(timezone) },
    { path: calendar, contents: sampleCalendar(today, template) },
    { path: `calendars/${SAMPLE_PICTURE}`, contents: samplePicture() },
    { path: "calendars/README.md", contents: teamReadme(calendar, template) },
    { path: WORKFLOW, contents: workflow },
  ].map((file) => ({ ...file, extendsExisting: false }));
  const ignored = withIgnored(gitignore);
  if (ignored === gitignore) return files;
  return [...files, { path: ".gitignore", contents: ignored, extendsExisting: true }];
}

/** @returns the next steps for people, one per item */
export function nextSteps({ branch, folder }: Pick<InitOptions, "branch" | "folder">): string[] {
  const move = `${WORKFLOW} does not run from here: GitHub looks for workflows at the root of the repository only. Move it to .github/workflows there, under a name that is free; it names the folder ${folder} already.`;
  return [
    "Next: plancast plan",
    ...(folder === "" ? [] : [move]),
    `The workflow applies what is merged into ${publishedBranch(branch)}. On GitHub it needs the variable PLANCAST_BASE_URL and the secret PLANCAST_API_KEY; calendars/README.md says where.`,
  ];
}

/**
 * @param timezone an IANA name, which needs no quotes in YAML
 * @returns `plancast.yaml` of a new project
 */
function projectTemplate(timezone: string): string {
  return `# The project file of plancast. Its folder is the project, and paths are relative to it.

service:
  # The embedded service is for trying things out: it needs no account and no key, keeps its posts on this
  # machine, and publishes nothing.
  url: embedded
  #
  # To publish for real:
  # 1. Take the sample rows out of calendars/. If you have run apply, run \`plancast lockfile forget\`: the
  #    lockfile is about the embedded service.
  # 2. Put the address of your service above, for example
  #      url: https://api.example.com/v1
  # 3. Put its key into the environment variable PLANCAST_API_KEY, or into a file outside of git that you name
  #    with --api-key-file. Never put it here: whoever reads the repository would have it.
  #    Several projects with keys of their own: name the variable with \`key_env: ACME_KEY\`.
  # 4. Run \`plancast plan\`, read it, and then \`plancast apply\`. plancast asks once whether the key may go to
  #    this address. In CI it never asks: there, PLANCAST_BASE_URL must name the address as well.

calendars: ["${CALENDAR_GLOB}"]

# The zone of every time that says no other.
timezone: ${timezone}

# What people type, and what the service calls it.
platforms:
  x: twitter

# What a row means that leaves these cells blank.
defaults:
  platforms: [linkedin]
  time: "10:00"
`;
}

/** How a calendar is saved so that it can be read. */
const SAVING: Readonly<Record<Template, string>> = {
  csv: "in a spreadsheet program or a text editor. Save it as CSV in UTF-8.",
  xlsx: "in a spreadsheet program. Save it as it is, as an Excel workbook (.xlsx).",
};

/**
 * @param calendar path of the sample calendar
 * @returns a page for people who write the calendars
 */
function teamReadme(calendar: string, template: Template): string {
  return `# Our content calendar

Each row in a file in this folder is one post. \`${calendar}\` has samples; change them, or throw them out.

| column | what it holds |
| --- | --- |
| \`id\` | a short name, so that a row whose text or time changes stays the same post; may be blank |
| \`date\`, \`time\` | \`2027-03-01\` and \`09:30\`, where we are |
| \`timezone\` | where else, if the time is not ours: \`America/New_York\` |
| \`platforms\` | one or more, with commas: \`linkedin, x\` |
| \`content\` | the text, as it is to be read |
| \`media\` | pictures or a video, as paths from this folder: \`media/welcome.png\` |
| \`prompt\`, \`tone\`, \`image_prompt\`, \`size\` | instead of a text or a picture: what it is to be, for \`npx plancast draft\` to make |
| \`status\` | blank when it is ready; \`draft\` or \`skip\` when it is not to go out |

## From a row to a post
1. Change the calendar, ${SAVING[template]}
2. \`npx plancast validate\` finds mistakes, and names the row of each.
3. \`npx plancast plan\` shows what would change. It changes nothing.
4. \`npx plancast apply\` does it, after it has asked.

To move a post, change its time. To take it back before it is due, delete its row. Then plan and apply.
Once the project names a real service, commit \`plancast.lock.json\` along with the calendars: it says which posts
are ours.

## On GitHub
The workflow in \`.github/workflows/plancast.yml\` shows the plan on each pull request and applies it when the pull
request is merged: what was in the reviewed plan, and nothing else. Take the samples out before you switch it on. It
needs two settings, under Settings, Secrets and variables, Actions:
- the variable \`PLANCAST_BASE_URL\`: the address of the service, also if plancast.yaml names it (a pull request could
  change it there, and would get the key);
- the secret \`PLANCAST_API_KEY\`: a key for it that may read and write.

Until both are there it fails and says so, so that nobody takes a run that published nothing for one that did.
`;
}

/** What not to commit, and why. */
const IGNORED = [
  {
    path: ".plancast/",
    why: "Working files of plancast. Its lockfile, plancast.lock.json, is to be committed.",
  },
  { path: "preview.html", why: "The page that plancast preview writes." },
  { path: "node_modules/", why: "What npm installs." },
] as const;

/**
 * @param existing current content of .gitignore; blank if there is none
 * @returns the same with what not to commit; unchanged if everything is already ignored
 */
function withIgnored(existing: string): string {
  const known = new Set(existing.split(/\r?\n/).map(bare));
  const missing = IGNORED.filter(({ path }) => !known.has(bare(path)));
  const before = existing === "" || existing.endsWith("\n") ? existing : `${existing}\n`;
  return missing.length === 0
    ? existing
    : before + missing.map(({ path, why }) => `# ${why}\n${path}\n`).join("");
}

/** A line of .gitignore without the slashes for a folder, or for the root. */
function bare(line: string): string {
  return line.trim().replace(/^\//, "").replace(/\/$/, "");
}

// The workflow of a new project: two jobs around the GitHub Action; docs/run/ci.md lists its inputs. GitHub's
// expressions (`${{ … }}`) are only in settings, never inside a script, where a name that somebody chose could become a
// command.

/** Facts for a workflow. */
export interface WorkflowOptions {
  /** What the jobs use, for example `owner/plancast@v1.2.3`. */
  readonly action: string;
  /** The branch of the published calendars, from `publishedBranch`. */
  readonly branch: string;
  /** The project's folder, relative to the root of the repository, with `/`; blank if it is the root. */
  readonly folder: string;
}

/** A name with the same meaning in YAML, in a branch pattern and in an expression. */
const PLAIN_BRANCH = /^\w[\w./-]{0,199}$/;

/** @returns the branch, or `main` if there is none or its name needs escaping */
export function publishedBranch(branch: string | undefined): string {
  return branch !== undefined && PLAIN_BRANCH.test(branch) ? branch : "main";
}

/** Additional inputs for a project that is not at the root of its repository. */
function folderInputs(folder: string): string {
  if (folder === "") return "";
  // JSON strings are valid YAML. An expression in a folder's name is escaped.
  const quoted = JSON.stringify(folder).replaceAll("${{", "${{ '${{' }}");
  return `          working-directory: ${quoted}\n          name: ${projectName(folder)}\n`;
}

/** Distinguishes the project from others in the repository. */
function projectName(folder: string): string {
  return `plancast-${folder.replaceAll(/[^\w.-]+/g, "-").slice(-50)}`;
}

function groupOf(folder: string): string {
  return folder === "" ? "plancast" : projectName(folder);
}

/** By its hash, because a tag can be moved. A test compares it with plancast's own workflows. */
const CHECKOUT = "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1";

function planJob({ action, folder }: WorkflowOptions): string {
  return `  plan:
    if: github.event_name == 'pull_request'
    runs-on: ubuntu-latest
    timeout-minutes: 15
    permissions:
      contents: read
      # For the comment that shows the plan.
      pull-requests: write
    # A newer commit makes the older plan pointless.
    concurrency:
      group: ${groupOf(folder)}-plan-\${{ github.ref }}
      cancel-in-progress: true
    steps:
      - uses: ${CHECKOUT}
        with:
          persist-credentials: false

      # A pull request from a fork gets no secrets: it is checked, and planned when it is merged.
      - uses: ${action}
        with:
          command: plan
          base-url: \${{ vars.PLANCAST_BASE_URL }}
          api-key: \${{ secrets.PLANCAST_API_KEY }}
${folderInputs(folder)}`;
}

function applyJob({ action, branch, folder }: WorkflowOptions): string {
  return `  apply:
    # A run by hand may name any branch; only this one is published.
    if: github.event_name != 'pull_request' && github.ref == 'refs/heads/${branch}'
    runs-on: ubuntu-latest
    timeout-minutes: 60
    permissions:
      # To commit the lockfile.
      contents: write
      # To find the plan that was reviewed.
      actions: read
      pull-requests: read
    # One at a time, and never stopped halfway. If more are waiting, the newest has the work of all.
    concurrency:
      group: ${groupOf(folder)}-apply
      cancel-in-progress: false
    steps:
      # The tip of the branch, not the commit that was pushed: an apply that ran meanwhile has put a newer
      # lockfile there.
      - uses: ${CHECKOUT}
        with:
          ref: \${{ github.ref_name }}

      # What was in the plan of a merged pull request is applied. Where a run was refused, its summary shows the plan
      # and names its hash: "Run workflow" with that applies this very plan.
      - uses: ${action}
        with:
          command: apply
          base-url: \${{ vars.PLANCAST_BASE_URL }}
          api-key: \${{ secrets.PLANCAST_API_KEY }}
          plan: \${{ inputs.plan }}
${folderInputs(folder)}`;
}

/** @returns a GitHub workflow: the plan on pull requests, apply on the published branch */
export function workflowTemplate(options: WorkflowOptions): string {
  return `# A pull request shows what it would change on the publishing service. Merging it makes it so.
name: plancast

on:
  pull_request:
  push:
    # The branch whose calendars are published.
    branches: ["${options.branch}"]
  workflow_dispatch:
    inputs:
      plan:
        description: Hash of the plan to apply, from the summary of the run that was refused
        type: string
        default: ""

# Nothing here may do anything, except where a job says so.
permissions: {}

jobs:
${planJob(options)}
${applyJob(options)}`;
}
