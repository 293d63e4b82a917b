/** What is wrong with the service, its address or its key. */
import { csv, row } from "./csv.js";

const files = { "calendars/march.csv": csv(row({})) };
const remote = (url) => `service: { url: ${url} }\ntimezone: Europe/Paris\n`;
const refused = (status, code, message) => ({
  run: "plancast plan",
  project: "timezone: Europe/Paris\n",
  files,
  answer: { status, body: { error: { code, message } } },
});

/** @type {Readonly<Record<string, import("../problem-examples.js").Case>>} */
export const SERVICE_CASES = {
  "service/not-configured": { run: "plancast plan", project: "timezone: Europe/Paris\n", files },
  "service/address": { run: "plancast plan", project: remote("http://api.example.com/v1"), files },
  "service/no-key": { run: "plancast plan", project: remote("https://api.example.com/v1"), files },
  "service/unauthorized": refused(401, "unauthorized", "The key is not known."),
  "service/forbidden": refused(403, "forbidden", "The key may not read."),
  "service/refused": refused(404, "not_found", "There is no such page."),
  "service/unreadable": {
    ...refused(200),
    answer: { status: 200, body: { message: "Welcome" } },
  },
  "service/redirect": {
    ...refused(302),
    answer: { status: 302, headers: { location: "https://www.example.com/" }, body: {} },
  },
  "service/not-found": { run: "plancast posts show 4711", files },
  "service/url-not-confirmed": {
    run: "plancast plan",
    project: remote("https://api.example.com/v1"),
    files,
    env: { PLANCAST_API_KEY: "sk_example", CI: "true" },
  },
  "share/address": {
    run: "plancast plan --trust-url https://api.example.com",
    files,
    project:
      "service: { url: https://api.example.com/v1, share: redis.example.com }\ntimezone: Europe/Paris\n",
    env: { PLANCAST_BASE_URL: "https://api.example.com/v1", PLANCAST_API_KEY: "sk_example" },
  },
};
