/** A web page of somebody else, on a real HTTP server. */
import { type ServerResponse, createServer } from "node:http";
import { afterThisTest } from "./after-test.ts";

/** @param page its HTML, or what answers. @returns the origin */
export async function startPage(
  page: string | ((path: string, response: ServerResponse) => void),
): Promise<string> {
  const server = createServer((request, response) => {
    if (typeof page === "string") response.writeHead(200, { "content-type": "text/html" }).end(page);
    else page(request.url ?? "/", response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisTest(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return `http://127.0.0.1:${address.port}`;
}
