import type { Template } from "./sample-calendar.ts";

/**
 * @param timezone an IANA name, which needs no quotes in YAML
 * @returns `plancast.yaml` of a new project
 */
export function projectTemplate(timezone: string): string {
  return `# The project file of plancast. Its folder is the project, and paths are relative to it.

service:
  # The embedded service is for trying things out: it needs no account and no key, keeps its posts on this
  # machine, and publishes nothing.
  url: embedded
  #
  # To publish for real:
  # 1. Take the sample rows out of calendars/, and delete plancast.lock.json if there is one: it is about the
  #    embedded service.
  # 2. Put the address of your service above, for example
  #      url: https://api.example.com/v1
  # 3. Put its key into the environment variable PLANCAST_API_KEY, or into a file outside of git that you name
  #    with --api-key-file. Never put it here: whoever reads the repository would have it.
  # 4. Run \`plancast plan\`, read it, and then \`plancast apply\`.

calendars: ["calendars/**/*.{csv,tsv,yaml,yml,xlsx,ods}"]

# The zone of every time that says no other.
timezone: ${timezone}

# What people type, and what the service calls it.
platforms:
  x: twitter

# What a row means that leaves these cells blank.
defaults:
  platforms: [linkedin]
  time: "10:00"
`;
}

/** How a calendar is saved so that it can be read. */
const SAVING: Readonly<Record<Template, string>> = {
  csv: "in a spreadsheet program or a text editor. Save it as CSV in UTF-8.",
  xlsx: "in a spreadsheet program. Save it as it is, as an Excel workbook (.xlsx).",
};

/**
 * @param calendar path of the sample calendar
 * @returns a page for the people who write the calendars
 */
export function teamReadme(calendar: string, template: Template): string {
  return `# Our content calendar

Each row in a file in this folder is one post. \`${calendar}\` has samples; change them, or throw them out.

| column | what it holds |
| --- | --- |
| \`id\` | a short name, so that a row whose text or time changes stays the same post; may be blank |
| \`date\`, \`time\` | \`2027-03-01\` and \`09:30\`, where we are |
| \`timezone\` | where else, if the time is not ours: \`America/New_York\` |
| \`platforms\` | one or more, with commas: \`linkedin, x\` |
| \`content\` | the text, as it is to be read |
| \`media\` | pictures or a video, as paths from this folder: \`media/welcome.png\` |
| \`prompt\`, \`tone\`, \`image_prompt\`, \`size\` | instead of a text or a picture: what it is to be, for \`npx plancast draft\` to make |
| \`status\` | blank when it is ready; \`draft\` or \`skip\` when it is not to go out |

## From a row to a post
1. Change the calendar, ${SAVING[template]}
2. \`npx plancast validate\` finds mistakes, and names the row of each.
3. \`npx plancast plan\` shows what would change. It changes nothing.
4. \`npx plancast apply\` does it, after it has asked.

To move a post, change its time. To take it back before it is due, delete its row. Then plan and apply.
Once the project names a real service, commit \`plancast.lock.json\` along with the calendars: it says which posts
are ours.

## On GitHub
The workflow in \`.github/workflows/plancast.yml\` shows the plan on each pull request and applies it when the pull
request is merged: what was in the reviewed plan, and nothing else. Take the samples out before you switch it on. It
needs two settings, under Settings, Secrets and variables, Actions:
- the variable \`PLANCAST_BASE_URL\`: the address of the service;
- the secret \`PLANCAST_API_KEY\`: a key for it that may read and write.

Until both are there it fails and says so, so that nobody takes a run that published nothing for one that did.
`;
}

/** What is not to be committed, and why. */
const IGNORED = [
  {
    path: ".plancast/",
    why: "Working files of plancast. Its lockfile, plancast.lock.json, is to be committed.",
  },
  { path: "preview.html", why: "The page that plancast preview writes." },
  { path: "node_modules/", why: "What npm installs." },
] as const;

/**
 * @param existing what .gitignore holds now; blank where there is none
 * @returns the same, with what is not to be committed; unchanged where all of that is ignored already
 */
export function withIgnored(existing: string): string {
  const known = new Set(existing.split(/\r?\n/).map(bare));
  const missing = IGNORED.filter(({ path }) => !known.has(bare(path)));
  const before = existing === "" || existing.endsWith("\n") ? existing : `${existing}\n`;
  return missing.length === 0
    ? existing
    : before + missing.map(({ path, why }) => `# ${why}\n${path}\n`).join("");
}

/** A line of .gitignore without what makes it about a folder, or about the root. */
function bare(line: string): string {
  return line.trim().replace(/^\//, "").replace(/\/$/, "");
}
