/**
 * A service that gives one list from a file, and ignores the requested page size. Runs in its own process, and sends
 * its address when it listens.
 *
 *   fork("bench/list-service.js", [LIST])
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const list = readFileSync(process.argv[2] ?? "");
const server = createServer((request, response) => {
  const isPosts = request.url?.startsWith("/v1/posts?") === true;
  response.writeHead(200, { "content-type": "application/json" });
  response.end(isPosts ? list : "[]");
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object") process.send?.(`http://127.0.0.1:${address?.port}`);
});
process.on("disconnect", () => process.exit());
