import { readFile } from "node:fs/promises";
import { Failure, errorCode } from "../../model/failure.ts";

/** The key in the file of --api-key-file. No message repeats any of it. */
export async function readApiKey(file: string): Promise<string> {
  return checkedKey(await readKeyFile(file), "The file of --api-key-file");
}

/**
 * A key as it is sent. Throws a Failure that names where it came from, and repeats nothing of it.
 * @param variable where the key is expected
 */
export function checkedKey(text: string | undefined, source: string, variable = "PLANCAST_API_KEY"): string {
  const key = (text ?? "").trim();
  if (key === "") {
    throw new Failure(
      "service/no-key",
      text === undefined ? "There is no key for the service." : `${source} is empty.`,
      `Put the key into the environment variable ${variable}, or name a file that holds it with --api-key-file.`,
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
