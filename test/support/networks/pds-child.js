// Runs a real Bluesky server (PDS), and the directory of identities that it needs, in this process. Arguments: the folder
// in which the packages are installed, and a folder for its data. Sends {url} when it is ready.
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";

const [, , packages, data] = process.argv;
const require = createRequire(join(packages, "package.json"));
const plc = require("@did-plc/lib");
const { cidForCbor } = require("@atproto/common");

/** Operations by identity, as the directory at plc.directory has them. */
const identities = new Map();

async function answer(method, [did, view], body) {
  const operations = identities.get(did) ?? [];
  if (method === "POST") {
    const operation = JSON.parse(body);
    await plc.assureValidNextOp(did, operations, operation);
    const entry = {
      did,
      operation,
      cid: await cidForCbor(operation),
      nullified: false,
      createdAt: new Date(),
    };
    identities.set(did, [...operations, entry]);
    return {};
  }
  const newest = operations.at(-1)?.operation;
  if (newest === undefined) return undefined;
  if (view === "log") return operations.map(({ operation }) => operation);
  const current = plc.opToData(did, newest);
  return view === "data" ? current : plc.formatDidDoc(current);
}

const directory = createServer((incoming, outgoing) => {
  const chunks = [];
  incoming.on("data", (chunk) => chunks.push(chunk));
  incoming.on("end", () => void respond(incoming, chunks, outgoing));
});

async function respond(incoming, chunks, outgoing) {
  const path = incoming.url.slice(1);
  const isLast = path.endsWith("/log/last");
  const parts = path.split("/").map(decodeURIComponent);
  const found = await answer(incoming.method, parts, Buffer.concat(chunks).toString()).catch(() => undefined);
  const shown = isLast ? found?.at(-1) : found;
  outgoing.writeHead(shown === undefined ? 404 : 200, { "content-type": "application/json" });
  outgoing.end(JSON.stringify(shown ?? { message: "not registered" }));
}
await new Promise((resolve) => directory.listen(0, "127.0.0.1", resolve));

const port = await freePort();
const secret = () => randomBytes(32).toString("hex");
Object.assign(process.env, {
  PDS_PORT: String(port),
  PDS_HOSTNAME: "localhost",
  PDS_DEV_MODE: "true",
  PDS_DATA_DIRECTORY: data,
  PDS_BLOBSTORE_DISK_LOCATION: join(data, "blobs"),
  PDS_DID_PLC_URL: `http://127.0.0.1:${directory.address().port}`,
  PDS_JWT_SECRET: secret(),
  PDS_ADMIN_PASSWORD: secret(),
  PDS_PLC_ROTATION_KEY_K256_PRIVATE_KEY_HEX: secret(),
  PDS_INVITE_REQUIRED: "false",
  PDS_SERVICE_HANDLE_DOMAINS: ".test",
  // Nothing leaves this machine.
  PDS_BSKY_APP_VIEW_URL: "http://127.0.0.1:1",
  PDS_BSKY_APP_VIEW_DID: "did:example:none",
  PDS_CRAWLERS: "",
  PDS_RATE_LIMITS_ENABLED: "true",
  LOG_ENABLED: "false",
});
const { PDS, envToCfg, envToSecrets, readEnv } = require("@atproto/pds");
const settings = readEnv();
const server = await PDS.create(envToCfg(settings), envToSecrets(settings));
await server.start();
process.send?.({ url: `http://localhost:${port}` });

async function freePort() {
  const probe = createServer();
  await new Promise((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port: found } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return found;
}
