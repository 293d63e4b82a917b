/**
 * The same calendar with Terraform: `csvdecode` reads it, and each row is a `terraform_data`. Its posts are entries
 * of a file on this disk; plancast's are on a service that it asks. Needs terraform on the PATH; nothing is
 * downloaded.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeProject } from "./big-project.js";
import { CLI, ratio, run, sideBySide } from "./side-by-side.js";
import { writeSection } from "./write-section.js";

const ROWS = 1_000;
const ROUNDS = 3;
/** No limit that 1,000 posts would meet. */
const UNLIMITED = { limit: 1_000_000, windowMs: 60_000, unit: "seconds" };

const MAIN_TF = `
locals {
  rows = csvdecode(file("calendar.csv"))
}

resource "terraform_data" "post" {
  for_each = { for index, row in local.rows : tostring(index) => row }
  input    = each.value
}
`;

const folder = mkdtempSync(join(tmpdir(), "plancast-bench-"));
const service = fork(fileURLToPath(new URL("limited-service.js", import.meta.url)), [
  JSON.stringify(UNLIMITED),
]);
const [url] = await once(service, "message");
const { calendar } = writeProject(folder, "csv", ROWS);
const module = join(folder, "terraform");
mkdirSync(module);
copyFileSync(calendar, join(module, "calendar.csv"));
writeFileSync(join(module, "main.tf"), MAIN_TF);

/** @param {...string} args */
const terraform = (...args) => ({
  command: "terraform",
  args: [...args, "-input=false"],
  cwd: module,
  env: { CHECKPOINT_DISABLE: "1", TF_IN_AUTOMATION: "1" },
});
/** @param {...string} args */
const plancast = (...args) => ({
  args: [CLI, ...args, "--quiet"],
  cwd: folder,
  env: { PLANCAST_BASE_URL: url, PLANCAST_API_KEY: "key" },
});

run(terraform("init"));
const plans = { terraform: terraform("plan"), plancast: plancast("plan") };
const applies = { terraform: terraform("apply", "-auto-approve"), plancast: plancast("apply", "--yes") };
const steps = {
  "plan, all posts new": sideBySide(plans, ROUNDS),
  "apply, all posts new (once)": sideBySide(applies, 1),
  "plan, no change": sideBySide(plans, ROUNDS),
};
service.disconnect();
rmSync(folder, { recursive: true });

const lines = Object.entries(steps).map(
  ([name, times]) => `| ${name} | ${ratio(times.terraform, times.plancast).toFixed(1)} |`,
);
const text = `A calendar of ${ROWS.toLocaleString("en")} rows. Terraform reads it with \`csvdecode\` and has one \`terraform_data\` for each row, so it contacts
no service. plancast sends its requests to a local service without a limit. Medians of ${ROUNDS} rounds.

| step | Terraform's time ÷ plancast's |
| --- | ---: |
${lines.join("\n")}`;
console.log(text);
writeSection("terraform", text);
