/**
 * The workflows of a new project, around the GitHub Action; docs/run/ci.md lists its inputs. GitHub's expressions
 * (`${{ … }}`) are only in settings, never inside a script, where a name that somebody chose could become a command.
 */

import { pinningNote } from "./action-reference.ts";
import { DEFAULT_KEY_VARIABLE, readSecret } from "../../problems/connection-texts.ts";

/** Facts for every workflow. */
interface Target {
  /** What the jobs use, for example `owner/plancast@v1.2.3`. */
  readonly action: string;
  /** The branch of the published calendars, from `publishedBranch`. */
  readonly branch: string;
  /** Whether a calendar has rows that repeat, so that an apply each day is needed. */
  readonly repeats: boolean;
}

/** Facts for a workflow of one project. */
export interface WorkflowOptions extends Target {
  /** The project's folder, relative to the root of the repository, with `/`; blank if it is the root. */
  readonly folder: string;
}

/** Facts for the workflow of all projects in a repository. */
export interface ProjectsWorkflow extends Target {
  /** The input `projects`, from `projectPatterns`. */
  readonly patterns: readonly string[];
  /** The variables with the keys of the projects, each once. */
  readonly variables: readonly string[];
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

/** Names that mean the same in YAML, in an expression and in a pattern. */
const PLAIN_FOLDER = /^[\p{L}\p{N}_][\p{L}\p{N}_. -]*(?:\/[\p{L}\p{N}_][\p{L}\p{N}_. -]*)*$/u;

/** Patterns for the input `projects`, such as `clients/*`. @param folders of all projects; blank for the root */
export function projectPatterns(folders: readonly string[]): readonly string[] {
  const patterns = folders.map((folder) => {
    if (folder === "") return ".";
    if (!PLAIN_FOLDER.test(folder)) return "**";
    return folder.includes("/") ? folder.replace(/(?<![^/])[^/]+$/, "*") : folder;
  });
  return [...new Set(patterns)].sort();
}

/** The environment of the step: the key of each project, and where the keys may go. */
function projectsInputs({ patterns, variables }: ProjectsWorkflow, command: StepCommand): string {
  return `          projects: |
${patterns.map((pattern) => `            ${pattern}\n`).join("")}        env:
${variables.map((variable) => `          ${keyLine(variable, command)}\n`).join("")}          # Which key may go to which address, such as https://api.example.com=ACME_KEY, separated by commas.
          PLANCAST_TRUSTED_ORIGINS: \${{ vars.PLANCAST_TRUSTED_ORIGINS }}
`;
}

type StepCommand = "plan" | "apply" | "hold" | "fetch";

/** A line that passes a key on. An action cannot read secrets, so the workflow names each. */
export function keyLine(variable: string, command: StepCommand): string {
  return `${variable}: ${keyExpression(variable, command)}`;
}

/** For plan, a key that can only read is enough. */
function keyExpression(variable: string, command: StepCommand): string {
  const name = `secrets.${variable}`;
  return command !== "plan" ? `\${{ ${name} }}` : `\${{ secrets.${readSecret(variable)} || ${name} }}`;
}

/** The inputs and the environment of a step. */
function stepInputs(options: WorkflowOptions | ProjectsWorkflow, command: StepCommand): string {
  const own = OWN_INPUTS[command];
  if ("patterns" in options) return own + projectsInputs(options, command);
  return `          base-url: \${{ vars.PLANCAST_BASE_URL }}
          api-key: ${keyExpression(DEFAULT_KEY_VARIABLE, command)}
${own}${folderInputs(options.folder)}`;
}

/** The inputs that only one command has. */
const OWN_INPUTS: Readonly<Record<StepCommand, string>> = {
  plan: "",
  apply: "          plan: ${{ inputs.plan }}\n",
  fetch: `          # To merge harmless edits without a person: docs/run/sheets.md says when.
          auto-merge: "false"
          # To write the status and the link of each post into the sheet. The account must be an editor of it.
          sheet-results: "false"
`,
  hold: `          hold: \${{ inputs.hold }}
          reason: \${{ inputs.reason }}
          until: \${{ inputs.until }}
`,
};

function planJob(options: WorkflowOptions | ProjectsWorkflow): string {
  const isSeveral = "patterns" in options;
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
      group: ${isSeveral ? "plancast" : groupOf(options.folder)}-plan-\${{ github.ref }}
      cancel-in-progress: true
    steps:
      - uses: ${CHECKOUT}
        with:
          persist-credentials: false
          # Also the two commits below the trial merge, to see what the pull request changes.
          fetch-depth: 2

      # A pull request from a fork gets no secrets. plancast checks it now, and plans it after the merge.
      - uses: ${options.action}
        with:
          command: plan
${stepInputs(options, "plan")}`;
}

/** Only for several projects: one project works without any set-up of environments. */
const ENVIRONMENT = `    # The keys that can write are secrets of this environment. Let only this branch deploy to it.
    environment: publish
`;

function applyJob(options: WorkflowOptions | ProjectsWorkflow): string {
  const { action, branch } = options;
  const isSeveral = "patterns" in options;
  return `  apply:
    # Somebody can start a run by hand on any branch, but only this one is published.
    if: github.event_name != 'pull_request' && github.ref == 'refs/heads/${branch}'
    runs-on: ubuntu-latest
    timeout-minutes: 60
${isSeveral ? ENVIRONMENT : ""}    permissions:
      # To commit the lockfile.
      contents: write
      # To find the reviewed plan.
      actions: read
      pull-requests: read
    # One run at a time. If several are waiting, the newest does the work of all. Only a hold stops a run, in good order.
    concurrency:
      group: ${isSeveral ? "plancast" : groupOf(options.folder)}-apply
      cancel-in-progress: \${{ inputs.hold != '' }}
    steps:
      # The newest commit of the branch, not the pushed one, because another apply may have pushed a newer
      # lockfile.
      - uses: ${CHECKOUT}
        with:
          ref: \${{ github.ref_name }}

      # Applies only plans of merged pull requests. If a run is refused, its summary shows the plan and its hash.
      # To apply exactly this plan, choose "Run workflow" and enter the hash.
      - uses: ${action}
        if: \${{ !inputs.hold }}
        with:
          command: apply
${stepInputs(options, "apply")}
      # To stop posts at once, choose "Run workflow" and fill in hold and reason.
      - uses: ${action}
        if: \${{ inputs.hold }}
        with:
          command: hold
${stepInputs(options, "hold")}`;
}

/** A trigger, or how to add it. Not at the full hour, when GitHub has the most to do. */
function dailyApply(isOn: boolean): string {
  const sign = isOn ? "" : "# ";
  return `  # For rows that repeat: a daily apply schedules the next posts.${isOn ? "" : " Remove the # to turn it on."}
  ${sign}schedule:
  ${sign}  - cron: "23 4 * * *"
`;
}

/** @returns a GitHub workflow: the plan on pull requests, apply on the published branch */
export function workflowTemplate(options: WorkflowOptions | ProjectsWorkflow): string {
  return `# Shows the plan of each pull request, and applies it after the merge.
${pinningNote(options.action)}name: plancast

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
      hold:
        description: 'Stop posts at once: all, or conditions such as ${"patterns" in options ? "project=clients/acme; " : ""}campaign=spring'
        type: string
        default: ""
      reason:
        description: Why you stop them
        type: string
        default: ""
      until:
        description: Until when, such as 2036-03-01 18:00. Blank for until somebody releases the hold
        type: string
        default: ""
${dailyApply(options.repeats)}
# No permissions by default. Each job sets its own.
permissions: {}

jobs:
${planJob(options)}
${applyJob(options)}`;
}

/** @returns a GitHub workflow that fetches sheets, and opens a pull request with what people edited */
export function fetchWorkflow(options: Omit<WorkflowOptions, "repeats">): string {
  const { action, branch, folder } = options;
  return `# Fetches the sheets of plancast.yaml. If somebody edited one, it opens a pull request with the plan.
#
# On GitHub, allow this first: Settings, Actions, General, "Allow GitHub Actions to create and approve pull requests".
${pinningNote(action)}name: plancast-fetch

on:
  schedule:
    # Every half hour, but not at the full hour, when GitHub has the most to do.
    - cron: "11,41 * * * *"
  # "Run workflow", or a menu in the sheet.
  workflow_dispatch:

# No permissions by default.
permissions: {}

jobs:
  fetch:
    if: github.ref == 'refs/heads/${branch}'
    runs-on: ubuntu-latest
    timeout-minutes: 20
    permissions:
      # To push the branch with the copies, and a hold for rows that somebody stopped.
      contents: write
      pull-requests: write
      # Only for auto-merge: to start the workflow that applies.
      actions: write
    # One run at a time, never stopped halfway. Two at once would also be safe.
    concurrency:
      group: ${groupOf(folder)}-fetch
      cancel-in-progress: false
    steps:
      - uses: ${CHECKOUT}
        with:
          ref: \${{ github.ref_name }}
          # To see what people changed in the pull request.
          fetch-depth: 0

      - uses: ${action}
        with:
          command: fetch
${stepInputs({ ...options, repeats: false }, "fetch")}        env:
          # The whole JSON file of a service account that can read the sheets. A sheet that is shared by link needs none.
          GOOGLE_SERVICE_ACCOUNT_JSON: \${{ secrets.GOOGLE_SERVICE_ACCOUNT_JSON }}
`;
}

/**
 * @returns a GitHub workflow that publishes what is due. It asks for ten minutes, and GitHub's cron promises nothing:
 * docs/run/publish-from-a-repository.md says what plancast makes of that
 */
export function publishWorkflow({ action, branch, folder }: Omit<WorkflowOptions, "repeats">): string {
  return `# Publishes what is due in plancast.schedule.json, about every ten minutes.
#
# GitHub may start a run late, or not at all. plancast publishes a post up to two hours after its time.
${pinningNote(action)}name: plancast-publish

on:
  schedule:
    # Not at the full hour, when GitHub has the most to do.
    - cron: "3-59/10 * * * *"
  workflow_dispatch:

# No permissions by default.
permissions: {}

jobs:
  publish:
    if: github.ref == 'refs/heads/${branch}'
    runs-on: ubuntu-latest
    timeout-minutes: 20
    permissions:
      # To push claims and results.
      contents: write
    # One run at a time, never stopped halfway. Two at once would also be safe.
    concurrency:
      group: ${groupOf(folder)}-publish
      cancel-in-progress: false
    steps:
      # If your pictures are in Git LFS, add \`lfs: true\`.
      - uses: ${CHECKOUT}
        with:
          ref: \${{ github.ref_name }}

      - uses: ${action}
        with:
          command: publish
${folderInputs(folder)}        env:
          # The secret of each account in plancast.yaml, under the name of its variable.
          BLUESKY_APP_PASSWORD: \${{ secrets.BLUESKY_APP_PASSWORD }}
          MASTODON_TOKEN: \${{ secrets.MASTODON_TOKEN }}
          # The servers that may get them, such as https://bsky.social=BLUESKY_APP_PASSWORD. Otherwise, anybody who
          # can change plancast.yaml could have a password sent elsewhere.
          PLANCAST_TRUSTED_ORIGINS: \${{ vars.PLANCAST_TRUSTED_ORIGINS }}
`;
}
