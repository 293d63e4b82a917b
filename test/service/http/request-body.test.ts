/** Bodies of requests with files, as a server receives them. */
import { createHash, randomBytes } from "node:crypto";
import { appendFile, writeFile } from "node:fs/promises";
import { type IncomingMessage, createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { DiskFile } from "../../../src/media/media-file.ts";
import {
  type RequestBody,
  bytesBody,
  formBody,
  openConnections,
  sendOnce,
} from "../../../src/service/http/request.ts";
import { afterThisTest } from "../../support/after-test.ts";
import { temporaryFolder } from "../../support/embedded-service.ts";

/** Sends a body to a server that reads it with this function. The server answers with the result as JSON. */
async function send(
  { body, type, length }: RequestBody,
  read: (incoming: IncomingMessage) => Promise<unknown>,
): ReturnType<typeof sendOnce> {
  const server = createServer((incoming, outgoing) => {
    read(incoming).then(
      (value) => outgoing.end(JSON.stringify(value)),
      () => incoming.socket.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const dispatcher = openConnections();
  afterThisTest(async () => {
    await dispatcher.destroy();
    server.close();
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
  const headers = {
    "content-type": type,
    ...(length === undefined ? {} : { "content-length": String(length) }),
  };
  return sendOnce({ method: "POST", url, headers, body, timeoutMs: 20_000 }, dispatcher);
}

async function fileOf(bytes: Uint8Array): Promise<string> {
  const path = join(await temporaryFolder(), "clip.mp4");
  await writeFile(path, bytes);
  return path;
}

async function formIn(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) if (chunk instanceof Buffer) chunks.push(chunk);
  const headers = { "content-type": incoming.headers["content-type"] ?? "" };
  const form = await new Response(Buffer.concat(chunks), { headers }).formData();
  const fields: unknown[] = [];
  for (const [name, value] of form)
    fields.push([name, value instanceof File ? [value.name, value.type, await value.text()] : value]);
  return fields;
}

test("a server reads a form with texts and files as it was written", async () => {
  const path = await fileOf(Buffer.from("film"));
  const parts = [
    { name: "description", value: 'A bed of "tulips" 🌷\nand more' },
    { name: "file", value: await DiskFile.open(path, "video/mp4"), fileName: 'a "clip".mp4' },
    { name: "files[1]", value: new Blob(["second"]), fileName: "two.bin" },
  ];
  const answer = await send(formBody(parts, Math.random), formIn);
  expect(answer).toMatchObject({ kind: "answer", status: 200 });
  expect(JSON.parse("text" in answer ? answer.text : "")).toEqual([
    ["description", 'A bed of "tulips" 🌷\r\nand more'],
    ["file", ['a "clip".mp4', "video/mp4", "film"]],
    ["files[1]", ["two.bin", "application/octet-stream", "second"]],
  ]);
});

/** Reads in jerks, so that the sender often waits. */
async function hashSlowly(incoming: IncomingMessage): Promise<string> {
  const hash = createHash("sha256");
  let parts = 0;
  for await (const chunk of incoming) {
    if (chunk instanceof Buffer) hash.update(chunk);
    parts += 1;
    if (parts % 10 === 0) await wait(parts % 3);
  }
  return hash.digest("hex");
}

test("a slow server gets a large file byte for byte, although its memory is used again", async () => {
  const bytes = randomBytes(20_000_000);
  const file = await DiskFile.open(await fileOf(bytes), "video/mp4");
  const results = await Promise.all([1, 2].map(() => send(bytesBody(file, "video/mp4"), hashSlowly)));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  expect(results).toMatchObject([{ text: `"${sha256}"` }, { text: `"${sha256}"` }]);
});

test("a file that has changed since it was opened is not sent", async () => {
  const path = await fileOf(Buffer.from("as it was"));
  const file = await DiskFile.open(path, "video/mp4");
  await appendFile(path, ", and more");
  expect(await send(bytesBody(file, "video/mp4"), hashSlowly)).toMatchObject({
    kind: "fault",
    reason: expect.stringContaining("the file has changed"),
  });
});
