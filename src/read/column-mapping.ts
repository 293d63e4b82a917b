/** `columns:` of the project file, looked up by a column's name. */
import { columnTarget, WILDCARD, type ColumnTarget } from "../calendar/column-target.ts";
import { foldName } from "../calendar/fold-name.ts";

/** The mapping of the project file: headers, or positions where there is none, each with what it stands for. */
export type Mapping = Readonly<Record<string, string>>;

/**
 * What the mapping says of a name: first by the name itself, then by names with a `*`, in their order. Undefined
 * where it says nothing.
 */
export function createMappingLookup(mapping: Mapping): (name: string) => Mapped | undefined {
  const entries = Object.entries(mapping);
  const exact = new Map(entries.map(([name, text]) => [foldName(name), { name, text }]));
  const patterns = entries.filter(([name]) => name.includes(WILDCARD)).map(patternOf);
  return (name) => {
    const folded = foldName(name);
    const said = exact.get(folded);
    if (said !== undefined) return mapped(said.name, said.text);
    const fitting = patterns.find((each) => matchesPattern(folded, each));
    if (fitting === undefined) return undefined;
    const found = folded.slice(fitting.before.length, folded.length - fitting.after.length);
    return mapped(
      fitting.name,
      fitting.text.replace(WILDCARD, () => found),
    );
  };
}

/** What the mapping says of a column, and the name by which it says it. */
interface Mapped {
  readonly target: ColumnTarget;
  readonly key: string;
}

function mapped(key: string, text: string): Mapped | undefined {
  const target = columnTarget(text);
  return target === undefined ? undefined : { target, key };
}

/** A name with a `*` in it, such as `Picture Url *`, and what it is mapped to. */
interface Pattern {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly text: string;
}

function patternOf([name, text]: readonly [string, string]): Pattern {
  const folded = foldName(name);
  const at = folded.indexOf(WILDCARD);
  return { name, before: folded.slice(0, at), after: folded.slice(at + 1), text };
}

/** Whether a folded name is the one given, or fits its `*`. */
export function matchesColumnName(folded: string, name: string): boolean {
  return name.includes(WILDCARD) ? matchesPattern(folded, patternOf([name, ""])) : folded === foldName(name);
}

function matchesPattern(folded: string, { before, after }: Pattern): boolean {
  const isLonger = folded.length > before.length + after.length;
  return isLonger && folded.startsWith(before) && folded.endsWith(after);
}
