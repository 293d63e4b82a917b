/**
 * Prevents bundled packages from loading other packages at run time. Some look for optional packages, and would find
 * those in the user's node_modules.
 */

const VIRTUAL = "\0builtin-only";
const IN_PACKAGE = /[\\/]node_modules[\\/]/;

/** `createRequire` of Node, for its own modules only. */
const CODE = `
import { createRequire as create, isBuiltin } from "node:module";
export * from "node:module";
export function createRequire(from) {
  const load = create(from);
  const only = (use) => (name) => {
    if (isBuiltin(name)) return use(name);
    throw Object.assign(new Error("plancast loads no " + name), { code: "MODULE_NOT_FOUND" });
  };
  return Object.assign(only(load), { resolve: only(load.resolve) });
}`;

export function builtinOnlyPlugin() {
  return {
    name: "builtin-only",
    resolveId(id, importer) {
      const isModule = id === "module" || id === "node:module";
      return isModule && importer !== undefined && IN_PACKAGE.test(importer) ? VIRTUAL : undefined;
    },
    load: (id) => (id === VIRTUAL ? { code: CODE, moduleType: "js" } : undefined),
    transform(code, id) {
      if (!IN_PACKAGE.test(id) || !code.includes('eval("require")')) return undefined;
      return { code: code.replaceAll('eval("require")', "undefined"), map: null };
    },
  };
}
