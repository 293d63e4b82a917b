import type { ProblemEntry } from "../code-entry.ts";

export const CI_CODES = {
  "ci/job": {
    severity: "error",
    rule: "`plancast ci` runs in a job of GitHub Actions, or of a runner like it.",
    cause: "It was started by hand, or the runner does not set what GitHub's does.",
    fix: "Use `plancast plan` and `plancast apply`; `plancast ci` is for the GitHub Action alone.",
  },
  "ci/input": {
    severity: "error",
    rule: "The inputs of the GitHub Action are as action.yml says.",
    cause: "An input under `with:` in the workflow has another value than those that are known.",
    fix: "Write one of the values that the message names.",
  },
  "ci/embedded": {
    severity: "error",
    rule: "A CI job plans and applies on a service that outlives it.",
    cause: "`service.url` in the project file is `embedded`, whose posts would be gone with the job.",
    fix: "Name the address of the real service under `service.url`.",
  },
  "ci/not-reviewed": {
    severity: "error",
    rule: "What the GitHub Action applies was in the plan of a merged pull request, or is the one plan whose hash a person named.",
    cause:
      "The calendar or the service has changed since the plan was reviewed, or the change came without a pull request.",
    fix: "Read the plan that the job shows; then run the workflow by hand with its hash, or open a pull request.",
  },
  "ci/github": {
    severity: "error",
    rule: "GitHub's API does what the GitHub Action asks of it.",
    cause: "The workflow's `permissions:` lack one, or GitHub is in trouble.",
    fix: "Add the permission that the message names, or run the job again.",
  },
  "ci/comment": {
    severity: "warning",
    rule: "The plan can be shown in a comment on its pull request.",
    cause: "The workflow's `permissions:` lack `pull-requests: write`.",
    fix: "Add it; the plan is in the job's summary in any case.",
  },
  "ci/lockfile": {
    severity: "error",
    rule: "The lockfile that an apply changed gets into the repository.",
    cause: "The branch is protected, or the workflow's `permissions:` lack `contents: write`.",
    fix: "Choose `lockfile: pull-request`, or let the workflow push. Until it is there, the next run finds posts by what they say; the old post of a row that is edited or deleted meanwhile stays.",
  },
} as const satisfies Record<string, ProblemEntry>;
