/** The lines to paste into plancast.yaml for a `service.shape`, and where they go. Pure. */

import { isMap } from "yaml";
import {
  type YamlParts,
  addPairs,
  blockText,
  columnAt,
  endOfBlock,
  flowText,
  partsOf,
  startOf,
} from "../calendars/edit/yaml-insert.ts";

export interface ProjectText {
  /** Name of plancast.yaml. */
  readonly file: string;
  readonly text: string;
}

export interface Paste {
  /** What to do with the lines, such as `put this into plancast.yaml`. */
  readonly where: string;
  readonly lines: string;
}

const SERVICE = ["service"];
const SHAPE = ["service", "shape"];

/**
 * @param shape the complete `service.shape`, which may hold placeholders
 * @param project undefined if there is no usable plancast.yaml
 */
export function pasteMapping(shape: object, project: ProjectText | undefined): Paste {
  const whole = blockText({ service: { shape } });
  if (project === undefined) return { where: "put this into plancast.yaml", lines: whole };
  const parts = partsOf(project.text);
  if (parts.key(SERVICE) === undefined) return { where: `put this into ${project.file}`, lines: whole };
  const service = parts.get(SERVICE);
  if (isMap(service) && service.flow === true && service.items.length > 0)
    return intoBraces(shape, project, parts);
  return parts.key(SHAPE) === undefined
    ? belowService(shape, project, parts)
    : insteadOf(shape, project, parts);
}

function belowService(shape: object, { file, text }: ProjectText, parts: YamlParts): Paste {
  const after = addPairs(text, SERVICE, { shape }, parts);
  if (after === undefined)
    return { where: `put this under \`service:\` in ${file}`, lines: blockText({ shape }) };
  const [old, now] = [linesOf(text), linesOf(after)];
  const same = now.findIndex((line, index) => line !== old[index]);
  const added = now.slice(same, now.length - old.length + same);
  const isOnly = old.slice(same).every((line, index) => line === now[same + added.length + index]);
  if (isOnly)
    return { where: `put this into ${file}, indented as it is, below line ${same}`, lines: joined(added) };
  // `service: {}` becomes a block.
  return {
    where: `put this into ${file} in place of line ${same + 1}`,
    lines: joined(now.slice(same, same + added.length + 1)),
  };
}

function insteadOf(shape: object, { file, text }: ProjectText, { key, get }: YamlParts): Paste {
  const [name, value] = [key(SHAPE), get(SHAPE)];
  const start = name === undefined ? 0 : startOf(name);
  const end = value === undefined ? start : endOfBlock(value);
  const indent = " ".repeat(columnAt(text, start));
  const lines = joined(linesOf(blockText({ shape }).trimEnd()).map((line) => indent + line));
  const [first, last] = [lineAt(text, start), lineAt(text, Math.max(start, end))];
  const which = first === last ? `line ${first}` : `lines ${first} to ${last}`;
  return { where: `put this into ${file}, indented as it is, in place of ${which}`, lines };
}

/** For settings on one line: the rest of the line is not shown again. */
function intoBraces(shape: object, { file, text }: ProjectText, { key, get }: YamlParts): Paste {
  const inner = flowText({ shape }).slice(1, -1).trim();
  const [old, service] = [key(SHAPE), get(SERVICE)];
  if (old !== undefined)
    return {
      where: `write the last of these lines into line ${lineAt(text, startOf(old))} of ${file}, in place of what \`shape:\` is there`,
      lines: `${inner}\n`,
    };
  const last = service === undefined ? 0 : (service.range?.[1] ?? 1) - 1;
  return {
    where: `write the last of these lines into line ${lineAt(text, last)} of ${file}, before the brace that closes \`service:\``,
    lines: `, ${inner}\n`,
  };
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** The line of an offset, from 1. */
function lineAt(text: string, offset: number): number {
  return linesOf(text.slice(0, offset)).length;
}
