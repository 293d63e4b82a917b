/** What the program prints for each problem. Each case runs in a separate folder. Needs `npm run build`. */
import { createServer } from "node:http";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { main } from "../dist-dev/commands/main.js";
import { processShell } from "../dist-dev/commands/shell.js";
import { CALENDAR_CASES } from "./problem-cases/calendar.js";
import { CHECK_CASES } from "./problem-cases/checks.js";
import { PROJECT_CASES } from "./problem-cases/project.js";
import { ROW_CASES } from "./problem-cases/rows.js";
import { SERVICE_CASES } from "./problem-cases/service.js";
import { STATE_CASES } from "./problem-cases/state.js";
import { TABLE_CASES } from "./problem-cases/tables.js";

/** Width of the examples, characters. */
const COLUMNS = 100;

/** Where the examples take place for their readers. */
const SHOWN_FOLDER = "/home/ana/spring";

/** Settings of most cases. PLANCAST_BASE_URL names the service if a case has its own answers. */
const PROJECT = "service: { url: embedded }\ntimezone: Europe/Paris\n";

/**
 * @typedef {object} Case
 * @property {string} [run] the command; `plancast validate` if none
 * @property {string | false} [project] the project file; a plain one if none
 * @property {Readonly<Record<string, string | Uint8Array>>} [files] by path
 * @property {readonly string[]} [before] commands that are run first
 * @property {Readonly<Record<string, string | Uint8Array>>} [edits] files written after those
 * @property {Readonly<Record<string, string>>} [env]
 * @property {{ status: number, headers?: Record<string, string>, body: unknown }} [answer] what a service says to everything
 */

/** @type {Readonly<Record<string, Case>>} */
export const CASES = {
  ...PROJECT_CASES,
  ...CALENDAR_CASES,
  ...TABLE_CASES,
  ...ROW_CASES,
  ...CHECK_CASES,
  ...SERVICE_CASES,
  ...STATE_CASES,
};

/** @returns {Promise<Readonly<Record<string, { project?: string, command: string, output: string }>>>} by code */
export async function problemExamples() {
  const examples = {};
  // Each run listens for the process's end.
  process.setMaxListeners(0);
  for (const [code, given] of Object.entries(CASES)) {
    examples[code] = await runCase(code, given);
  }
  return examples;
}

/** @param {string} code @param {Case} given */
async function runCase(code, given) {
  const {
    run = "plancast validate",
    project = PROJECT,
    files = {},
    before = [],
    edits = {},
    env = {},
  } = given;
  const root = await realpath(await mkdtemp(join(tmpdir(), "plancast-example-")));
  const service = await startAnswering(given.answer);
  const remote =
    service === undefined ? {} : { PLANCAST_BASE_URL: service.url, PLANCAST_API_KEY: "sk_example" };
  try {
    await writeAll(root, { ...(project === false ? {} : { "plancast.yaml": project }), ...files });
    for (const command of before) {
      await runCommand(command, root, { ...remote, ...env });
    }
    await writeAll(root, edits);
    const said = await runCommand(run, root, { ...remote, ...env });
    const all = steady(said, root, service?.url);
    const output = problemIn(all, code);
    if (output === undefined) throw new Error(`The case of ${code} says something else:\n${all}`);
    // Where the service answers for the case, its address is the environment's; and an excerpt shows the file itself.
    const isShown =
      typeof given.project === "string" && service === undefined && !output.startsWith("plancast.yaml");
    return { ...(isShown ? { project: given.project } : {}), command: run, output };
  } finally {
    await service?.close();
    await rm(root, { recursive: true, force: true });
  }
}

/** The problem of this code, of all that was written: its first line and those below it. */
function problemIn(text, code) {
  const lines = text.split("\n");
  const guard = lines.findIndex((line) => line.startsWith(`  ${code}: `));
  const first = lines.findIndex((line) => line.endsWith(`error ${code}`) || line.endsWith(`warning ${code}`));
  if (first < 0 && guard < 0) return undefined;
  if (first < 0) {
    const rest = lines
      .slice(guard + 1)
      .findIndex((line) => !line.startsWith("  ") || /^ {2}guard\//.test(line));
    return lines.slice(guard, guard + 1 + rest).join("\n");
  }
  const below = lines.slice(first + 1);
  // Settings to paste have a blank line above.
  const end = below.findIndex(
    (line, index) => !line.startsWith("  ") && !(line === "" && below[index + 1]?.startsWith("    ")),
  );
  return lines.slice(first, end < 0 ? undefined : first + 1 + end).join("\n");
}

/** What differs from run to run, as the reader could have it. */
function steady(text, root, url) {
  return text
    .replaceAll(root, SHOWN_FOLDER)
    .replaceAll(url?.replace("/v1", "") ?? "\0", "https://api.example.com")
    .replaceAll(/\b(?:post|media)_[0-9a-z]{8,}\b/g, (id) => `${id.split("_")[0]}_81f`)
    .replaceAll(/[ \t]+$/gm, "");
}

async function writeAll(root, files) {
  for (const [path, contents] of Object.entries(files)) {
    const target = join(root, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, contents);
  }
}

/** The command in this process, which is many times faster. @returns {Promise<string>} stdout, then stderr */
async function runCommand(command, cwd, env) {
  const [, ...args] = command.split(" ");
  const written = { stdout: "", stderr: "" };
  const stream = (name) => ({
    write: (text) => void (written[name] += text),
    isTerminal: false,
    columns: COLUMNS,
  });
  await main(args, {
    ...processShell({ stop: new AbortController().signal, handleAlways: () => undefined }),
    stdout: stream("stdout"),
    stderr: stream("stderr"),
    clock: clockOfItsOwn(),
    env,
    cwd,
    isInteractive: false,
  });
  return written.stdout + written.stderr;
}

/** Examples do not wait: a sleep only moves the time forward. */
function clockOfItsOwn() {
  let ms = Date.now();
  return { now: () => ms, sleep: async (wait) => void (ms += Math.max(0, wait)) };
}

/** A service that says one thing. */
async function startAnswering(answer) {
  if (answer === undefined) return undefined;
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    response.end(JSON.stringify(answer.body));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  return {
    url: `http://127.0.0.1:${port}/v1`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
