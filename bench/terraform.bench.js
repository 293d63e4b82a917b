/**
 * The same calendar with Terraform: read by `csvdecode`, one `terraform_data` a row. Its posts are entries of a file on
 * this disk; plancast's are on a service that it asks. Needs terraform on the PATH; nothing is downloaded.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeProject } from "./big-project.js";
import { CLI, ratio, run } from "./side-by-side.js";
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

/** Each step with what both tools do in it, one after the other; the apply makes what the plans are about. */
const STEPS = [
  { name: "plan, all posts new", terraform: ["plan"], plancast: ["plan"] },
  { name: "apply, all posts new", terraform: ["apply", "-auto-approve"], plancast: ["apply", "--yes"] },
  { name: "plan, no change", terraform: ["plan"], plancast: ["plan"] },
];

/** One round, from nothing: how long each step took with each tool, ms. */
async function round() {
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
  /** @param {string[]} args */
  const terraform = (args) =>
    run({ command: "terraform", args, cwd: module, env: { CHECKPOINT_DISABLE: "1", TF_IN_AUTOMATION: "1" } });
  /** @param {string[]} args */
  const plancast = (args) =>
    run({
      args: [CLI, ...args, "--quiet"],
      cwd: folder,
      env: { PLANCAST_BASE_URL: url, PLANCAST_API_KEY: "key" },
    });
  terraform(["init", "-input=false"]);
  const times = STEPS.map((step) => ({
    terraform: terraform([...step.terraform, "-input=false"]),
    plancast: plancast(step.plancast),
  }));
  service.disconnect();
  rmSync(folder, { recursive: true });
  return times;
}

const rounds = [];
// oxlint-disable-next-line no-await-in-loop
for (let count = 0; count < ROUNDS; count += 1) rounds.push(await round());

const lines = STEPS.map(({ name }, step) => {
  const times = rounds.flatMap((each) => each[step] ?? []);
  const [terraform, plancast] = [times.map((each) => each.terraform), times.map((each) => each.plancast)];
  return `| ${name} | ${ratio(terraform, plancast).toFixed(1)} |`;
});
const text = `A calendar of ${ROWS.toLocaleString("en")} rows. Terraform reads it with \`csvdecode\` and has one \`terraform_data\` a row, which asks no service and
sends nothing; plancast asks and sends to a local one that does not limit it. Medians of ${ROUNDS} rounds.

| step | Terraform's time ÷ plancast's |
| --- | ---: |
${lines.join("\n")}`;
console.log(text);
writeSection("terraform", text);
