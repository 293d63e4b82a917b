/** Projects for tests, each in its own folder. */
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { stringify } from "yaml";
import { afterThisTest } from "./after-test.ts";

export interface ProjectOptions {
  /** Contents by path, with `/`. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** `plancast.yaml`, as text or as data. Default: an empty one. False: no plancast.yaml. */
  readonly config?: string | Readonly<Record<string, unknown>> | false;
}

/** Paths are relative to the root, with `/`. */
export interface TestProject {
  /** Absolute, links resolved. */
  readonly root: string;
  write(path: string, contents: string | Uint8Array): Promise<void>;
  /** A file or a whole folder; throws when there is none. */
  remove(path: string): Promise<void>;
  /** As UTF-8. */
  read(path: string): Promise<string>;
  bytes(path: string): Promise<Uint8Array>;
  /** Every file with the hex SHA-256 of its bytes. A link has `-> ` and its target. Sorted. */
  tree(): Promise<Record<string, string>>;
  /** Happens automatically at the end of the test that made the project. */
  dispose(): Promise<void>;
}

export async function makeProject({ files = {}, config = {} }: ProjectOptions = {}): Promise<TestProject> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "plancast-project-")));
  const project: TestProject = {
    root,
    write: async (path, contents) => {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), contents);
    },
    remove: (path) => rm(join(root, path), { recursive: true }),
    read: (path) => readFile(join(root, path), "utf8"),
    bytes: (path) => readFile(join(root, path)),
    tree: () => treeOf(root),
    dispose: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
  afterThisTest(() => project.dispose());
  if (config !== false) {
    await project.write("plancast.yaml", typeof config === "string" ? config : stringify(config));
  }
  for (const [path, contents] of Object.entries(files)) {
    await project.write(path, contents);
  }
  return project;
}

async function treeOf(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const pairs = await Promise.all(
    entries
      .filter((entry) => entry.isFile() || entry.isSymbolicLink())
      .map(async (entry): Promise<[string, string]> => {
        const path = join(entry.parentPath, entry.name);
        const shown = entry.isFile() ? sha256(await readFile(path)) : `-> ${await readlink(path)}`;
        return [relative(root, path).replaceAll(sep, "/"), shown];
      }),
  );
  return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
