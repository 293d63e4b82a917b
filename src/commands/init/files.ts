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
  const move = `GitHub runs workflows only from the root of the repository, so move ${WORKFLOW} to .github/workflows there. It already names the folder ${folder}.`;
  return [
    "Next: plancast plan",
    ...(folder === "" ? [] : [move]),
    `The workflow applies each merge into ${publishedBranch(branch)}. On GitHub, it needs the variable PLANCAST_BASE_URL and the secret PLANCAST_API_KEY: see calendars/README.md.`,
  ];
}

/**
 * @param timezone an IANA name, which needs no quotes in YAML
 * @returns `plancast.yaml` of a new project
 */
function projectTemplate(timezone: string): string {
  return `# The settings of this plancast project. Paths are relative to this folder.

service:
  # Use the embedded service to try plancast. It needs no account and no key, keeps its posts on this machine,
  # and publishes nothing.
  url: embedded
  #
  # To publish for real:
  # 1. Remove the sample rows from calendars/. If you have run apply, run \`plancast lockfile forget\`, because the
  #    lockfile belongs to the embedded service.
  # 2. Replace \`embedded\` with the address of your service, for example
  #      url: https://api.example.com/v1
  # 3. Put its key into the environment variable PLANCAST_API_KEY, or into a file outside of git that you name
  #    with --api-key-file. Never put it here, because everybody who can read the repository could read it.
  #    If each project has its own key, name its variable with \`key_env: ACME_KEY\`.
  # 4. Run \`plancast plan\` and read the plan. Then run \`plancast apply\`. plancast asks once before it sends the
  #    key to this address. In CI it never asks, so set PLANCAST_BASE_URL to the address there.

calendars: ["${CALENDAR_GLOB}"]

# The time zone of all times without another zone.
timezone: ${timezone}

# Your names for platforms, each with the service's name.
platforms:
  x: twitter

# Values for cells that a row leaves blank.
defaults:
  platforms: [linkedin]
  time: "10:00"
`;
}

/** How a calendar is saved so that it can be read. */
const SAVING: Readonly<Record<Template, string>> = {
  csv: "in a spreadsheet program or a text editor, and save it. You can also use Excel workbooks (.xlsx): plancast reads them directly.",
  xlsx: "in a spreadsheet program. Save it as an Excel workbook (.xlsx).",
};

/**
 * @param calendar path of the sample calendar
 * @returns a page for people who write the calendars
 */
function teamReadme(calendar: string, template: Template): string {
  return `# Our content calendar

Each row of a file in this folder is one post. \`${calendar}\` contains samples: change or delete them.

| column | what you write |
| --- | --- |
| \`id\` | a short name, or blank; with it, the row stays the same post when you change its text or time |
| \`date\`, \`time\` | \`2027-03-01\` and \`09:30\`, in our time zone |
| \`timezone\` | another time zone, if you need one: \`America/New_York\` |
| \`platforms\` | one or more, separated by commas: \`linkedin, x\` |
| \`content\` | the text of the post |
| \`media\` | pictures or a video, as paths from this folder: \`media/welcome.png\` |
| \`prompt\`, \`tone\`, \`image_prompt\`, \`size\` | instructions for \`npx plancast draft\`, which fills in a text or a picture |
| \`status\` | blank when the post is ready, \`draft\` or \`skip\` when it is not |

## From a row to a post
1. Change the calendar ${SAVING[template]}
2. Run \`npx plancast validate\`. It finds mistakes, and names the row of each.
3. Run \`npx plancast plan\`. It shows what would change, and changes nothing.
4. Run \`npx plancast apply\`. It asks, then makes exactly these changes.

To move a post, change its time. To cancel it before it is due, delete its row. Then plan and apply.
When you use a real service, commit \`plancast.lock.json\` with the calendars. It records which posts are ours.

## On GitHub
The workflow in \`.github/workflows/plancast.yml\` shows the plan on each pull request. When you merge the pull request, it
applies exactly the reviewed plan. Remove the samples before you turn it on. Then add two settings on GitHub, under
Settings, Secrets and variables, Actions:
- the variable \`PLANCAST_BASE_URL\`: the address of the service. It is needed even if plancast.yaml names the address,
  because a pull request could change that file to get the key.
- the secret \`PLANCAST_API_KEY\`: a key of the service with permission to read and write.

Without these settings, the workflow fails. So nobody can think that it published something.
`;
}

/** What not to commit, and why. */
const IGNORED = [
  {
    path: ".plancast/",
    why: "Working files of plancast. Commit its lockfile, plancast.lock.json.",
  },
  { path: "preview.html", why: "The page that plancast preview writes." },
  { path: "node_modules/", why: "Packages that npm installs." },
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
      # To show the plan in a comment.
      pull-requests: write
    # A newer commit replaces the older plan.
    concurrency:
      group: ${groupOf(folder)}-plan-\${{ github.ref }}
      cancel-in-progress: true
    steps:
      - uses: ${CHECKOUT}
        with:
          persist-credentials: false

      # A pull request from a fork gets no secrets. plancast checks it now, and plans it after the merge.
      - uses: ${action}
        with:
          command: plan
          base-url: \${{ vars.PLANCAST_BASE_URL }}
          api-key: \${{ secrets.PLANCAST_API_KEY }}
${folderInputs(folder)}`;
}

function applyJob({ action, branch, folder }: WorkflowOptions): string {
  return `  apply:
    # Somebody can start a run by hand on any branch, but only this one is published.
    if: github.event_name != 'pull_request' && github.ref == 'refs/heads/${branch}'
    runs-on: ubuntu-latest
    timeout-minutes: 60
    permissions:
      # To commit the lockfile.
      contents: write
      # To find the reviewed plan.
      actions: read
      pull-requests: read
    # One run at a time, never stopped halfway. If several are waiting, the newest does the work of all.
    concurrency:
      group: ${groupOf(folder)}-apply
      cancel-in-progress: false
    steps:
      # The newest commit of the branch, not the pushed one, because another apply may have pushed a newer
      # lockfile.
      - uses: ${CHECKOUT}
        with:
          ref: \${{ github.ref_name }}

      # Applies only plans of merged pull requests. If a run is refused, its summary shows the plan and its hash.
      # To apply exactly this plan, choose "Run workflow" and enter the hash.
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
  return `# Shows the plan of each pull request, and applies it after the merge.
#
# The Action ${options.action} exists after the first release of plancast. Until then, push a clone of plancast to
# a repository of your own, and write \`uses: your-name/plancast@COMMIT\` in both jobs.
name: plancast

on:
  pull_request:
  push:
    # The branch whose calendars are published.
    branches: ["${options.branch}"]
  workflow_dispatch:
    inputs:
      plan:
        description: Hash of the plan to apply, from the summary of the refused run
        type: string
        default: ""

# No permissions by default. Each job sets its own.
permissions: {}

jobs:
${planJob(options)}
${applyJob(options)}`;
}
