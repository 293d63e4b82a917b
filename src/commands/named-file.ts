import { isAbsolute, relative, resolve, sep } from "node:path";
import type { Project } from "../calendar/config.ts";

/** A file that the user named, which need not be there yet. */
export interface NamedFile {
  /** Absolute. */
  readonly path: string;
  /** Relative to the project root, with `/`; undefined for one outside of the project. */
  readonly file: string | undefined;
  /** For messages: from the project root, or as the user has it. */
  readonly name: string;
}

/** @param folder from which the name is meant */
export function namedFile({ root }: Project, name: string, folder: string): NamedFile {
  const path = resolve(folder, name);
  const inRoot = relative(root, path);
  const isOutside = inRoot === ".." || inRoot.startsWith(`..${sep}`) || isAbsolute(inRoot);
  const file = isOutside ? undefined : inRoot.split(sep).join("/");
  return { path, file, name: file ?? name };
}
