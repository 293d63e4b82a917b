/** Decides how the tools that the tests need get onto a machine. Pure: the facts about the machine are parameters. */

export const BROWSER = "Chromium or Google Chrome";

/** What the tests need, which tests need it, and its packages. */
export const TOOLS = [
  { name: "git", why: "repositories: the GitHub Action, `plancast init`", apt: "git", brew: "git" },
  { name: "bash", why: "steps of the GitHub Action, tab completion", apt: "bash", brew: "bash" },
  { name: "zsh", why: "tab completion", apt: "zsh", brew: "zsh" },
  { name: "fish", why: "tab completion", apt: "fish", brew: "fish" },
  { name: "script", why: "output in a terminal", apt: "bsdutils", brew: "util-linux" },
  { name: "redis-server", why: "several machines that share one key", apt: "redis-server", brew: "redis" },
  {
    name: "postgres",
    why: "several machines that publish together",
    apt: "postgresql",
    brew: "postgresql",
  },
  { name: BROWSER, why: "the preview, in a real browser", apt: "chromium", brew: "google-chrome" },
];

/**
 * @typedef {object} Machine
 * @property {string} platform as in process.platform
 * @property {boolean} isUbuntu
 * @property {readonly string[]} missing names of TOOLS
 * @property {readonly ("apt-get" | "brew")[]} managers that are on the PATH
 * @property {boolean} isRoot
 * @property {"no" | "with a password" | "without a password"} sudo
 * @property {boolean} isTerminal there is somebody to ask
 */

/**
 * @param {Machine} machine
 * @returns {{ action: "ready" | "install" | "ask" | "stop", command: string, message: string }} the command installs all
 *   that is missing, as typed into a shell; blank if there is none
 */
export function planTestTools(machine) {
  if (machine.missing.length === 0) return { action: "ready", command: "", message: "" };
  const manager = managerFor(machine);
  const command = manager === undefined ? "" : COMMANDS[manager](machine);
  const action = manager === undefined ? "stop" : actionFor(manager, machine);
  const next = manager === undefined ? byHand(machine) : nextStep(manager, action, command, machine);
  const message = [missingTools(machine), "", ...next, ""].join("\n");
  return { action, command, message };
}

/** @param {Machine} machine */
function missingTools({ missing }) {
  const tools = TOOLS.filter(({ name }) => missing.includes(name));
  const width = Math.max(...tools.map(({ name }) => name.length));
  const lines = tools.map(({ name, why }) => `  ${name.padEnd(width)}  for tests of: ${why}`);
  return ["The tests need tools that this machine does not have:", ...lines].join("\n");
}

/** @param {Machine} machine */
function managerFor({ platform, managers, isRoot, sudo }) {
  const has = (name) => managers.includes(name);
  if (platform === "linux" && has("apt-get") && (isRoot || sudo !== "no" || !has("brew"))) return "apt-get";
  return platform !== "win32" && has("brew") ? "brew" : undefined;
}

/** @param {"apt-get" | "brew"} manager @param {Machine} machine */
function actionFor(manager, { isRoot, sudo, isTerminal }) {
  if (manager === "brew") return isRoot ? "stop" : isTerminal ? "ask" : "install";
  if (isRoot) return "install";
  if (sudo === "no") return "stop";
  if (isTerminal) return "ask";
  return sudo === "without a password" ? "install" : "stop";
}

/** @param {Machine} machine */
function byHand({ platform, missing }) {
  if (platform === "win32") return ["No tests were run: they need Linux or macOS. On Windows, use WSL."];
  return [
    `No tests were run: ${platform === "darwin" ? "" : "apt-get or "}Homebrew is needed to install them, and is not on the PATH.`,
    `Install them in your own way, then run the tests again: ${missing.join(", ")}.`,
  ];
}

/** @param {"apt-get" | "brew"} manager @param {string} action @param {string} command @param {Machine} machine */
function nextStep(manager, action, command, { isRoot }) {
  if (action === "ask") return ["To install them:", `  ${command}`];
  if (action === "install") return [`Installing them now${isRoot ? ", as root" : ""}:`, `  ${command}`];
  const [reason, who] =
    manager === "brew"
      ? ["Homebrew does not run as root", "As another user"]
      : ["installing needs root, or sudo without a password", "As a user who may install"];
  return [`No tests were run: ${reason}.`, `${who}, run this command, then the tests again:`, `  ${command}`];
}

const COMMANDS = { "apt-get": aptCommand, brew: brewCommand };

/** @param {Machine} machine */
function aptCommand({ missing, isUbuntu, isRoot }) {
  // Ubuntu's package is only a link to a snap, which does not work in containers or with files in /tmp.
  const isDownloaded = isUbuntu && missing.includes(BROWSER);
  const tools = TOOLS.filter(({ name }) => missing.includes(name) && !(isDownloaded && name === BROWSER));
  const [sudo, set] = isRoot ? ["", ""] : ["sudo ", "sudo env "];
  const packages = [
    `${sudo}apt-get update`,
    `${set}DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ${tools.map(({ apt }) => apt).join(" ")}`,
  ];
  // It calls apt-get for the libraries of the browser, with sudo if needed.
  const browser = "npx playwright-core install --with-deps --no-shell chromium";
  return [...(tools.length > 0 ? packages : []), ...(isDownloaded ? [browser] : [])].join(" && ");
}

/** @param {Machine} machine */
function brewCommand({ missing, platform }) {
  const tools = TOOLS.filter(({ name }) => missing.includes(name) && name !== BROWSER);
  // The cask of Chromium does not pass macOS's Gatekeeper. On Linux there are no casks.
  const browser =
    platform === "darwin"
      ? "brew install --cask google-chrome"
      : "npx playwright-core install --no-shell chromium";
  return [
    ...(tools.length > 0 ? [`brew install ${tools.map(({ brew }) => brew).join(" ")}`] : []),
    ...(missing.includes(BROWSER) ? [browser] : []),
  ].join(" && ");
}
