import { readFile } from "node:fs/promises";
import { Failure, errorCode } from "../../model/failure.ts";
import type { HttpAnswer, HttpFault } from "./request.ts";

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

const REDACTED = "(the key)";

/** Services like to echo a bad key; nothing that is printed or kept may hold it. */
export function redactKey(result: HttpAnswer | HttpFault, key: string): HttpAnswer | HttpFault {
  if (result.kind !== "answer") return result;
  const { text, headers } = result;
  const shown = Object.entries(headers).map(([name, value]) => [name, redactHeader(value, key)] as const);
  return {
    ...result,
    text: redactText(text, key),
    headers: Object.fromEntries(shown),
  };
}

function redactHeader(value: string | string[] | undefined, key: string): string | string[] | undefined {
  return Array.isArray(value)
    ? value.map((each) => each.replaceAll(key, REDACTED))
    : value?.replaceAll(key, REDACTED);
}

/** The characters that JSON may write in another way. */
const MAY_BE_ESCAPED = /[^A-Za-z0-9_.~-]/;

/**
 * Hides the key in a body, also where JSON escapes its characters. A backslash before the key goes with it if it escapes
 * the key's first character; what was valid JSON stays valid.
 */
function redactText(text: string, key: string): string {
  if (!text.includes("\\")) return text.replaceAll(key, REDACTED);
  // The lookbehind keeps the time linear in a body of backslashes only.
  const pattern = new RegExp(String.raw`(?<!\\)(\\*)` + Array.from(key, escapedForms).join(""), "g");
  return text.replaceAll(pattern, (_all, slashes: string) => slashes.slice(slashes.length % 2) + REDACTED);
}

/** A character of a key as a pattern: as it is, behind a backslash, or by its number. */
function escapedForms(unit: string): string {
  if (!MAY_BE_ESCAPED.test(unit)) return unit.replace(".", String.raw`\.`);
  const digits = unit.charCodeAt(0).toString(16).padStart(4, "0");
  const number = digits.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  return String.raw`(?:\\?\x${digits.slice(2)}|\\u${number})`;
}
