/**
 * `plancast mcp`: lets an assistant plan posts over the Model Context Protocol. This file runs other commands for it;
 * mcp/ has the server.
 */

import { placeInProject } from "../disk/place.ts";
import type { PlainTools } from "./mcp/server.ts";
import { loadProject } from "./project/project.ts";
import { type GlobalFlags, type Run, defineCommand } from "./shell/command.ts";

export const command = defineCommand({
  flags: {},
  examples: [["mcp", "Serve this project to an assistant, on stdin and stdout (see docs/run/assistants.md)"]],
  run: async (run) => {
    const { serveAssistant } = await import("./mcp/server.ts");
    return serveAssistant(run, PLAIN_TOOLS);
  },
});

/** Each loads its command. Names of calendars are relative to the project. */
const PLAIN_TOOLS: PlainTools = {
  columns: async (run, calendars) => {
    const project = await loadProject(run.flags, run.shell);
    // For people, the command reads files anywhere. An assistant gets only files of the project.
    for (const each of calendars) await placeInProject(project.root, each);
    const { command: columns } = await import("./columns.ts");
    return columns.run(
      withFlags(run, {
        calendar: [...calendars],
        ask: false,
        propose: false,
        answers: undefined,
        yes: false,
        format: "json",
      }),
    );
  },
  validate: async (run, calendars) => {
    const { command: validate } = await import("./validate.ts");
    const given = {
      calendar: [...calendars],
      only: [],
      "only-valid": false,
      now: undefined,
      preset: undefined,
    };
    return validate.run(withFlags(run, { ...given, format: "json" }));
  },
  preview: async (run, calendars) => {
    const { command: preview } = await import("./preview/command.ts");
    const given = { calendar: [...calendars], only: [], now: undefined, out: undefined, offline: false };
    const unused = { "for-client": false, serve: false, "read-only": false, port: undefined };
    return preview.run(withFlags(run, { ...given, ...unused }));
  },
  status: async (run, calendars) => {
    const { command: status } = await import("./status/command.ts");
    return status.run(withFlags(run, { calendar: [...calendars], only: [], write: false, format: "json" }));
  },
  rules: async (run) => {
    const { command: rules } = await import("./rules.ts");
    return rules.run(withFlags(run, { format: "json" }));
  },
};

function withFlags<Flags>(run: Run, flags: Flags): Run<GlobalFlags & Flags> {
  return { ...run, flags: { ...run.flags, ...flags } };
}
