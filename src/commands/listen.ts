/**
 * `plancast listen`: receives the service's events until it is stopped. It stores each event when it arrives. The event
 * counts only after the service's own record confirms it.
 */

import { Failure, reasonOf } from "../model/failure.ts";
import { type PostOwner, ownersIn } from "../model/lockfile.ts";
import type { Publication } from "../model/publication.ts";
import type { ReceivedEvent } from "../model/service-interface.ts";
import { failureText } from "../report/problems/failure-text.ts";
import { publicationLine } from "../report/status/service-lists.ts";
import { terminalText } from "../report/text/escape.ts";
import { paragraph } from "../report/text/wrap.ts";
import type { Project } from "../settings/config.ts";
import { LockHeld } from "../disk/process-lock.ts";
import { readState } from "../sync/state/project-state.ts";
import {
  type PublicationLog,
  Confirmer,
  fetchPublications,
  openPublicationLog,
  readPublications,
} from "../tracking/publication-log.ts";
import { type Publications, eventHash } from "../tracking/publications.ts";
import { secretPath, startReceiver } from "../tracking/receiver.ts";
import { type FlagsOf, type ProjectRun, defineCommand, defineFlags, portNumber } from "./shell/command.ts";
import { withService } from "./project/connect.ts";
import { openProject } from "./project/project.ts";
import type { ExitCode, Shell } from "./shell/shell.ts";

const FLAGS = defineFlags({
  port: {
    type: "string",
    default: "4020",
    requiresArg: true,
    coerce: portNumber,
    describe: "Port to listen on, or 0 for any free port",
  },
  host: {
    type: "string",
    default: "127.0.0.1",
    requiresArg: true,
    describe: "Address to listen on, or 0.0.0.0 for all addresses of this machine",
  },
});

type ListenFlags = FlagsOf<typeof FLAGS>;

export const command = defineCommand({
  flags: FLAGS,
  examples: [["listen", "Print the address for plancast webhooks add, and wait for events"]],
  run: async (run) => receiveEvents(await openProject(run)),
});

/** Runs until it is stopped, or cannot store events any more: then it throws a Failure. */
async function receiveEvents(run: ProjectRun<ListenFlags>): Promise<ExitCode> {
  const { project } = run;
  // Also fails early if there is no service, or no key for it.
  const origin = await withService(run, "read-only", ({ service }) => Promise.resolve(service.origin));
  const log = await openEvents(project);
  try {
    const publications = await readPublications(project, origin);
    await receiveUntilStopped(run, { origin, publications, log });
    return 0;
  } finally {
    await log.close();
  }
}

async function openEvents(project: Project): Promise<PublicationLog> {
  try {
    return await openPublicationLog(project, "events");
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
    throw new Failure(
      "run/locked",
      `Another process receives this project's events: ${error.message}`,
      "Stop that process first. One receiver is enough, even for several webhooks.",
    );
  }
}

interface ListenState {
  readonly origin: string;
  readonly publications: Publications;
  readonly log: PublicationLog;
}

async function receiveUntilStopped(run: ProjectRun<ListenFlags>, record: ListenState): Promise<void> {
  const { project, flags, shell, console } = run;
  const full = new AbortController();
  const stop = AbortSignal.any([shell.stop, full.signal]);
  const say = (text: string): void => console.note(terminalText(paragraph(text, console.errorStyle)));
  const confirmer = confirmerOf({ ...run, shell: { ...shell, stop } }, record);
  const receiver = await startReceiver({
    host: flags.host,
    port: flags.port,
    path: await secretPath(project.state, shell.randomBytes),
    take: async (event) => {
      try {
        await storeEvent(event, record, shell);
      } catch (error) {
        // The content of the disk is unknown now, so nothing more can be stored.
        full.abort(error);
        throw error;
      }
      confirmer.wake();
    },
    onTrouble: (why) => say(`plancast refused an event: ${why}.`),
  });
  try {
    // One line, so that a script can read it.
    console.result(`${JSON.stringify({ url: receiver.url })}\n`);
    await confirmer.run();
  } finally {
    await receiver.close();
  }
  if (full.signal.aborted) throw full.signal.reason;
}

/** Resolves when the event is on the disk. A repeated event is not stored again. */
async function storeEvent(
  event: ReceivedEvent,
  { origin, publications, log }: ListenState,
  { clock }: Shell,
): Promise<void> {
  if (publications.has(eventHash(event))) return;
  const received = { at: new Date(clock.now()).toISOString(), origin, received: event };
  await log.append(received);
  publications.take(received, "events");
}

function confirmerOf(run: ProjectRun<ListenFlags>, record: ListenState): Confirmer {
  const { project, shell, console } = run;
  const { errorStyle } = console;
  let owners: ReadonlyMap<string, PostOwner> = new Map();
  return new Confirmer({
    ...record,
    ask: async (ids) => {
      owners = ownersIn((await readState(project, record.origin)).lockfile);
      // An event shows that these posts were due.
      const posts = ids
        .filter((id) => owners.has(id))
        .map((id) => ({ id, dueAt: "", hasAddress: record.publications.hasAddress(id) }));
      if (posts.length === 0) return new Map<string, Publication>();
      return withService(run, "read-only", ({ service }) => fetchPublications(posts, "", service));
    },
    onPublication: (id, publication) =>
      console.note(publicationLine(id, owners.get(id), publication, errorStyle)),
    onTrouble: (error) => {
      const why = error instanceof Failure ? failureText(error, errorStyle, console) : `${reasonOf(error)}\n`;
      console.alert(why);
      console.note(
        terminalText(paragraph("plancast keeps the events, and asks the service again later.", errorStyle)),
      );
    },
    clock: shell.clock,
    stop: shell.stop,
  });
}
