/** Work that asks the service: opened for it, and closed however it ends. */
import type { OpenedService } from "../open-service.ts";
import type { GlobalFlags } from "./command.ts";
import { connect, type Connection } from "./connect.ts";
import type { Console } from "./console.ts";
import type { Shell } from "./shell.ts";

export async function withService<T>(
  connection: Connection,
  flags: GlobalFlags,
  shell: Shell,
  console: Console,
  work: (opened: OpenedService) => Promise<T>,
): Promise<T> {
  const opened = await connect(connection, flags, shell, console);
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}
