/** What the environment says about where a command runs. */

export type Env = Readonly<Record<string, string | undefined>>;

/**
 * A variable that a project or a list may name: only capitals. Anything else may be a key in the wrong place, and
 * messages repeat the name.
 */
export const VARIABLE_NAME = /^[A-Z][A-Z0-9_]{0,99}$/;

/**
 * Variables of CI systems that do not set `CI`, or set it only in some versions or on some runners.
 * Sources: each system's list of predefined variables.
 */
const CI_VARIABLES = [
  "CI",
  // Older agents of several systems.
  "CONTINUOUS_INTEGRATION",
  // Azure Pipelines: "Use predefined variables".
  "TF_BUILD",
  // Jenkins: "Using environment variables". JENKINS_URL is set only if the administrator named the address.
  "JENKINS_URL",
  "JENKINS_HOME",
  "HUDSON_URL",
  // Jenkins, TeamCity ("Predefined Build Parameters"), and systems modelled on them.
  "BUILD_NUMBER",
  "TEAMCITY_VERSION",
  // AWS CodeBuild: "Environment variables in build environments".
  "CODEBUILD_BUILD_ID",
  "CODEBUILD_BUILD_ARN",
  // Google Cloud Build: the folder for outputs of build steps.
  "BUILDER_OUTPUT",
  // Bamboo: "Bamboo variables".
  "bamboo_buildKey",
  "bamboo_planKey",
  // GoCD: "Standard GoCD environment variables".
  "GO_PIPELINE_LABEL",
  // Prow: "Job environment variables".
  "PROW_JOB_ID",
  // Also where a job hides CI from what it starts.
  "GITHUB_ACTIONS",
  "GITLAB_CI",
  "BITBUCKET_BUILD_NUMBER",
  "BUILDKITE",
  "CIRCLECI",
  "TRAVIS",
  "APPVEYOR",
  "DRONE",
] as const;

/**
 * Whether the command runs in CI: then nobody can be asked, the checkout may be a stranger's, and a log treats some
 * lines as commands. `CI=false` says that it does not, whatever else is set.
 */
export function isCi(env: Env): boolean {
  return ciVariable(env) !== undefined;
}

/** The variable that shows it, for messages; undefined elsewhere. */
export function ciVariable(env: Env): string | undefined {
  if (/^false$/i.test(env["CI"]?.trim() ?? "")) return undefined;
  return CI_VARIABLES.find((name) => !/^(|false)$/i.test(env[name]?.trim() ?? ""));
}

/** A job of GitHub Actions, also of a workflow that does not use the Action. */
export function isGitHubJob(env: Env): boolean {
  return isCi(env) && (env["GITHUB_ACTIONS"] ?? "").trim() !== "";
}
