/** `plancast store`: describes the store of the embedded service, makes it smaller, or copies it to another one. */

import { removeFile, removeFolder } from "../disk/files.ts";
import { databaseOf, embeddedFolder } from "../embedded/open-embedded.ts";
import { loadOrCreateKeys, saveKeys, sharedKeys } from "../embedded/routes/api-keys.ts";
import { copyStore } from "../embedded/store/copy-store.ts";
import { openDatabase } from "../embedded/store/database.ts";
import { type Access, type OpenedStore, openFileStore } from "../embedded/store/file-store.ts";
import { refuseMoved } from "../embedded/store/moved.ts";
import type { LastingStore } from "../embedded/store/store.ts";
import { Failure } from "../model/failure.ts";
import type { StoreCopyDocument, StoreDocument } from "../report/documents/project.ts";
import { storeCopyText, storeText } from "../report/status/store.ts";
import { openProject } from "./project/project.ts";
import {
  type FlagsOf,
  type ProjectRun,
  type Run,
  FORMAT_OPTION,
  actionPositional,
  defineCommand,
  defineFlags,
  namesPositional,
  rejectNames,
} from "./shell/command.ts";
import { showResult } from "./shell/result.ts";
import type { ExitCode } from "./shell/shell.ts";

const FLAGS = defineFlags({
  action: actionPositional(["status", "compact", "copy"]),
  stores: namesPositional("Only for copy: `file postgres`, or `postgres file`"),
  format: FORMAT_OPTION,
});

type StoreFlags = FlagsOf<typeof FLAGS>;
type StoreName = StoreDocument["store"];

export const command = defineCommand({
  flags: FLAGS,
  examples: [
    ["store status", "Show where the posts are, how many, and their size"],
    ["store copy file postgres", "Move the project into the database in PLANCAST_DATABASE_URL"],
    ["store compact", "Archive posts that were over 90 days ago, and remove what nobody needs"],
  ],
  run: changeStore,
});

async function changeStore(run: Run<StoreFlags>): Promise<ExitCode> {
  const { action, stores } = run.flags;
  if (action !== "copy") rejectNames(stores, `store ${action}`);
  const opened = await openProject(run);
  if (action === "copy") return copy(opened);
  const name = databaseOf(run.shell.env, opened.project) === undefined ? "file" : "postgres";
  return withStore<ExitCode>(
    name,
    action === "compact" ? "read-write" : "read-only",
    opened,
    async ({ store }) => {
      if (action === "compact") {
        await refuseMoved(store);
        await store.compact();
      }
      const document = await describe(name, store);
      showResult(run, { document, text: () => storeText(document, run.console.style) });
      return 0;
    },
  );
}

async function describe(name: StoreName, store: LastingStore): Promise<StoreDocument> {
  const { version, bytes, archived } = await store.describe();
  const count = (status: string): Promise<number> => store.count("post", { status });
  const media = await store.list("media");
  const move = (await store.get("move", "store"))?.state ?? "here";
  return {
    version: 1,
    store: name,
    state: move === "here" ? "used" : move === "left" ? "left" : "copying",
    posts: {
      scheduled: await count("scheduled"),
      published: await count("published"),
      failed: await count("failed"),
      cancelled: await count("cancelled"),
    },
    archived,
    media: { files: media.length, bytes: media.reduce((sum, item) => sum + item.bytes, 0) },
    bytes,
    schema_version: version,
  };
}

function copy(run: ProjectRun<StoreFlags>): Promise<ExitCode> {
  const { shell, project, flags } = run;
  const [from, to, ...others] = flags.stores;
  if (!isStoreName(from) || !isStoreName(to) || from === to || others.length > 0)
    throw new Failure(
      "usage/arguments",
      "plancast store copy takes two stores: where the posts are, and where they go.",
      "Run `plancast store copy file postgres`, or `plancast store copy postgres file`.",
    );
  return withStore<ExitCode>(from, "read-write", run, (source) =>
    withStore<ExitCode>(to, "read-write", run, async (target) => {
      const hasBucket = databaseOf(shell.env, project)?.bucket !== undefined;
      if (to === "postgres" && !hasBucket && (await source.store.count("media")) > 0)
        throw new Failure(
          "store/copy",
          "The project has media, and there is no bucket for them. Nothing was copied.",
          "Set PLANCAST_MEDIA_URL to a bucket.",
        );
      // Clients go on with the keys that they have.
      const folder = embeddedFolder(project.state);
      if (source.keys !== undefined) await saveKeys(folder, await sharedKeys(source.keys, shell.randomBytes));
      const keys = await loadOrCreateKeys(folder, shell.randomBytes);
      await target.keys?.(() => JSON.stringify(keys));
      const { result, ...copied } = await copyStore(source.store, target.store, {
        random: shell.randomBytes,
        now: source.now ?? (() => shell.clock.now()),
        sleep: (ms) => shell.clock.sleep(ms),
        afterMedia: (id) => removeFile(copiesOf(run).in(id)),
      });
      const { records = 0, missing = [] } = "records" in copied ? copied : {};
      const document: StoreCopyDocument = {
        version: 1,
        from,
        to,
        result,
        records,
        missing_media: [...missing],
      };
      showResult(run, {
        document,
        text: () => storeCopyText(document, run.console.style),
        next:
          to === "postgres"
            ? "set PLANCAST_DATABASE_URL for every command of this project, and start plancast serve."
            : "remove PLANCAST_DATABASE_URL, end every plancast serve that still has it, and start plancast serve.",
      });
      return 0;
    }),
  );
}

function isStoreName(name: string | undefined): name is StoreName {
  return name === "file" || name === "postgres";
}

/** Copies of media in the bucket, while a command of this file runs. */
function copiesOf({ project }: ProjectRun) {
  return embeddedFolder(project.state).in("copying");
}

async function withStore<T>(
  name: StoreName,
  access: Access,
  run: ProjectRun,
  work: (opened: OpenedStore<LastingStore>) => Promise<T>,
): Promise<T> {
  const { shell, project } = run;
  const folder = embeddedFolder(project.state);
  const open = async (): Promise<OpenedStore<LastingStore>> => {
    if (name === "file") return openFileStore(folder, access, () => shell.clock.now());
    const database = databaseOf(shell.env, project);
    if (database === undefined)
      throw new Failure(
        "share/address",
        "PLANCAST_DATABASE_URL is not set, so there is no database.",
        "Write it like postgres://user:password@db.example.com:5432/plancast.",
      );
    return openDatabase(database, copiesOf(run), folder);
  };
  const opened = await open();
  try {
    return await work(opened);
  } finally {
    await opened.close();
    if (name === "postgres") await removeFolder(copiesOf(run), folder);
  }
}
