/**
 * The workflow of a new project, in three parts. Expressions of GitHub (`${{ … }}`) stand in settings only, never
 * within a script, where a name that somebody chose could become a command.
 */

function setup(packageSpec: string): string {
  return `
      - uses: actions/setup-node@v4
        with:
          node-version: 20

      # One exact version, so that what this does changes only when somebody changes it here.
      - run: npm install --global ${packageSpec}
`;
}

/** The start of a script: a run without the settings must not look like one that did its work. */
const NEEDS_SETTINGS = `run: |
          if [ -z "$PLANCAST_BASE_URL" ] || [ -z "$PLANCAST_API_KEY" ]; then
            echo "::error::Set the variable PLANCAST_BASE_URL and the secret PLANCAST_API_KEY of this repository."
            exit 1
          fi`;

function planJob(packageSpec: string): string {
  return `  plan:
    if: github.event_name == 'pull_request'
    runs-on: ubuntu-latest
    # A newer commit makes the older plan pointless.
    concurrency:
      group: plancast-plan-\${{ github.ref }}
      cancel-in-progress: true
    steps:
      - uses: actions/checkout@v4
        with:
          persist-credentials: false
${setup(packageSpec)}
      # Needs no service and no key, so it also works for pull requests from forks.
      - run: plancast validate

      # GitHub gives no secrets to a fork's pull request: what it would change shows once it is merged.
      - name: Show the plan
        if: github.event.pull_request.head.repo.full_name == github.repository
        env:
          PLANCAST_API_KEY: \${{ secrets.PLANCAST_API_KEY }}
        ${NEEDS_SETTINGS}
          plancast plan --format markdown >> "$GITHUB_STEP_SUMMARY"
`;
}

function applyJob(packageSpec: string): string {
  return `  apply:
    if: github.event_name == 'push'
    runs-on: ubuntu-latest
    # To commit the lockfile.
    permissions:
      contents: write
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
${setup(packageSpec)}
      - name: Apply
        env:
          PLANCAST_API_KEY: \${{ secrets.PLANCAST_API_KEY }}
        ${NEEDS_SETTINGS}
          # With exec, so that plancast itself hears when the run is cancelled, and ends in good order.
          exec plancast apply --yes

      # Also after a failure: some posts may have been scheduled before it. A protected branch refuses this push;
      # then let a deploy key or an app that may push do the checkout. A lockfile that is lost costs no post: the
      # next run finds them again by what they say.
      - name: Commit the lockfile
        if: always()
        run: |
          [ -f plancast.lock.json ] || exit 0
          git add plancast.lock.json
          if git diff --cached --quiet; then exit 0; fi
          git config user.name "github-actions[bot]"
          git config user.email "41898282+github-actions[bot]@users.noreply.github.com"
          git commit --message "Update plancast.lock.json"
          git pull --rebase
          git push
`;
}

/**
 * @param packageSpec what npm installs, for example `plancast@1.2.3`
 * @returns a GitHub workflow: the plan on pull requests, apply on the main branch
 */
export function workflowTemplate(packageSpec: string): string {
  return `# A pull request shows what it would change on the publishing service. Merging it makes it so.
name: plancast

on:
  pull_request:
  push:
    # The branch whose calendars are published.
    branches: [main]

# Nothing here may write to the repository, except where a job says so.
permissions:
  contents: read

env:
  PLANCAST_BASE_URL: \${{ vars.PLANCAST_BASE_URL }}

jobs:
${planJob(packageSpec)}
${applyJob(packageSpec)}`;
}
