/**
 * Makes patterns with Unicode properties, such as `\p{L}`, at their first use. For an expression in the code, V8 builds
 * its set of characters as soon as it reads the file, also in functions that never run. That took a tenth of a short run.
 */
import { parseAst } from "rolldown/parseAst";

export function lazyPatternsPlugin() {
  return {
    name: "plancast-lazy-patterns",
    renderChunk: (code) => ({ code: withLazyPatterns(code), map: null }),
  };
}

/** @param {string} code of a module */
export function withLazyPatterns(code) {
  if (!code.includes("\\p{")) return code;
  const { literals, uses, bindings, exported } = collect(parseAst(code));
  /** @type {{ start: number, end: number, text: string }[]} */
  const edits = [];
  const added = [];
  for (const { node, constant, isInFunction } of literals) {
    const made = `new RegExp(${JSON.stringify(node.regex.pattern)}, "${node.regex.flags}")`;
    if (constant !== undefined && bindings.get(constant.name) === 1 && !exported.has(constant.name)) {
      const { name } = constant;
      edits.push({ start: constant.start, end: constant.end, text: `let ${name};` });
      for (const { start, end, isShorthand } of uses.get(name) ?? [])
        edits.push({ start, end, text: `${isShorthand ? `${name}: ` : ""}(${name} ??= ${made})` });
    } else if (isInFunction && !/[gy]/.test(node.regex.flags)) {
      // Without a position that it remembers, one object is enough for all calls.
      const name = `lazyPattern$${added.length}`;
      added.push(name);
      edits.push({ start: node.start, end: node.end, text: `(${name} ??= ${made})` });
    }
  }
  edits.sort((one, other) => one.start - other.start);
  let [done, from] = ["", 0];
  for (const { start, end, text } of edits) {
    done += code.slice(from, start) + text;
    from = end;
  }
  return `${done}${code.slice(from)}${added.length === 0 ? "" : `\nvar ${added.join(", ")};\n`}`;
}

function hasProperty(node) {
  return node?.type === "Literal" && node.regex?.pattern.includes("\\p{") === true;
}

/** The patterns in a module, and where it uses which name. */
function collect(program) {
  const literals = [];
  /** @type {Map<string, { start: number, end: number, isShorthand: boolean }[]>} */
  const uses = new Map();
  /** @type {Map<string, number>} how often a name is defined */
  const bindings = new Map();
  const exported = new Set();
  const use = (name, { start, end }, isShorthand) => {
    const known = uses.get(name);
    if (known === undefined) uses.set(name, [{ start, end, isShorthand }]);
    else known.push({ start, end, isShorthand });
  };
  const bind = (name) => bindings.set(name, (bindings.get(name) ?? 0) + 1);
  const visit = (node, isInFunction, isPattern) => {
    if (Array.isArray(node)) return node.forEach((each) => visit(each, isInFunction, isPattern));
    if (node === null || typeof node !== "object" || typeof node.type !== "string") return;
    const { type } = node;
    if (type === "ImportDeclaration") return node.specifiers.forEach(({ local }) => bind(local.name));
    if (type === "ExportNamedDeclaration" && node.declaration === null)
      return node.specifiers.forEach(({ local }) => exported.add(local.name));
    if (type === "Identifier") {
      if (isPattern) bind(node.name);
      else use(node.name, node, false);
      return;
    }
    if (hasProperty(node)) return void literals.push({ node, isInFunction });
    if (type === "Property" && node.shorthand && node.value.type === "Identifier" && !isPattern) {
      use(node.value.name, node, true);
      return;
    }
    const isFunction = /Function/.test(type) || type === "StaticBlock" || type === "PropertyDefinition";
    for (const [key, child] of Object.entries(node)) {
      const isName =
        !node.computed &&
        ((type === "MemberExpression" && key === "property") ||
          (/^(?:Property|MethodDefinition|PropertyDefinition)$/.test(type) && key === "key"));
      if (isName || key === "label") continue;
      const binds =
        (type === "VariableDeclarator" && key === "id") ||
        (/Function|Class/.test(type) && key === "id") ||
        (/Function/.test(type) && key === "params") ||
        (type === "CatchClause" && key === "param");
      const inDefault = type === "AssignmentPattern" && key === "right";
      visit(child, isInFunction || isFunction, binds || (isPattern && !inDefault && !(key === "key")));
    }
  };
  for (const statement of program.body) {
    const [first, ...more] = statement.type === "VariableDeclaration" ? statement.declarations : [];
    if (
      statement.kind === "const" &&
      more.length === 0 &&
      hasProperty(first?.init) &&
      first.id.type === "Identifier"
    ) {
      bind(first.id.name);
      literals.push({
        node: first.init,
        constant: { name: first.id.name, start: statement.start, end: statement.end },
        isInFunction: false,
      });
    } else visit(statement, false, false);
  }
  return { literals, uses, bindings, exported };
}
