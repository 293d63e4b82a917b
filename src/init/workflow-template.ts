/**
 * The workflow of a new project: two jobs around the GitHub Action, whose inputs docs/ci.md lists. Expressions of GitHub
 * (`${{ … }}`) stand in settings only, never within a script, where a name that somebody chose could become a command.
 */

/** What a workflow is about. */
export interface WorkflowOptions {
  /** What the jobs use, for example `owner/plancast@v1.2.3`. */
  readonly action: string;
  /** The branch whose calendars are published, as `publishedBranch` gives it. */
  readonly branch: string;
  /** The project's folder, seen from the root of the repository, with `/`; blank where it is the root. */
  readonly folder: string;
}

/** A name that means the same in YAML, in a pattern for branches and in an expression. */
const PLAIN_BRANCH = /^\w[\w./-]{0,199}$/;

/** @returns the branch, or `main` where there is none or its name would have to be escaped */
export function publishedBranch(branch: string | undefined): string {
  return branch !== undefined && PLAIN_BRANCH.test(branch) ? branch : "main";
}

/** Further inputs of a project that is not at the root of its repository. */
function folderInputs(folder: string): string {
  if (folder === "") return "";
  // JSON's strings are YAML's too. What looks like an expression in a folder's name is none.
  const quoted = JSON.stringify(folder).replaceAll("${{", "${{ '${{' }}");
  return `          working-directory: ${quoted}\n          name: ${projectName(folder)}\n`;
}

/** What tells the project from others in the repository. */
function projectName(folder: string): string {
  return `plancast-${folder.replaceAll(/[^\w.-]+/g, "-").slice(-50)}`;
}

function groupOf(folder: string): string {
  return folder === "" ? "plancast" : projectName(folder);
}

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
      - uses: actions/checkout@v4
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
      - uses: actions/checkout@v4
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

/** @returns a GitHub workflow: the plan on pull requests, apply on the branch that is published */
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
