/** What `plancast init` says about the one workflow of a repository with several projects. */

/** What `init` did with the workflow of all projects. Paths start at the repository. */
export type SharedWorkflow =
  | { readonly kind: "written" | "replaced" | "extended" | "unchanged"; readonly path: string }
  /** It has to be edited by hand. `lines` show how. */
  | { readonly kind: "by-hand"; readonly path: string; readonly lines: readonly string[] };

/** Sentences for people, and the line before the lines to copy, if there are some. */
export function sharedWorkflowText(
  { kind, path }: SharedWorkflow,
  { variable, secret }: { readonly variable: string; readonly secret: string },
): { readonly notes: readonly string[]; readonly before: string } {
  const secrets = `On GitHub, add the secret ${variable} to the environment publish, and a key that can only read as the secret ${secret}. Add the address and ${variable} to the variable PLANCAST_TRUSTED_ORIGINS: see docs/run/several-projects.md.`;
  switch (kind) {
    case "written":
      return { notes: [`${path} plans and applies all projects. ${secrets}`], before: "" };
    case "replaced":
      return { notes: [`${path} was for one project, and is now for all. ${secrets}`], before: "" };
    case "extended":
      return { notes: [`${path} now passes on the key in ${variable}. ${secrets}`], before: "" };
    case "unchanged":
      return { notes: [secrets], before: "" };
    case "by-hand":
      return { notes: [secrets], before: `Add these lines to ${path}:` };
    default:
      return kind satisfies never;
  }
}
