/** The files of a new project and their content. */

import { stringify } from "yaml";
import { CALENDAR_GLOB } from "../../calendars/all-formats.ts";
import { HOLDS_FILE } from "../../model/holds.ts";
import { SCHEDULE_FILE, SCHEDULE_FILES } from "../../repository/schedule.ts";
import { patternsOf } from "../../settings/calendar-settings.ts";
import type { Config, ProjectSettings } from "../../settings/config.ts";
import {
  type Template,
  SAMPLE_PICTURE,
  sampleCalendar,
  sampleCalendarPath,
  samplePicture,
} from "./sample-calendar.ts";
import { fetchWorkflow, publishWorkflow, publishedBranch, workflowTemplate } from "./workflows.ts";

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
  /** Whether it publishes on accounts of its own, from a schedule in the repository. */
  readonly publishes: boolean;
  /** The kind of the sample calendar. */
  readonly template: Template;
  /** What the project starts with: the sample, nothing, or a calendar that the team already has. */
  readonly calendar: "sample" | "none" | OwnCalendar;
  /** The current content of .gitignore and of .gitattributes; blank if there is none. */
  readonly gitignore: string;
  readonly gitattributes: string;
  /** What it takes from other projects of the repository; undefined if it is the first. */
  readonly further: FurtherProject | undefined;
}

/** Calendars that the team already has. */
interface OwnCalendar {
  /** Their entries, relative to the project root. */
  readonly calendars: NonNullable<ProjectSettings["calendars"]>;
  /** The settings for reading them, besides the time zone. */
  readonly settings: Omit<ProjectSettings, "calendars" | "timezone">;
  /** Whether it has rows that repeat. */
  readonly repeats: boolean;
}

/** A project beside others in one repository: it has a key of its own, and shares their settings. */
export interface FurtherProject {
  /** The file that all of them extend, relative to the project's folder, with `/`; undefined if there is none. */
  readonly extends: string | undefined;
  /** The settings in that file, with defaults. */
  readonly shared: Pick<Config, "service" | "timezone" | "platforms" | "defaults"> | undefined;
  /** Whether the project needs no time zone of its own. */
  readonly sharesTimezone: boolean;
  /** The environment variable for its key. */
  readonly keyVariable: string;
  /** Absolute path of the repository. */
  readonly repository: string;
  /** The folders of the others, from the repository, and the variables with their keys. */
  readonly others: readonly { readonly folder: string; readonly variable: string }[];
  /** The .gitignore and the .gitattributes in the root of the repository, which also apply here; blank if there is none. */
  readonly rootGitignore: string;
  readonly rootGitattributes: string;
}

/** The folder that GitHub reads, in the root of a repository. */
const WORKFLOW = ".github/workflows/plancast.yml";
const PUBLISH_WORKFLOW = ".github/workflows/plancast-publish.yml";
const FETCH_WORKFLOW = ".github/workflows/plancast-fetch.yml";

export interface FileToWrite {
  /** Relative to the project root, with `/`. */
  readonly path: string;
  readonly contents: string | Uint8Array;
  /** The content starts with that of an existing file. All other files must be new. */
  readonly extendsExisting: boolean;
}

/**
 * The files of a new project, in a good order for reading. The project works immediately, with the embedded service.
 * Files for git that need no change are left out.
 */
export function filesToWrite(options: InitOptions): FileToWrite[] {
  const { gitignore, gitattributes, action, folder, calendar, further, publishes } = options;
  const repeats = typeof calendar !== "string" && calendar.repeats;
  const workflow = { action, branch: publishedBranch(options.branch), folder, repeats };
  const files = [
    { path: "plancast.yaml", contents: projectTemplate(options) },
    ...(calendar === "sample" ? sampleFiles(options) : []),
    ...(typeof calendar === "string" ? [{ path: "calendars/README.md", contents: teamReadme(options) }] : []),
    // One workflow plans and applies all projects.
    ...(further === undefined ? [{ path: WORKFLOW, contents: workflowTemplate(workflow) }] : []),
    ...(publishes ? [{ path: PUBLISH_WORKFLOW, contents: publishWorkflow(workflow) }] : []),
    ...(hasSheets(calendar) && further === undefined
      ? [{ path: FETCH_WORKFLOW, contents: fetchWorkflow(workflow) }]
      : []),
  ].map((file) => ({ ...file, extendsExisting: false }));
  const forGit = [
    {
      path: ".gitignore",
      before: gitignore,
      contents: withLines(gitignore, IGNORED, further?.rootGitignore),
    },
    {
      path: ".gitattributes",
      before: gitattributes,
      contents: withLines(
        gitattributes,
        publishes ? [...ATTRIBUTES, ...SCHEDULE_ATTRIBUTES] : ATTRIBUTES,
        further?.rootGitattributes,
      ),
    },
  ].filter(({ before, contents }) => contents !== before);
  return [...files, ...forGit.map(({ path, contents }) => ({ path, contents, extendsExisting: true }))];
}

/** Whether a calendar is the copy of a sheet that people keep elsewhere. */
export function hasSheets(calendar: InitOptions["calendar"]): boolean {
  return (
    typeof calendar !== "string" &&
    calendar.calendars.some((each) => typeof each !== "string" && each.from !== undefined)
  );
}

function sampleFiles({ today, template }: InitOptions): Omit<FileToWrite, "extendsExisting">[] {
  return [
    { path: sampleCalendarPath(today, template), contents: sampleCalendar(today, template) },
    { path: `calendars/${SAMPLE_PICTURE}`, contents: samplePicture() },
  ];
}

/** What the next steps depend on. */
interface StartedProject extends Pick<InitOptions, "branch" | "folder" | "further" | "publishes"> {
  /** Whether its repository is on GitHub. */
  readonly isOnGithub: boolean;
  /** Whether calendars/README.md was written, which explains the set-up of GitHub. */
  readonly hasTeamPage: boolean;
  /** Whether a workflow fetches its sheets. */
  readonly fetches: boolean;
}

/** @returns the next steps for people, one per item */
export function nextSteps({
  branch,
  folder,
  further,
  publishes,
  isOnGithub,
  hasTeamPage,
  fetches,
}: StartedProject): string[] {
  if (further !== undefined)
    return [
      "Next: plancast validate",
      `The project uses the key in ${further.keyVariable}. plancast plan --all, in the root of the repository, plans all projects.`,
    ];
  const first = publishes ? "Next: plancast accounts add" : "Next: plancast validate";
  if (!publishes && !isOnGithub) return [first];
  const workflows = [
    WORKFLOW,
    ...(publishes ? [PUBLISH_WORKFLOW] : []),
    ...(fetches ? [FETCH_WORKFLOW] : []),
  ];
  const move = `GitHub runs workflows only from the root of the repository, so move ${workflows.join(" and ")} to .github/workflows there. ${workflows.length > 1 ? "They already name" : "It already names"} the folder ${folder}.`;
  return [
    first,
    ...(folder === "" ? [] : [move]),
    publishes ? publishStep(branch) : applyStep(branch, hasTeamPage),
    ...(fetches ? [FETCH_STEP] : []),
  ];
}

const FETCH_STEP = `Every half hour, ${FETCH_WORKFLOW} brings edits of the sheet into a pull request. On GitHub, first allow that: Settings, Actions, General, "Allow GitHub Actions to create and approve pull requests".`;

function publishStep(branch: string | undefined): string {
  return `The workflows apply each merge into ${publishedBranch(branch)}, and publish what is due. On GitHub, they need the secret of each account, and the variable PLANCAST_TRUSTED_ORIGINS: see ${PUBLISH_WORKFLOW}.`;
}

function applyStep(branch: string | undefined, hasTeamPage: boolean): string {
  return `The workflow applies each merge into ${publishedBranch(branch)}. On GitHub, it needs the variable PLANCAST_BASE_URL and the secret PLANCAST_API_KEY${hasTeamPage ? ": see calendars/README.md" : ""}.`;
}

/** `plancast.yaml` of a new project. The time zone is an IANA name, which needs no quotes in YAML. */
function projectTemplate(options: InitOptions): string {
  const { timezone, calendar, further } = options;
  const zone = `# The time zone of times that do not name another one.\ntimezone: ${timezone}\n`;
  return [
    "# The settings of this plancast project. Paths are relative to this folder.\n",
    ...(further?.extends === undefined
      ? []
      : [
          `# Settings that several projects share. This file has priority.\n${stringify({ extends: further.extends })}`,
        ]),
    serviceText(options),
    calendarsText(calendar) + (further?.sharesTimezone === true ? "" : `\n${zone}`),
    ...(typeof calendar === "string" ? usualSettings(options) : ownSettings(calendar)),
  ].join("\n");
}

const REPOSITORY_SERVICE = `service:
  # No service: \`plancast apply\` writes the schedule into ${SCHEDULE_FILE}, and \`plancast publish\` publishes what is
  # due. Add an account with \`plancast accounts add\`.
  url: repository
`;

function serviceText({ calendar, further, publishes }: InitOptions): string {
  if (publishes) return REPOSITORY_SERVICE;
  const ownKey =
    further === undefined
      ? ""
      : `  # The environment variable with the key of this project, so that no other project uses it.
  key_env: ${further.keyVariable}
`;
  if (further?.shared?.service.url !== undefined) return `service:\n${ownKey}`;
  return `service:
${ownKey}  # Use the embedded service to try plancast. It needs no account and no key, keeps its posts on this machine,
  # and publishes nothing.
  url: embedded
  #
  # To publish on your own accounts on Bluesky or Mastodon, or through a webhook, run \`plancast accounts add\`.
  #
  # To publish through a service:
  # 1. ${calendar === "sample" ? "Remove the sample rows from calendars/. If" : "If"} you have run apply, run \`plancast lockfile forget\`, because the
  #    lockfile belongs to the embedded service.
  # 2. Replace \`embedded\` with the address of your service, for example
  #      url: https://api.example.com/v1
  #    For Postiz or Zernio, also set \`type: postiz\` or \`type: zernio\`. Buffer needs only \`type: buffer\`.
${further === undefined ? USUAL_KEY : ownKeySteps(further.keyVariable)}`;
}

const USUAL_KEY = `  # 3. Put its key into the environment variable PLANCAST_API_KEY, or into a file outside of git that you name
  #    with --api-key-file. Never put it here, because everybody who can read the repository could read it.
  #    If each project has its own key, name its variable with \`key_env: ACME_KEY\`.
  # 4. Run \`plancast plan\` and read the plan. Then run \`plancast apply\`. plancast asks once before it sends the
  #    key to this address. In CI it never asks, so set PLANCAST_BASE_URL to the address there.
`;

function ownKeySteps(variable: string): string {
  return `  # 3. Put its key into the environment variable ${variable}. Never put it here, because everybody who can read
  #    the repository could read it.
  # 4. Run \`plancast plan\` and read the plan. Then run \`plancast apply\`. plancast asks once before it sends the
  #    key to this address. In CI it never asks, so set PLANCAST_TRUSTED_ORIGINS there, to pairs such as
  #    https://api.example.com=${variable}.
`;
}

function calendarsText(calendar: InitOptions["calendar"]): string {
  if (typeof calendar === "string") return `calendars: ["${CALENDAR_GLOB}"]\n`;
  const { calendars } = calendar;
  // A pattern also includes later calendars in the project.
  const own = calendars.filter((entry) => typeof entry !== "string" || !isInCalendars(entry));
  const all = calendars.some(isInCalendars) ? [CALENDAR_GLOB, ...own] : own;
  return stringify({ calendars: all }, { lineWidth: 0 });
}

function isInCalendars(entry: Parameters<typeof patternsOf>[0]): boolean {
  return patternsOf(entry).every((each) => each.startsWith("calendars/"));
}

function ownSettings({ settings }: OwnCalendar): string[] {
  if (Object.keys(settings).length === 0) return [];
  return [`# How the calendars are read.\n${stringify(settings, { lineWidth: 0 })}`];
}

function usualSettings({ calendar, further, publishes }: InitOptions): string[] {
  const { platforms = {}, defaults = {} } = further?.shared ?? {};
  const names = `# Your names for platforms, each with the service's name.
platforms:
  x: twitter
`;
  const values = `# Values for cells that a row leaves blank. For files that name no platform, add for example: platforms: [linkedin]
defaults:
  time: "10:00"
`;
  return [
    // Without a service, plancast cannot publish on X.
    ...(publishes || Object.keys(platforms).length > 0 ? [] : [names]),
    ...(calendar === "sample" && Object.keys(defaults).length === 0 ? [values] : []),
  ];
}

/** How people save a calendar of each kind, for the page for the team. */
const SAVING: Readonly<Record<Template, string>> = {
  csv: "in a spreadsheet program or a text editor, and save it. You can also use Excel workbooks (.xlsx): plancast reads them directly.",
  xlsx: "in a spreadsheet program. Save it as an Excel workbook (.xlsx).",
};

/** A page for people who write the calendars. */
function teamReadme({ today, template, calendar, further, publishes }: InitOptions): string {
  const samples =
    calendar === "sample"
      ? ` \`${sampleCalendarPath(today, template)}\` contains samples: change or delete them.`
      : "";
  return `# Our content calendar

Each row of a file in this folder is one post.${samples}

| column | what you write |
| --- | --- |
| \`id\` | a short name, or blank; with it, plancast recognises the post after you change its text or time |
| \`date\`, \`time\` | \`2027-03-01\` and \`09:30\`, in our time zone |
| \`timezone\` | another time zone, if you need one: \`America/New_York\` |
| \`repeat\` | \`weekly\`, \`monthly on 1st monday\` or another rule, perhaps with \`until 2027-06-30\`; the row then needs an id |
| \`except\` | days of the series that get no post, or whose post moves: \`2027-12-24\`, \`2027-12-24 -> 2027-12-27\` |
| \`pool\`, \`spacing\` | texts that the posts of a series take in turn, with lines of \`---\` between them, and the minimum time before a text repeats: \`30d\` |
| \`platforms\` | one or more, separated by commas: \`linkedin, x\` |
| \`content\` | the text of the post |
| \`media\` | pictures or a video, as paths from this folder: \`media/welcome.png\` |
| \`alt\` | what the pictures show, for people who do not see them: one text for each, with \`|\` between them |
| \`thread\` | more texts that follow as replies, with lines of \`---\` between them |
| \`thread_media\`, \`thread_alt\` | pictures of these texts, and what they show, with the same lines of \`---\` |
| \`poll\`, \`poll_length\`, \`poll_multiple\` | the choices of a poll, with \`|\` between them, how long it runs (\`3d\`), and \`yes\` if people may take several |
| \`first_comment\` | a comment by us right after the post |
| \`reply_to\`, \`quote\` | the address of a post that this one answers, or shows |
| \`options\` | other choices of a network, such as who may answer |
| \`expires\` | after this, the post must not be published any more: a date, a date with a time, or \`2h\` |
| \`campaign\` | the campaign that the post belongs to: only for us, it is not published |
| \`type\` | what kind of post it is: \`photo\`, \`reel\`, \`story\`; plancast refuses those that it cannot publish |
| \`prompt\`, \`tone\`, \`image_prompt\`, \`size\` | instructions for \`npx plancast draft\`, which fills in a text or a picture |
| \`result_time\`, \`result_url\`, \`result_error\` | filled in by \`npx plancast status --write\`, if we ask for it |
| \`status\` | blank when the post is ready, \`draft\` or \`skip\` when it is not |

## From a row to a post
1. Change the calendar ${SAVING[template]}
2. Run \`npx plancast validate\`. It finds mistakes, and names the row of each.
3. Run \`npx plancast plan\`. It shows what would change, and changes nothing.
4. Run \`npx plancast apply\`. It asks, then makes exactly these changes.

To move a post, change its time. To cancel it before it is due, delete its row. Then plan and apply.
When you use a real service, commit \`plancast.lock.json\` with the calendars. It records which posts are ours.
${publishes ? PUBLISHING_ON_GITHUB : further === undefined ? SETTING_UP_GITHUB : ""}`;
}

const PUBLISHING_ON_GITHUB = `
## On GitHub
The workflow in \`${WORKFLOW}\` shows the plan on each pull request. When you merge the pull request, it schedules
exactly the reviewed posts in \`${SCHEDULE_FILE}\`. The workflow in \`${PUBLISH_WORKFLOW}\` publishes
what is due, about every ten minutes. Under Settings, Secrets and variables, Actions, add:
- the secret of each account, under the name of its variable in plancast.yaml
- the variable \`PLANCAST_TRUSTED_ORIGINS\`: each server with the name of its secret, such as
  \`https://bsky.social=BLUESKY_APP_PASSWORD\`. Otherwise, a pull request could send a password elsewhere.
`;

const SETTING_UP_GITHUB = `
## On GitHub
The workflow in \`.github/workflows/plancast.yml\` shows the plan on each pull request. When you merge the pull request, it
applies exactly the reviewed plan. Remove the samples before you turn it on. Then add two settings on GitHub, under
Settings, Secrets and variables, Actions:
- the variable \`PLANCAST_BASE_URL\`: the address of the service. It is needed even if plancast.yaml names the address,
  because a pull request could change that file to get the key.
- the secret \`PLANCAST_API_KEY\`: a key of the service with permission to read and write.

Without these settings, the workflow fails. So nobody can think that it published something.
`;

/** A line for one of git's files, and the reason for it. */
interface GitLine {
  readonly line: string;
  readonly why: string;
}

/** What not to commit. */
const IGNORED: readonly GitLine[] = [
  { line: ".plancast/", why: "Working files of plancast. With a real service, commit plancast.lock.json." },
  { line: "preview.html", why: "The page that plancast preview writes." },
  { line: "client.html", why: "The page for a client that plancast preview writes." },
  { line: "node_modules/", why: "Packages that npm installs." },
];

/** Makes git call plancast for the files with `merge=plancast`, in one clone. */
export const MERGE_DRIVER =
  'git config merge.plancast.driver "npx --no-install plancast lockfile merge %O %A %B"';

/** Makes git call plancast to merge lockfiles. It has no effect without MERGE_DRIVER. */
const ATTRIBUTES: readonly GitLine[] = [
  {
    line: "plancast.lock.json merge=plancast",
    why: `Run this once in each clone, so that merges keep the posts of both branches:\n# ${MERGE_DRIVER}`,
  },
  { line: `${HOLDS_FILE} merge=union`, why: "git keeps the holds of both branches." },
];
const SCHEDULE_ATTRIBUTES = SCHEDULE_FILES.map((file): GitLine => ({
  line: `${file} merge=plancast`,
  why: "The same for the schedule.",
}));

/**
 * @param existing current content of the file; blank if there is none
 * @param inherited content of the same file in a folder above, which applies here too
 * @returns the same with the lines that it lacks; unchanged if it has them all
 */
function withLines(existing: string, wanted: readonly GitLine[], inherited = ""): string {
  // A line with a slash at its start applies only to the folder of its file.
  const above = inherited.split(/\r?\n/).filter((line) => !line.startsWith("/"));
  const known = new Set([...existing.split(/\r?\n/), ...above].map(bare));
  const missing = wanted.filter(({ line }) => !known.has(bare(line)));
  const before = existing === "" || existing.endsWith("\n") ? existing : `${existing}\n`;
  return missing.length === 0
    ? existing
    : before + missing.map(({ line, why }) => `# ${why}\n${line}\n`).join("");
}

/** A line of .gitignore without the slashes for a folder, or for the root. */
function bare(line: string): string {
  return line.trim().replace(/^\//, "").replace(/\/$/, "");
}
