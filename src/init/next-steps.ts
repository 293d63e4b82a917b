import { WORKFLOW, type InitOptions } from "./files.ts";
import { publishedBranch } from "./workflow-template.ts";

/** @returns what a person does after the files are written, one step an item */
export function nextSteps({ branch, folder }: Pick<InitOptions, "branch" | "folder">): string[] {
  const move = `${WORKFLOW} does not run from here: GitHub looks for workflows at the root of the repository only. Move it to .github/workflows there, under a name that is free; it names the folder ${folder} already.`;
  return [
    "Next: plancast plan",
    ...(folder === "" ? [] : [move]),
    `The workflow applies what is merged into ${publishedBranch(branch)}. On GitHub it needs the variable PLANCAST_BASE_URL and the secret PLANCAST_API_KEY; calendars/README.md says where.`,
  ];
}
