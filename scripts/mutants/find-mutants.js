/**
 * Finds places in a source file for small faults. Writes the file so that each fault can be switched on while the tests
 * run: `a < b` becomes `(isMutantOn(12) ? (a <= b) : a < b)`.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseAst } from "rolldown/parseAst";
import { globSync } from "tinyglobby";

/**
 * @typedef {object} Mutant
 * @property {string} id stays the same as long as the statement around it does
 * @property {string} file
 * @property {number} line
 * @property {string} operator what kind of fault it is
 * @property {string} was
 * @property {string} becomes
 * @property {number} start
 * @property {number} end
 * @property {"expression" | "statement" | "call"} place
 * @property {number} rank by its id; the mutants with low ranks are chosen
 */

const BOUNDARY = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
const NEGATED = { "<": ">=", "<=": ">", ">": "<=", ">=": "<", "===": "!==", "!==": "===" };
const ARITHMETIC = { "+": "-", "-": "+", "*": "/", "/": "*" };
const ASSIGNED = { "+=": "-=", "-=": "+=", "*=": "/=", "??=": "=", "||=": "=", "&&=": "=" };
const CALLED = { min: "max", max: "min", some: "every", every: "some", ceil: "floor", floor: "ceil" };
/** Words that decide something, such as `cancel` or `not-whole`, but no text for people. */
const WORD = /^[\w-]+$/;
const LARGE = 100;
/** Frequent kinds: fewer of them are chosen. */
const COMMON = new Set(["number", "empty text", "returns nothing"]);

/**
 * Every mutant of a file, in the order of its text.
 * @param {Map<string, number>} seen how often each fault has been found; equal statements may be in several files
 * @returns {Mutant[]}
 */
function mutantsOf(file, source, seen) {
  const found = [];
  const lines = lineStarts(source);
  const text = ({ start, end }) => source.slice(start, end);
  const add = (node, operator, becomes, around, place = "expression") => {
    const key = `${operator} ${text(node)} ${becomes} in ${around}`.replaceAll(/[\s,]+/g, "");
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    const hash = createHash("sha256").update(`${key} ${count}`).digest();
    const line = lines.findLastIndex((start) => start <= node.start) + 1;
    found.push({
      id: hash.toString("hex").slice(0, 7),
      rank: (hash.readUInt32BE(0) / 2 ** 32) * (COMMON.has(operator) ? 2 : 1),
      file,
      line,
      operator,
      was: text(node),
      becomes,
      start: node.start,
      end: node.end,
      place,
    });
  };
  walk(parseAst(source, { lang: "ts" }), { text, add, source });
  return found.sort((one, other) => one.start - other.start || other.end - one.end);
}

/** @param {string[]} globs @returns {Mutant[]} */
export function allMutants(root, globs) {
  const seen = new Map();
  const files = globSync(globs, { cwd: root, ignore: ["**/*.d.ts"] }).sort();
  return files.flatMap((file) => mutantsOf(file, readFileSync(`${root}/${file}`, "utf8"), seen));
}

function lineStarts(source) {
  return [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

/** Visits what runs; types and imports do not. `around` is the text of the statement that a node belongs to. */
function walk(node, tools, around = "", parent) {
  if (Array.isArray(node)) {
    for (const each of node) walk(each, tools, around, parent);
    return;
  }
  if (node === null || typeof node !== "object" || typeof node.type !== "string") return;
  if (isTypeOnly(node)) {
    walk(node.expression, tools, around, parent);
    return;
  }
  const here = isStatement(node) ? headOf(node, tools.text) : around;
  mutate(node, parent, {
    ...tools,
    add: (which, operator, becomes, place) => tools.add(which, operator, becomes, here, place),
  });
  for (const [name, child] of Object.entries(node)) {
    if (child !== null && typeof child === "object" && !isLeftAlone(node, name))
      walk(child, tools, here, node);
  }
}

function isTypeOnly({ type }) {
  return type.startsWith("TS") || type.startsWith("Import") || type === "ExportAllDeclaration";
}

/** Names, targets of assignments, and calls of a constructor's parent. */
function isLeftAlone(node, name) {
  if (name === "key" || name === "property") return !node.computed;
  if (name === "left") return node.type.endsWith("AssignmentExpression") || node.type === "AssignmentPattern";
  if (name === "argument") return node.type === "UpdateExpression" || node.operator === "delete";
  return name === "id" || name === "source" || name === "quasi";
}

function isStatement({ type }) {
  return (
    (/Statement$|Declaration$|^PropertyDefinition$|^MethodDefinition$/.test(type) &&
      type !== "BlockStatement") ||
    type === "SwitchCase"
  );
}

/** A statement without its inner statements, so that a change in those does not count as a change in it. */
function headOf(node, text) {
  const inner = node.consequent ?? node.body ?? node.cases ?? node.block ?? node.value?.body ?? undefined;
  const first = Array.isArray(inner) ? inner[0] : inner;
  const hasInner = typeof first?.start === "number" && node.type !== "ExpressionStatement";
  return hasInner ? text({ start: node.start, end: first.start }) : text(node);
}

function mutate(node, parent, { add, text }) {
  switch (node.type) {
    case "BinaryExpression":
      return mutateBinary(node, add, text);
    case "LogicalExpression": {
      const [left, right] = [text(node.left), text(node.right)];
      if (node.operator === "??") add(node, "no default", left);
      else add(node, "and/or", `(${left}) ${node.operator === "&&" ? "||" : "&&"} (${right})`);
      return;
    }
    case "AssignmentExpression": {
      const operator = ASSIGNED[node.operator];
      if (operator !== undefined)
        add(node, "assignment", `${text(node.left)} ${operator} ${text(node.right)}`);
      return;
    }
    case "UnaryExpression":
      if (node.operator === "!") add(node, "negation", text(node.argument));
      if (node.operator === "-") add(node, "arithmetic", text(node.argument));
      return;
    case "IfStatement":
    case "ConditionalExpression":
      if (["CallExpression", "Identifier", "MemberExpression", "ChainExpression"].includes(node.test.type))
        add(node.test, "negation", `!(${text(node.test)})`);
      return;
    case "Literal":
      return mutateLiteral(node, parent, add);
    case "ArrayExpression":
      if (node.elements.length > 0) add(node, "empty list", "[]");
      return;
    case "AwaitExpression":
      add(node, "no await", text(node.argument));
      return;
    case "CallExpression": {
      const name = node.callee.property?.name;
      if (node.callee.type !== "MemberExpression" || !Object.hasOwn(CALLED, name)) return;
      const called = CALLED[name];
      const { start, end } = node.callee.property;
      add(
        node,
        "function",
        text({ start: node.start, end: start }) + called + text({ start: end, end: node.end }),
      );
      return;
    }
    case "ReturnStatement":
      if (node.argument !== null && node.argument.name !== "undefined")
        add(node.argument, "returns nothing", "undefined");
      if (parent?.type === "IfStatement") add(node, "statement removed", "", "statement");
      return;
    case "ThrowStatement":
    case "ContinueStatement":
      add(node, "statement removed", "", "statement");
      return;
    case "ExpressionStatement":
      if (typeof node.directive !== "string" && isRemovable(node.expression))
        add(node.expression, "statement removed", "", "call");
      return;
    default:
  }
}

function isRemovable({ type, callee, left }) {
  if (callee?.type === "Super") return false;
  // What a constructor keeps.
  if (type === "AssignmentExpression")
    return left.property?.type !== "PrivateIdentifier" || left.object.type !== "ThisExpression";
  return true;
}

function mutateBinary(node, add, text) {
  const { operator } = node;
  const [left, right] = [operand(text(node.left)), operand(text(node.right))];
  if (operator in BOUNDARY) add(node, "boundary", `${left} ${BOUNDARY[operator]} ${right}`);
  if (operator in NEGATED) add(node, "condition", `${left} ${NEGATED[operator]} ${right}`);
  if (operator === "instanceof" || operator === "in") add(node, "condition", `!(${text(node)})`);
  const isText = /["'`]/.test(left + right);
  if (operator in ARITHMETIC && !isText) add(node, "arithmetic", `${left} ${ARITHMETIC[operator]} ${right}`);
}

/** The parser drops parentheses. */
function operand(text) {
  return /^[\w.#]+$/.test(text) ? text : `(${text})`;
}

function mutateLiteral(node, parent, add) {
  const { value, raw } = node;
  if (typeof value === "boolean") add(node, "boolean", String(!value));
  if (typeof value === "number") add(node, "number", `${raw} ${Math.abs(value) < LARGE ? "+ 1" : "* 2"}`);
  if (typeof value === "string" && WORD.test(value) && parent?.type !== "ExpressionStatement")
    add(node, "empty text", '""');
}

/**
 * A file with switches for some of its mutants.
 * @param {string} source @param {readonly { mutant: Mutant, number: number }[]} switches
 * @param {number | undefined} entered called with this number wherever a function of the file begins
 */
export function withSwitches(source, switches, entered) {
  const inserts = [];
  const insert = (at, text, isStart, size) => inserts.push({ at, text, isStart, size });
  for (const { mutant, number } of switches) {
    const { start, end, place, becomes } = mutant;
    const [before, after] =
      place === "statement"
        ? [`{ if (!isMutantOn(${number})) `, " }"]
        : place === "call"
          ? [`isMutantOn(${number}) || (`, ")"]
          : [`(isMutantOn(${number}) ? (${becomes}) : `, ")"];
    insert(start, before, true, end - start);
    insert(end, after, false, end - start);
  }
  if (entered !== undefined) {
    for (const { start, end, isBlock } of functionBodies(parseAst(source, { lang: "ts" }))) {
      // One more than the length of the largest expression that can start there.
      if (isBlock) insert(start + 1, `isMutantOn(${entered});`, true, Infinity);
      else {
        insert(start, `(isMutantOn(${entered}), `, true, end - start + 0.5);
        insert(end, ")", false, end - start + 0.5);
      }
    }
  }
  // At the same place, ends come before starts. Inner ranges end first, outer ranges start first.
  inserts.sort((a, b) => {
    if (a.at !== b.at) return a.at - b.at;
    if (a.isStart !== b.isStart) return a.isStart ? 1 : -1;
    return a.isStart ? b.size - a.size : a.size - b.size;
  });
  let result = "";
  let at = 0;
  for (const each of inserts) {
    result += source.slice(at, each.at) + each.text;
    at = each.at;
  }
  return result + source.slice(at);
}

function functionBodies(node, found = []) {
  if (Array.isArray(node)) for (const each of node) functionBodies(each, found);
  else if (node !== null && typeof node === "object") {
    if (/^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/.test(node.type) && node.body) {
      const isBlock = node.body.type === "BlockStatement" || node.body.type === "FunctionBody";
      found.push({ start: node.body.start, end: node.body.end, isBlock });
    }
    for (const child of Object.values(node)) functionBodies(child, found);
  }
  return found;
}
