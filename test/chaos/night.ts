/** A night: a server whose clock is moved, a project applied to it, and a receiver of its events that can be killed. */
import { z } from "zod";
import { afterThisTest } from "../support/after-test.ts";
import { makeProject, type TestProject } from "../support/project.ts";
import { runCommand, type CommandResult } from "../support/run-command.ts";
import { startProcess, type RunningProcess } from "../support/run-process.ts";
import { csv } from "../support/scenario.ts";

/** When the service's clock starts; the posts are due from ten minutes later on. */
const START = Date.UTC(2027, 2, 1, 8);
const FIRST_DUE = START + 600_000;
const MINUTE_MS = 60_000;

const started = z.object({
  url: z.string(),
  control: z.string(),
  keys: z.object({ read: z.string(), write: z.string(), admin: z.string() }),
});

const result = z.object({
  platform: z.string(),
  status: z.string(),
  url: z.string().optional(),
  error: z.object({ message: z.string() }).optional(),
});
const post = z.object({ id: z.string(), status: z.string(), results: z.array(result).optional() });
const page = z.object({ data: z.array(post), next_cursor: z.string().nullable() });

type ServerPost = z.infer<typeof post>;

const statusDocument = z.object({
  summary: z.record(z.string(), z.number()),
  requests: z.number(),
  rows: z.array(
    z.object({
      key: z.string(),
      status: z.string(),
      post_id: z.string().optional(),
      results: z.array(
        z.object({
          platform: z.string(),
          status: z.string(),
          url: z.string().optional(),
          reason: z.string().optional(),
        }),
      ),
    }),
  ),
});

type StatusDocument = z.infer<typeof statusDocument>;

/** The platforms of the posts, in turn. Instagram fails. */
const PLATFORMS = ["linkedin", "twitter, linkedin", "instagram", "linkedin, instagram", "bluesky"];

/** Number of rows, and the minutes in which they are due. */
export function nightCalendar(rows: number, minutes: number): string {
  const lines = Array.from({ length: rows }, (_, index) => {
    const due = new Date(FIRST_DUE + Math.floor((index * minutes) / rows) * MINUTE_MS).toISOString();
    return [`row-${index}`, due, PLATFORMS[index % PLATFORMS.length] ?? "", `Post ${index} 🌙 夜`];
  });
  return csv(["id", "scheduled_at", "platforms", "content"], ...lines);
}

export interface Night {
  readonly project: TestProject;
  readonly url: string;
  /** The service limits requests per key, so each kind of work has its own key. */
  readonly run: (scope: "read" | "write" | "admin", ...args: string[]) => Promise<CommandResult>;
  readonly startListen: () => Promise<RunningProcess>;
  readonly cancel: (id: string) => Promise<void>;
  /** Moves the service's clock. Resolves when everything that is due by then has happened. */
  readonly move: (by: string) => Promise<void>;
  readonly posts: () => Promise<readonly ServerPost[]>;
  readonly status: () => Promise<StatusDocument & { readonly code: number | null }>;
}

export async function startNight(calendar: string): Promise<Night> {
  const project = await makeProject({
    config: { timezone: "UTC" },
    files: { "calendars/night.csv": calendar },
  });
  const clock = new Date(START).toISOString();
  const args = [
    "serve",
    "--memory",
    "--plan",
    "business",
    "--port",
    "0",
    "--clock",
    clock,
    "--fail",
    "platform=instagram",
  ];
  const serve = startProcess(args, { cwd: project.root });
  await serve.waitFor("\n");
  const { url, control, keys } = started.parse(JSON.parse(serve.stdout()));
  const env = (scope: keyof typeof keys) => ({ PLANCAST_BASE_URL: url, PLANCAST_API_KEY: keys[scope] });
  const run: Night["run"] = (scope, ...words) => runCommand(words, { cwd: project.root, env: env(scope) });
  const ask = (method: string, address: string, body?: unknown): Promise<unknown> =>
    asked(method, address, keys.admin, body);
  let port = "0";
  return {
    project,
    url,
    run,
    startListen: async () => {
      const listen = startProcess(["listen", "--port", port], { cwd: project.root, env: env("read") });
      await listen.waitFor("\n");
      const address: { url: string } = JSON.parse(listen.stdout().split("\n")[0] ?? "");
      ({ port } = new URL(address.url));
      afterThisTest(() => listen.kill("SIGKILL"));
      return listen;
    },
    cancel: async (id) => void (await ask("DELETE", `${url}/posts/${id}`)),
    move: async (by) => void (await ask("POST", `${control}/clock`, { by })),
    posts: async () => {
      const { data, next_cursor: next } = page.parse(await ask("GET", `${url}/posts?limit=1000`));
      if (next !== null) throw new Error("More than a page of posts.");
      return data;
    },
    status: async () => {
      const { code, stdout, stderr } = await run("read", "status", "--format", "json");
      if (stdout === "") throw new Error(`status ended with ${code}: ${stderr}`);
      return { ...statusDocument.parse(JSON.parse(stdout)), code };
    },
  };
}

/** The project's own service, with its data on the disk, and the calendar applied to it. */
export interface KeptService {
  readonly root: string;
  readonly start: () => Promise<void>;
  /** kill -9. */
  readonly kill: () => Promise<void>;
  /** Registers a webhook at this address. */
  readonly register: (url: string) => Promise<void>;
  /** Moves its clock to this many minutes after its start, even after a restart, which sets it back. */
  readonly moveTo: (minutes: number) => Promise<void>;
  /** With the admin key; the path is below the origin. */
  readonly ask: (method: string, path: string, body?: unknown) => Promise<unknown>;
}

export async function startKeptService(calendar: string): Promise<KeptService> {
  const project = await makeProject({
    config: { timezone: "UTC", service: { url: "embedded" } },
    files: { "calendars/night.csv": calendar },
  });
  const args = [
    "serve",
    "--port",
    "0",
    "--clock",
    new Date(START).toISOString(),
    "--fail",
    "platform=instagram",
  ];
  let running: RunningProcess | undefined;
  let address = { origin: "", key: "" };
  const start = async (): Promise<void> => {
    running = startProcess(args, { cwd: project.root });
    await running.waitFor("\n");
    const { url, keys } = started.parse(JSON.parse(running.stdout()));
    address = { origin: new URL(url).origin, key: keys.admin };
  };
  const ask: KeptService["ask"] = (method, path, body) =>
    asked(method, address.origin + path, address.key, body);
  await start();
  const applied = await runCommand(["apply", "--yes"], { cwd: project.root });
  if (applied.code !== 0) throw new Error(`apply ended with ${applied.code}: ${applied.stderr}`);
  return {
    root: project.root,
    start,
    ask,
    kill: async () => {
      running?.kill("SIGKILL");
      await running?.ended;
    },
    register: async (url) =>
      void (await ask("POST", "/v1/webhooks", { url, events: ["post.published", "post.failed"] })),
    moveTo: async (minutes) =>
      void (await ask("POST", "/_control/clock", {
        to: new Date(START + minutes * MINUTE_MS).toISOString(),
      })),
  };
}

async function asked(method: string, address: string, key: string, body: unknown): Promise<unknown> {
  const answer = await fetch(address, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status} ${text}`);
  return JSON.parse(text);
}
