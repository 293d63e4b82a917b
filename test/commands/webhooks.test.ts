/** `webhooks add` with answers that the interface does not describe reports what the service answered. */
import { createServer } from "node:http";
import { expect, test } from "vitest";
import { afterThisTest } from "../support/after-test.ts";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";

async function add(status: number, body: string): Promise<{ code: number | null; stdout: string }> {
  const server = createServer((request, response) => {
    request.resume().once("end", () => response.writeHead(status).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisTest(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("It has no port.");
  const { root } = await makeProject({ config: `service: { url: "http://127.0.0.1:${address.port}" }\n` });
  const args = ["webhooks", "add", "--url", "https://a.example/secret", "--event", "post.failed,post.failed"];
  const env = { PLANCAST_BASE_URL: `http://127.0.0.1:${address.port}`, PLANCAST_API_KEY: "key" };
  return runCommand(args, { cwd: root, env });
}

test.each<[string, number, string, number, RegExp]>([
  ["nothing", 204, "", 0, /^Registered the address at a\.example for post\.failed\.$/],
  ["a record in a wrapping", 201, '{"data":{"webhook":{"id":"w"}}}', 0, /\(w\) for post\.failed\.$/],
  ["a bare array", 201, '[{"id":"w"}]', 0, /^Registered the address at a\.example for post\.failed\.$/],
  [
    "other kinds than were asked for",
    201,
    '{"id":"w","events":["post.published"]}',
    0,
    /for post\.published\.$/,
  ],
  [
    "a page",
    200,
    "<html>Sign in",
    3,
    /may or may not have been .* that is not JSON, such as a sign-in page\./,
  ],
  [
    "a refusal",
    403,
    '{"error":{"code":"forbidden","message":"Admin only."}}',
    1,
    /not registered: Admin only \(forbidden\)/,
  ],
])("webhooks add reports what the service said: %s", async (_name, status, body, exit, words) => {
  const { code, stdout } = await add(status, body);
  expect([code, stdout.trim().replaceAll(/\s+/g, " ")]).toEqual([exit, expect.stringMatching(words)]);
  expect(stdout).not.toContain("secret");
});
