/**
 * `service.shape`: where a service's answers keep what plancast reads, in the service's own names, as paths: names with
 * dots between them. A number picks from a list, and any other name is taken of each of its items. What is not said is
 * found as without it. Nothing is imported here: this type is part of the client that the package exports.
 */
export interface ResponseMapping {
  /** In the answer to a list: where the list stands, such as `data.entries`. */
  readonly list?: string | undefined;
  /** In the answer about one record: where the record stands, such as `data.entry`. */
  readonly record?: string | undefined;
  /** In the answer to a list: where its next page stands, as an address or a cursor. */
  readonly next?: string | undefined;
  /** Query parameter that a cursor is sent back as. Default: `cursor`. */
  readonly next_as?: string | undefined;
  /** In the answer to a list: where it stands how many there are in all. */
  readonly total?: string | undefined;
  readonly post?: PostPlaces | undefined;
  readonly media?: MediaPlaces | undefined;
  readonly platform?: PlatformPlaces | undefined;
  readonly automation?: AutomationPlaces | undefined;
  /** The service's own words for a post's status, in any case, each with what it means. */
  readonly status?: Readonly<Record<string, StatusMeaning>> | undefined;
}

export type StatusMeaning = "scheduled" | "published" | "cancelled" | "failed" | "draft";

interface Places {
  /** Of these records alone, over `list` of all. */
  readonly list?: string | undefined;
  /** Of these records alone, over `record` of all. */
  readonly record?: string | undefined;
  readonly id?: string | undefined;
}

/** Within a post's record. */
interface PostPlaces extends Places {
  readonly content?: string | undefined;
  readonly platforms?: string | undefined;
  readonly scheduled_at?: string | undefined;
  /** The ids of its media. */
  readonly media?: string | undefined;
  readonly status?: string | undefined;
}

interface MediaPlaces extends Places {
  /** Whether it is an image or a video. */
  readonly type?: string | undefined;
  readonly url?: string | undefined;
}

/** Within the record of a connected account. */
interface PlatformPlaces extends Places {
  readonly platform?: string | undefined;
  /** What people call it. */
  readonly name?: string | undefined;
}

interface AutomationPlaces extends Places {
  /** What people call it. */
  readonly name?: string | undefined;
}

/** A step of a path; a dot or a backslash within a name stands after a backslash. */
const STEP = String.raw`(?:[^.\\]|\\[.\\])+`;

const STEPS = new RegExp(STEP, "g");

/** What a path looks like. */
export const PATH = new RegExp(String.raw`^${STEP}(?:\.${STEP})*$`);

/** The steps of a path. */
export function stepsOf(text: string): string[] {
  return [...text.matchAll(STEPS)].map(([step]) => step.replaceAll(/\\([.\\])/g, "$1"));
}

/** Steps as a path that `stepsOf` reads again. */
export function pathText(steps: readonly string[]): string {
  return steps.map((step) => step.replaceAll(/[.\\]/g, String.raw`\$&`)).join(".");
}

/** What stands at a path, within lists too; undefined where nothing does. */
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
