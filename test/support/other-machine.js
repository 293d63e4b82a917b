/**
 * Loaded before a script (`node --import`), makes it see another machine: the one in the environment variable
 * OTHER_MACHINE. Only programs in the folders of PATH exist there.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { platform, uid, osRelease, isTerminal } = JSON.parse(process.env.OTHER_MACHINE ?? "");
const { accessSync, readFileSync } = fs;

Object.defineProperty(process, "platform", { value: platform });
process.getuid = () => uid;
for (const stream of [process.stdin, process.stdout]) stream.isTTY = isTerminal;
fs.accessSync = (path, mode) => {
  if (!String(path).startsWith(`${process.env.PATH}/`)) throw new Error(`There is no ${String(path)}.`);
  return accessSync(path, mode);
};
fs.readFileSync = (path, options) => (path === "/etc/os-release" ? osRelease : readFileSync(path, options));
syncBuiltinESMExports();
