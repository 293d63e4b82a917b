import {
  type Template,
  SAMPLE_PICTURE,
  sampleCalendar,
  sampleCalendarPath,
  samplePicture,
} from "./sample-calendar.ts";
import { projectTemplate, publishedBranch, teamReadme, withIgnored, workflowTemplate } from "./templates.ts";

/** What a new project is made from. */
export interface InitOptions {
  /** The day on which the project is made, where its people are: `YYYY-MM-DD`. */
  readonly today: string;
  /** Their zone, an IANA name. */
  readonly timezone: string;
  /** What the workflow uses, with an exact version: `owner/plancast@v1.2.3`. */
  readonly action: string;
  /** The branch of its repository, if it has one. */
  readonly branch: string | undefined;
  /** Its folder, seen from the root of the repository, with `/`; blank where it is the root. */
  readonly folder: string;
  /** The kind of the sample calendar. */
  readonly template: Template;
  /** What .gitignore holds already; blank where there is none. */
  readonly gitignore: string;
}

/** Where GitHub looks for it, in the root of a repository. */
const WORKFLOW = ".github/workflows/plancast.yml";

export interface FileToWrite {
  /** Relative to the project root, with `/`. */
  readonly path: string;
  readonly contents: string | Uint8Array;
  /** The contents carry on what the file held before; any other file must not be there yet. */
  readonly extendsExisting: boolean;
}

/**
 * The files of a new project, in the order in which a person would read them. The project works at once, on the
 * embedded service. A .gitignore that needs no change is not among them.
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

/** @returns what a person does after the files are written, one step an item */
export function nextSteps({ branch, folder }: Pick<InitOptions, "branch" | "folder">): string[] {
  const move = `${WORKFLOW} does not run from here: GitHub looks for workflows at the root of the repository only. Move it to .github/workflows there, under a name that is free; it names the folder ${folder} already.`;
  return [
    "Next: plancast plan",
    ...(folder === "" ? [] : [move]),
    `The workflow applies what is merged into ${publishedBranch(branch)}. On GitHub it needs the variable PLANCAST_BASE_URL and the secret PLANCAST_API_KEY; calendars/README.md says where.`,
  ];
}
