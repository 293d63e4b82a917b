/** Writes the pages of docs/ that are generated from the definitions in src. A test fails when they drift apart. */
import { writeFileSync } from "node:fs";
import { presetsPage } from "../dist/presets-page.js";
import { rulesPage } from "../dist/rules-page.js";

writeFileSync(new URL("../docs/rules.md", import.meta.url), rulesPage());
writeFileSync(new URL("../docs/presets.md", import.meta.url), presetsPage());
