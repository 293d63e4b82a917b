/**
 * The workflow of a new project: two jobs around the GitHub Action, whose inputs docs/ci.md lists. Expressions of GitHub
 * (`${{ … }}`) stand in settings only, never within a script, where a name that somebody chose could become a command.
 */

function planJob(action: string): string {
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
      group: plancast-plan-\${{ github.ref }}
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
`;
}

function applyJob(action: string): string {
  return `  apply:
    # A run by hand may name any branch; only this one is published.
    if: github.event_name != 'pull_request' && github.ref == 'refs/heads/main'
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
      group: plancast-apply
      cancel-in-progress: false
    steps:
      # The tip of the branch, not the commit that was pushed: an apply that ran meanwhile has put a newer
      # lockfile there.
      - uses: actions/checkout@v4
        with:
          ref: \${{ github.ref_name }}

      # What was in the plan of a merged pull request is applied. Who runs this by hand, with "Run workflow", has
      # read the plan in the summary of the run that was refused.
      - uses: ${action}
        with:
          command: apply
          base-url: \${{ vars.PLANCAST_BASE_URL }}
          api-key: \${{ secrets.PLANCAST_API_KEY }}
          reviewed-plan: \${{ github.event_name == 'workflow_dispatch' && 'off' || 'changes' }}
`;
}

/**
 * @param action what the jobs use, for example `owner/plancast@v1.2.3`
 * @returns a GitHub workflow: the plan on pull requests, apply on the main branch
 */
export function workflowTemplate(action: string): string {
  return `# A pull request shows what it would change on the publishing service. Merging it makes it so.
name: plancast

on:
  pull_request:
  push:
    # The branch whose calendars are published.
    branches: [main]
  workflow_dispatch:

# Nothing here may do anything, except where a job says so.
permissions: {}

jobs:
${planJob(action)}
${applyJob(action)}`;
}
