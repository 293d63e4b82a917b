// Runs the embedded service in its own process, so that a test can kill it. Argument: the store's folder.
// Sends {url, keys}; asked for "memory", sends the most that it has used so far, in bytes.
import { randomBytes } from "node:crypto";
import { Place } from "../../dist-dev/disk/place.js";
import { startEmbedded } from "../../dist-dev/embedded/start-embedded.js";

const service = await startEmbedded({
  folder: Place.checked(process.argv[2]),
  access: "read-write",
  plan: "business",
  rateWindowMs: 1,
  random: randomBytes,
  now: Date.now,
});

const peak = { rss: 0, arrayBuffers: 0 };
setInterval(() => {
  const { rss, arrayBuffers } = process.memoryUsage();
  peak.rss = Math.max(peak.rss, rss);
  peak.arrayBuffers = Math.max(peak.arrayBuffers, arrayBuffers);
}, 10);

process.on("message", (message) => {
  if (message === "memory") process.send?.(peak);
});
process.send?.({ url: service.url, keys: service.keys });
