/**
 * `service.shape`: where a service's answers hold the data that plancast reads. Values are paths: the service's own
 * names with dots between them. A number picks an item of a list; a name applies to each item. Unset paths have their
 * defaults. This file imports nothing, because the type is part of the client that the package exports.
 */
export interface ResponseMapping {
  /** The path to the list in an answer, such as `data.entries`. */
  readonly list?: string | undefined;
  /** The path to the record in an answer with one record, such as `data.entry`. */
  readonly record?: string | undefined;
  /** The path to the next page's address or cursor in the answer to a list. */
  readonly next?: string | undefined;
  /** Query parameter in which plancast sends the cursor. Default: `cursor`. */
  readonly next_as?: string | undefined;
  /** The path to the total number of records in the answer to a list. */
  readonly total?: string | undefined;
  readonly post?: PostPlaces | undefined;
  readonly media?: MediaPlaces | undefined;
  readonly platform?: PlatformPlaces | undefined;
  readonly automation?: AutomationPlaces | undefined;
  /** The service's own words for a post's status, in any case, with their meanings. */
  readonly status?: Readonly<Record<string, StatusMeaning>> | undefined;
}

export type StatusMeaning = "scheduled" | "published" | "cancelled" | "failed" | "draft";

interface Places {
  /** Only for these records. Overrides the general `list`. */
  readonly list?: string | undefined;
  /** Only for these records. Overrides the general `record`. */
  readonly record?: string | undefined;
  readonly id?: string | undefined;
}

/** Within a post's record. */
interface PostPlaces extends Places {
  readonly content?: string | undefined;
  readonly platforms?: string | undefined;
  readonly scheduled_at?: string | undefined;
  /** The path to the ids of a post's media. */
  readonly media?: string | undefined;
  readonly status?: string | undefined;
}

interface MediaPlaces extends Places {
  /** The path to the type, image or video, in the record. */
  readonly type?: string | undefined;
  readonly url?: string | undefined;
}

/** Within the record of a connected account. */
interface PlatformPlaces extends Places {
  readonly platform?: string | undefined;
  /** The path to the name in the record. */
  readonly name?: string | undefined;
}

interface AutomationPlaces extends Places {
  /** The path to the name in the record. */
  readonly name?: string | undefined;
}

/** A step of a path. A backslash escapes a dot or a backslash in a name. */
const STEP = String.raw`(?:[^.\\]|\\[.\\])+`;

const STEPS = new RegExp(STEP, "g");

/** The pattern of a path. */
export const PATH = new RegExp(String.raw`^${STEP}(?:\.${STEP})*$`);

/** The steps of a path. */
export function stepsOf(text: string): string[] {
  return [...text.matchAll(STEPS)].map(([step]) => step.replaceAll(/\\([.\\])/g, "$1"));
}

/** Steps as a path that `stepsOf` can read. */
export function pathText(steps: readonly string[]): string {
  return steps.map((step) => step.replaceAll(/[.\\]/g, String.raw`\$&`)).join(".");
}

/** The value at a path, also inside lists; undefined if there is none. */
export function valueAtPath(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((found, step) => {
    if (!Array.isArray(found)) return own(found, step);
    if (/^\d+$/.test(step)) return found[Number(step)];
    return found.flatMap((each: unknown) => own(each, step) ?? []);
  }, value);
}

function own(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}
