/** Which modules are bundled into one file, so that a command starts by opening few files. */
import { fileURLToPath } from "node:url";

/**
 * The starts, the narrowest first, by name of file. A module belongs to the first that imports it. Modules that none
 * of them imports are left to the bundler.
 */
const STARTS = {
  version: "model/version.ts",
  main: "commands/main.ts",
  complete: "commands/complete.ts",
  // The names of formats, which the flags of several commands show: help needs no more.
  formats: "commands/plan/command.ts",
  check: "commands/validate.ts",
  csv: "calendars/formats/csv/read-csv.ts",
  plan: "commands/plan/run.ts",
};

/** The bundler's plugin and groups that belong together: one pair for each build. */
export function startChunks() {
  const startOf = new Map();
  const plugin = {
    name: "plancast-start-chunks",
    buildEnd() {
      const visit = (id, name) => {
        const info = startOf.has(id) ? null : this.getModuleInfo(id);
        if (info === null || info.isExternal) return;
        startOf.set(id, name);
        for (const imported of info.importedIds) visit(imported, name);
      };
      for (const [name, file] of Object.entries(STARTS))
        visit(fileURLToPath(new URL(`../src/${file}`, import.meta.url)), name);
    },
  };
  const groups = Object.keys(STARTS).map((name, index, all) => ({
    name,
    priority: all.length - index,
    test: (id) => startOf.get(id) === name,
  }));
  return { plugin, groups };
}
