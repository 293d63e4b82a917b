import { readFile } from "node:fs/promises";
import { Failure, errorCode } from "../../model/failure.ts";

/**
 * The key for the service, from the file if one is named, else from PLANCAST_API_KEY. It is never taken from the
 * project file or an argument, and no message repeats any of it.
 */
export async function readApiKey(file: string | undefined, env: string | undefined): Promise<string> {
  if (file === undefined) return checkedKey(env, "PLANCAST_API_KEY");
  return checkedKey(await readKeyFile(file), "The file of --api-key-file");
}

/** A key as it is sent. Throws a Failure that names where it came from, and repeats nothing of it. */
export function checkedKey(text: string | undefined, source: string): string {
  const key = (text ?? "").trim();
  if (key === "") {
    throw new Failure(
      "service/no-key",
      text === undefined ? "There is no key for the service." : `${source} is empty.`,
      "Put the key into the environment variable PLANCAST_API_KEY, or name a file that holds it with --api-key-file.",
    );
  }
  if (!/^[\x21-\x7e]{1,4096}$/.test(key)) {
    throw new Failure(
      "service/key",
      `${source} does not hold a key: a key is one line of printable ASCII without blanks.`,
      "Copy the key from the service's settings again.",
    );
  }
  return key;
}

async function readKeyFile(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const why = errorCode(error) ?? "unknown fault";
    throw new Failure(
      "service/key",
      `The file of --api-key-file cannot be read (${why}).`,
      "Check its path and permissions.",
    );
  }
}
