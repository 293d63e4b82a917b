/** Projects with calendars of many rows, and the service's list of just these posts. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";

const CAPTIONS = [
  "Doors open at nine. Bring a friend, bring two: the first coffee is on us all morning long.",
  'She said "never again", then booked the next one. Read how the workshop in Łódź went, and who won. 🎉',
  "Three things we learnt this quarter, and one that we should have known:\n\n– ask sooner\n– write it down\n– ship it",
  "Neu im Shop: die Frühjahrskollektion, ab heute in Größe 36 bis 48. Versandkostenfrei bis Sonntag.",
];
const PLATFORMS = [["linkedin"], ["linkedin", "twitter"], ["facebook"]];
/** Posts go out from 06:00 to 20:55 UTC, every five minutes: no clock change is near. */
const A_DAY = 180;
const FIRST_DAY = Date.UTC(2036, 0, 1, 6);

/**
 * Every second row has an id.
 * @param {number} rows
 */
function posts(rows) {
  return Array.from({ length: rows }, (_, index) => {
    const ms = FIRST_DAY + Math.floor(index / A_DAY) * 86_400_000 + (index % A_DAY) * 300_000;
    return {
      id: index % 2 === 0 ? `post-${index}` : undefined,
      scheduled_at: `${new Date(ms).toISOString().slice(0, 19)}Z`,
      platforms: PLATFORMS[index % PLATFORMS.length] ?? [],
      content: `No. ${index}. ${CAPTIONS[index % CAPTIONS.length]}`,
    };
  });
}

/**
 * Writes the project into a folder. Gives the paths of its calendar and of the service's list.
 * @param {string} folder
 * @param {"csv" | "yaml"} format
 * @param {number} rows
 */
export function writeProject(folder, format, rows) {
  const all = posts(rows);
  const calendar = join(folder, "calendars", `big.${format}`);
  const list = join(folder, "list.json");
  mkdirSync(join(folder, "calendars"), { recursive: true });
  writeFileSync(calendar, format === "csv" ? csvText(all) : yamlText(all));
  const records = all.map((post, index) => ({
    ...post,
    id: `post_${index}`,
    media_ids: [],
    status: "scheduled",
  }));
  writeFileSync(list, JSON.stringify({ posts: records }));
  const config = {
    calendars: [`calendars/big.${format}`],
    timezone: "Europe/Paris",
    service: { list_limit: 1_000_000 },
  };
  writeFileSync(join(folder, "plancast.yaml"), stringify(config));
  return { calendar, list };
}

/** Networks that have a yes-or-no column in Metricool's files. */
const NETWORKS = [
  "Facebook",
  "Twitter/X",
  "LinkedIn",
  "GBP",
  "Instagram",
  "Pinterest",
  "TikTok",
  "Youtube",
  "Threads",
];
/** Cells of notes. Many are blank, or repeat. */
const NOTES = [
  "",
  "ok",
  "FALSE",
  "12",
  "Acme campaign spring",
  "https://example.com/a?b=1",
  "2036-01-02",
  "x",
];

/**
 * A project with a table of 97 columns: `metricool` has the columns of Metricool's files, `notes` has 92 columns that
 * plancast does not know. Gives the path of its calendar.
 * @param {string} folder
 * @param {"metricool" | "notes"} kind
 * @param {number} rows
 */
export function writeWideProject(folder, kind, rows) {
  const calendar = join(folder, "calendars", "wide.csv");
  const all = posts(rows);
  const table = kind === "metricool" ? metricoolTable(all) : notesTable(all);
  mkdirSync(join(folder, "calendars"), { recursive: true });
  writeFileSync(calendar, table.map((row) => row.map(quoted).join(",")).join("\n"));
  const preset = kind === "metricool" ? { preset: kind } : {};
  const config = { calendars: [{ files: "calendars/wide.csv", ...preset }], timezone: "Europe/Paris" };
  writeFileSync(join(folder, "plancast.yaml"), stringify(config));
  return calendar;
}

const WIDTH = 97;

/** @param {ReturnType<typeof posts>} all */
function metricoolTable(all) {
  const own = ["Text", "Date", "Time", "Draft", ...NETWORKS];
  const pictures = Array.from({ length: 10 }, (_, index) => [
    `Picture Url ${index + 1}`,
    `Alt text picture ${index + 1}`,
  ]);
  const header = [...own, ...pictures.flat(), "First Comment Text", "Shortener"];
  for (let index = header.length; index < WIDTH - 1; index += 1)
    header.push(`${NETWORKS[index % NETWORKS.length]} option ${index}`);
  header.push("Brand name");
  const rows = all.map((post, index) => {
    const [date = "", time = ""] = localTime(post.scheduled_at);
    const networks = NETWORKS.map((name) => (name === "LinkedIn" || name === "Facebook" ? "TRUE" : "FALSE"));
    const more = header
      .slice(own.length, -1)
      .map((name) => (name.includes("option") && index % 2 === 0 ? "FALSE" : ""));
    return [post.content, date, time, "FALSE", ...networks, ...more, "Acme"];
  });
  return [header, ...rows];
}

/** @param {ReturnType<typeof posts>} all */
function notesTable(all) {
  const own = ["id", "date", "time", "platforms", "content"];
  const notes = Array.from({ length: WIDTH - own.length }, (_, index) => index);
  const rows = all.map((post, row) => {
    const [date = "", time = ""] = localTime(post.scheduled_at);
    const cells = notes.map((column) => NOTES[(row * 7 + column) % NOTES.length] ?? "");
    return [post.id ?? "", date, time, post.platforms.join(", "), post.content, ...cells];
  });
  return [[...own, ...notes.map((column) => `Note ${column + 1}`)], ...rows];
}

/** @param {string} cell */
function quoted(cell) {
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/**
 * Times are local, as in a spreadsheet.
 * @param {ReturnType<typeof posts>} all
 */
function csvText(all) {
  const lines = all.map((post) => {
    const [date, time] = localTime(post.scheduled_at);
    const cells = [post.id ?? "", date, time, post.platforms.join(", "), post.content];
    return cells.map(quoted).join(",");
  });
  return `id,date,time,platforms,content\n${lines.join("\n")}\n`;
}

const PARIS = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "Europe/Paris",
  dateStyle: "short",
  timeStyle: "short",
});

/** @param {string} utc */
function localTime(utc) {
  return PARIS.format(Date.parse(utc)).split(" ");
}

/** @param {ReturnType<typeof posts>} all */
function yamlText(all) {
  const items = all.map((post) => {
    const [date, time] = localTime(post.scheduled_at);
    const id = post.id === undefined ? "" : `id: ${post.id}\n  `;
    const text = post.content.includes("\n")
      ? `|-\n    ${post.content.replaceAll(/\n(?!\n)/g, "\n    ")}`
      : JSON.stringify(post.content);
    return `- ${id}date: ${date}\n  time: "${time}"\n  platforms: [${post.platforms.join(", ")}]\n  content: ${text}\n`;
  });
  return items.join("");
}
