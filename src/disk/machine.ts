/**
 * The machine as a parameter: its disk, its processes and its randomness. Every file operation goes through this module
 * to the machine that holds the path. This is the only module that reaches the real disk.
 */

import { randomBytes } from "node:crypto";
import * as files from "node:fs";
import * as promised from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { errorCode } from "../model/failure.ts";
import { type Random, uuidFrom } from "../model/random.ts";

export { constants } from "node:fs";

type PromisedFiles = Pick<
  typeof promised,
  | "access"
  | "appendFile"
  | "copyFile"
  | "link"
  | "lstat"
  | "mkdir"
  | "mkdtemp"
  | "open"
  | "readFile"
  | "readdir"
  | "readlink"
  | "realpath"
  | "rename"
  | "rm"
  | "rmdir"
  | "stat"
  | "statfs"
  | "unlink"
>;

/** The operations are those of Node: the same arguments, results and errors. */
export interface Machine
  extends PromisedFiles, Pick<typeof files, "createReadStream" | "unwatchFile" | "watchFile"> {
  /** Whether `open` can hold a folder, and `/proc/self/fd` leads to it. */
  readonly holdsFolders: boolean;
  /** The number of the process that uses the disk. */
  readonly pid: number;
  /** Whether a process with this number runs, or has just ended. */
  readonly hasProcess: (pid: number) => boolean;
  readonly randomBytes: Random;
}

const THIS_MACHINE: Machine = {
  ...promised,
  createReadStream: files.createReadStream,
  unwatchFile: files.unwatchFile,
  watchFile: files.watchFile,
  holdsFolders: process.platform === "linux",
  pid: process.pid,
  hasProcess: (pid) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      // EPERM: the process exists and belongs to another user.
      return errorCode(error) === "EPERM";
    }
  },
  randomBytes,
};

/** Folders of other machines. The last one that holds a path wins. */
const mounted: { readonly folder: string; readonly machine: Machine }[] = [];

/** Until the returned function is called, a folder and everything in it is on another machine. For simulations. */
export function mountMachine(folder: string, machine: Machine): () => void {
  const mount = { folder, machine };
  mounted.push(mount);
  return () => void mounted.splice(mounted.indexOf(mount), 1);
}

/** The machine that holds an absolute path. */
export function machineOf(path: unknown): Machine {
  if (mounted.length === 0) return THIS_MACHINE;
  const text = path instanceof URL ? fileURLToPath(path) : String(path);
  const isIn = ({ folder }: { readonly folder: string }): boolean =>
    folder === "/" || text === folder || text.startsWith(`${folder}/`);
  return mounted.findLast(isIn)?.machine ?? THIS_MACHINE;
}

/** A name or token that nobody can guess, from the machine that holds a path. Default: the one that runs this code. */
export function newId(path = "/"): string {
  return uuidFrom(machineOf(path).randomBytes);
}

type Operation = keyof PromisedFiles | "createReadStream" | "unwatchFile" | "watchFile";

/** The operation of the machine that holds its first argument. */
function of<Name extends Operation>(name: Name): Machine[Name] {
  const operation = (path: unknown, ...rest: readonly unknown[]): unknown =>
    Reflect.apply(machineOf(path)[name], undefined, [path, ...rest]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it passes on all arguments and the result
  return operation as Machine[Name];
}

export const access = of("access");
export const appendFile = of("appendFile");
export const copyFile = of("copyFile");
export const createReadStream = of("createReadStream");
export const link = of("link");
export const lstat = of("lstat");
export const mkdir = of("mkdir");
export const mkdtemp = of("mkdtemp");
export const open = of("open");
export const readFile = of("readFile");
export const readdir = of("readdir");
export const readlink = of("readlink");
export const realpath = of("realpath");
export const rename = of("rename");
export const rm = of("rm");
export const rmdir = of("rmdir");
export const stat = of("stat");
export const statfs = of("statfs");
export const unlink = of("unlink");
export const unwatchFile = of("unwatchFile");
export const watchFile = of("watchFile");
