/**
 * The model of a disk. Data and names are only safe after `sync` of the file and of its folder: when the machine loses
 * its power, the seed decides about everything else. A write can be cut in the middle, fail, or find the disk full.
 */

import { dirname, posix } from "node:path";
import { Readable } from "node:stream";
import type { Machine } from "../../src/disk/machine.ts";
import type { Random } from "./random.ts";
import type { Process, Scheduler } from "./scheduler.ts";

interface File {
  readonly kind: "file";
  readonly ino: number;
  data: Buffer;
  safe: Buffer;
  mtimeMs: number;
  links: number;
}

interface Folder {
  readonly kind: "folder";
  readonly ino: number;
  names: Map<string, Entry>;
  safe: Map<string, Entry>;
}

type Entry = File | Folder;

/** What may go wrong with a disk, in thousandths of its operations. */
export interface DiskTrouble {
  readonly fails: number;
  readonly full: number;
  /** `sync` says that data is safe although it is not. */
  readonly lies: boolean;
}

export const SOUND: DiskTrouble = { fails: 0, full: 0, lies: false };

function fault(code: string, path: string): Error {
  // A stack takes long to make, and shows only the scheduler.
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  const error = Object.assign(new Error(`${code}: simulated, ${path}`), { code, syscall: "simulated" });
  Error.stackTraceLimit = limit;
  return error;
}

export class Disk {
  trouble: DiskTrouble = SOUND;
  readonly #root: Folder;
  readonly #random: Random;
  readonly #now: () => number;
  #last = 1;

  constructor(random: Random, now: () => number) {
    this.#random = random;
    this.#now = now;
    this.#root = this.#newFolder();
  }

  #newFolder(): Folder {
    this.#last += 1;
    return { kind: "folder", ino: this.#last, names: new Map(), safe: new Map() };
  }

  find(path: string): Entry | undefined {
    let entry: Entry | undefined = this.#root;
    for (const name of path.split("/").filter(Boolean)) {
      if (entry?.kind !== "folder") return undefined;
      entry = entry.names.get(name);
    }
    return entry;
  }

  get(path: string): Entry {
    const found = this.find(path);
    if (found === undefined) throw fault("ENOENT", path);
    return found;
  }

  folder(path: string): Folder {
    const found = this.get(path);
    if (found.kind !== "folder") throw fault("ENOTDIR", path);
    return found;
  }

  file(path: string): File {
    const found = this.get(path);
    if (found.kind !== "file") throw fault("EISDIR", path);
    return found;
  }

  create(path: string): File {
    this.#last += 1;
    const empty = Buffer.alloc(0);
    const made: File = {
      kind: "file",
      ino: this.#last,
      data: empty,
      safe: empty,
      mtimeMs: this.#now(),
      links: 1,
    };
    this.folder(dirname(path)).names.set(posix.basename(path), made);
    return made;
  }

  makeFolder(path: string): void {
    if (this.find(path) !== undefined) throw fault("EEXIST", path);
    this.folder(dirname(path)).names.set(posix.basename(path), this.#newFolder());
  }

  link(from: string, to: string): void {
    if (this.find(to) !== undefined) throw fault("EEXIST", to);
    const file = this.file(from);
    this.folder(dirname(to)).names.set(posix.basename(to), file);
    file.links += 1;
  }

  rename(from: string, to: string): void {
    const entry = this.get(from);
    this.folder(dirname(to)).names.set(posix.basename(to), entry);
    this.folder(dirname(from)).names.delete(posix.basename(from));
  }

  remove(path: string): void {
    const entry = this.get(path);
    if (entry.kind === "file") entry.links -= 1;
    this.folder(dirname(path)).names.delete(posix.basename(path));
  }

  write(file: File, data: Buffer): void {
    file.data = data;
    file.mtimeMs = this.#now();
  }

  sync(entry: Entry): void {
    if (this.trouble.lies) return;
    if (entry.kind === "file") entry.safe = entry.data;
    else entry.safe = new Map(entry.names);
  }

  /** What a person or git writes; safe at once. */
  put(path: string, text: string): void {
    for (let above = 1; ; above += 1) {
      const parent = path.split("/").slice(0, above).join("/") || "/";
      if (parent === path) break;
      if (this.find(parent) === undefined) this.makeFolder(parent);
    }
    const file = this.find(path) ?? this.create(path);
    if (file.kind === "file") this.write(file, Buffer.from(text));
    this.syncAll();
  }

  text(path: string): string | undefined {
    const found = this.find(path);
    return found?.kind === "file" ? found.data.toString("utf8") : undefined;
  }

  syncAll(): void {
    for (const entry of this.#all(this.#root)) {
      if (entry.kind === "file") entry.safe = entry.data;
      else entry.safe = new Map(entry.names);
    }
  }

  *#all(entry: Entry): Generator<Entry> {
    yield entry;
    if (entry.kind === "folder") for (const inner of entry.names.values()) yield* this.#all(inner);
  }

  /** The power is gone. Of what was not synced, the seed decides what is there afterwards. */
  losePower(): void {
    this.#lose(this.#root);
    this.syncAll();
  }

  #lose(entry: Entry): void {
    if (entry.kind === "file") {
      const isLonger = entry.data.length > entry.safe.length;
      const kept = isLonger
        ? entry.safe.length + this.#random.below(entry.data.length - entry.safe.length + 1)
        : 0;
      const isAppended = isLonger && entry.data.subarray(0, entry.safe.length).equals(entry.safe);
      if (isAppended) entry.data = entry.data.subarray(0, kept);
      else if (this.#random.percent(50)) entry.data = entry.safe;
      return;
    }
    const names = new Set([...entry.names.keys(), ...entry.safe.keys()]);
    const after = new Map<string, Entry>();
    for (const name of names) {
      const held = this.#random.percent(50) ? entry.names.get(name) : entry.safe.get(name);
      if (held !== undefined) after.set(name, held);
    }
    entry.names = after;
    for (const inner of after.values()) this.#lose(inner);
  }

  /** Throws for an operation that fails. */
  suffer(path: string, isWrite: boolean): void {
    if (this.#random.below(1_000) < this.trouble.fails) throw fault("EIO", path);
    if (isWrite && this.#random.below(1_000) < this.trouble.full) throw fault("ENOSPC", path);
  }
}

const O_CREAT = 0o100;
const O_EXCL = 0o200;

function stats(entry: Entry, isBig = false): unknown {
  const isFile = entry.kind === "file";
  const number = (value: number): number | bigint => (isBig ? BigInt(Math.floor(value)) : value);
  const mtimeMs = isFile ? entry.mtimeMs : 0;
  return {
    dev: number(7),
    ino: number(entry.ino),
    mode: number(isFile ? 0o100644 : 0o40755),
    nlink: number(isFile ? entry.links : 1),
    uid: number(process.getuid?.() ?? 0),
    gid: number(0),
    size: number(isFile ? entry.data.length : 0),
    mtimeMs: number(mtimeMs),
    ctimeMs: number(mtimeMs),
    birthtimeMs: number(0),
    mtimeNs: BigInt(Math.floor(mtimeMs)) * 1_000_000n,
    ctimeNs: BigInt(Math.floor(mtimeMs)) * 1_000_000n,
    isFile: () => isFile,
    isDirectory: () => !isFile,
    isSymbolicLink: () => false,
  };
}

interface Use {
  readonly disk: Disk;
  readonly scheduler: Scheduler;
  readonly process: Process;
  readonly random: Random;
}

/** The machine as one process sees it, below `prefix`. */
export function machineFor(prefix: string, { disk, scheduler, process, random }: Use): Machine {
  const inside = (path: unknown): string => {
    const text = String(path);
    if (text !== prefix && !text.startsWith(`${prefix}/`)) throw fault("ENOENT", text);
    return text.slice(prefix.length) || "/";
  };
  const reading = <T>(path: unknown, work: (path: string) => T): Promise<T> =>
    scheduler.wait(process, 0, () => {
      disk.suffer(String(path), false);
      return work(inside(path));
    });
  const writing = <T>(path: unknown, work: (path: string) => T): Promise<T> =>
    scheduler.wait(
      process,
      0,
      () => {
        disk.suffer(String(path), true);
        return work(inside(path));
      },
      // A process that dies at a change of names has made it or not.
      () => void (random.percent(50) && attempt(() => work(inside(path)))),
    );
  const nothing = (): Promise<void> => scheduler.wait(process, 0, () => undefined);
  const handle = (entry: Entry, path: string): unknown => {
    const file = (): File => {
      if (entry.kind !== "file") throw fault("EISDIR", path);
      return entry;
    };
    const add = (data: unknown, isWhole: boolean): Promise<void> => {
      const bytes =
        typeof data === "string" ? Buffer.from(data) : Buffer.from(data instanceof Uint8Array ? data : []);
      const put = (part: Buffer): void =>
        disk.write(file(), isWhole ? part : Buffer.concat([file().data, part]));
      return scheduler.wait(
        process,
        0,
        () => {
          disk.suffer(path, true);
          put(bytes);
        },
        () => put(bytes.subarray(0, random.below(bytes.length + 1))),
      );
    };
    const sync = (): Promise<void> => scheduler.wait(process, 1, () => disk.sync(entry));
    return {
      fd: 0,
      stat: () => reading(path, () => stats(entry)),
      readFile: (encoding?: BufferEncoding) =>
        reading(path, () =>
          encoding === undefined ? Buffer.from(file().data) : file().data.toString(encoding),
        ),
      writeFile: (data: unknown) => add(data, true),
      appendFile: (data: unknown) => add(data, false),
      truncate: (length: number) => writing(path, () => disk.write(file(), file().data.subarray(0, length))),
      sync,
      datasync: sync,
      chmod: nothing,
      chown: nothing,
      close: nothing,
    };
  };
  const machine = {
    holdsFolders: false,
    pid: process.pid,
    hasProcess: (pid: number) => pid === process.pid || scheduler.living.has(pid),
    randomBytes: (count: number) => random.bytes(count),
    access: (path: unknown) => reading(path, (at) => void disk.get(at)),
    stat: (path: unknown, options?: { bigint?: boolean }) =>
      reading(path, (at) => stats(disk.get(at), options?.bigint)),
    lstat: (path: unknown) => reading(path, (at) => stats(disk.get(at))),
    realpath: (path: unknown) => reading(path, (at) => (disk.get(at), String(path))),
    readFile: (path: unknown, encoding?: BufferEncoding) =>
      reading(path, (at) =>
        encoding === undefined ? disk.file(at).data : disk.file(at).data.toString(encoding),
      ),
    readdir: (path: unknown, options?: { withFileTypes?: boolean }) =>
      reading(path, (at) =>
        [...disk.folder(at).names].map(([name, entry]) =>
          options?.withFileTypes === true ? { name, ...Object(stats(entry)) } : name,
        ),
      ),
    createReadStream: (path: unknown) =>
      Readable.from(
        (async function* () {
          yield await reading(path, (at) => disk.file(at).data);
        })(),
      ),
    open: (path: unknown, flags: number | string = "r") => {
      const opened = (at: string): unknown => {
        const creates = typeof flags === "number" ? (flags & O_CREAT) > 0 : flags.startsWith("w");
        const exclusive = typeof flags === "number" ? (flags & O_EXCL) > 0 : flags === "wx";
        const found = disk.find(at);
        if (found !== undefined && exclusive) throw fault("EEXIST", at);
        return handle(found ?? (creates ? disk.create(at) : disk.get(at)), String(path));
      };
      const isWrite = typeof flags === "number" ? (flags & 3) > 0 : !flags.startsWith("r");
      return isWrite ? writing(path, opened) : reading(path, opened);
    },
    mkdir: (path: unknown) => writing(path, (at) => disk.makeFolder(at)),
    link: (from: unknown, to: unknown) => writing(to, (at) => disk.link(inside(from), at)),
    rename: (from: unknown, to: unknown) => writing(to, (at) => disk.rename(inside(from), at)),
    unlink: (path: unknown) => writing(path, (at) => disk.remove(at)),
    rm: (path: unknown) => writing(path, (at) => disk.remove(at)),
    rmdir: (path: unknown) => writing(path, (at) => disk.remove(at)),
    statfs: () => Promise.reject(fault("ENOSYS", prefix)),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a model of what apply uses
  return machine as unknown as Machine;
}

function attempt(work: () => unknown): void {
  try {
    work();
  } catch {
    // It would have failed.
  }
}
