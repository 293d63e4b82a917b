/** Writes docs/rules.md from the definitions in src. A test fails when the two drift apart. */
import { writeFileSync } from "node:fs";
import { rulesPage } from "../dist/rules-page.js";

writeFileSync(new URL("../docs/rules.md", import.meta.url), rulesPage());
