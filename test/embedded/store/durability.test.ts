import { appendFile, mkdir, readFile, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { startEmbedded } from "../../../src/embedded/start-embedded.ts";
import { killChild, startChild } from "../../support/child.ts";
import {
  type TestService,
  MP4,
  PNG,
  at,
  call,
  countingRandom,
  draft,
  startTestService,
  temporaryFolder,
  tree,
  upload,
} from "../../support/embedded-service.ts";

const address = z.object({
  url: z.string(),
  keys: z.object({ read: z.string(), write: z.string(), admin: z.string() }),
});

async function everything(service: TestService): Promise<unknown> {
  const bodies = await Promise.all(
    ["/posts?limit=1000", "/media", "/platforms"].map(async (path) => (await service.call("GET", path)).body),
  );
  // Each run has another port, so the addresses of media differ.
  return JSON.parse(JSON.stringify(bodies).replaceAll(service.url, ""));
}

describe("the store", () => {
  it("keeps everything after a close and a new start", async () => {
    const service = await startTestService();
    const media = await service.call("POST", "/media", upload(MP4));
    const made = await service.call("POST", "/posts", draft({ media_ids: [at(media.body, "id")] }));
    await service.call("POST", "/posts", draft({ content: "Zweiter\n\u2028 \ud800" }));
    await service.call("DELETE", `/posts/${String(at(made.body, "id"))}`);
    await service.call("DELETE", "/platforms/account_tiktok");
    const before = await everything(service);
    await service.close();
    const again = await startTestService({ folder: service.folder });
    expect(await everything(again)).toEqual(before);
    const file = await fetch(`${again.url}/media/${String(at(media.body, "id"))}/file`, {
      headers: { authorization: `Bearer ${again.keys.read}` },
    });
    expect(Buffer.from(await file.arrayBuffer())).toEqual(MP4);
  });

  it("keeps every acknowledged post if its process is killed during writes", async () => {
    const folder = join(await temporaryFolder(), "embedded");
    const acknowledged = new Set<string>();
    for (let round = 0; round < 2; round += 1) {
      const { child, first } = await startChild("embedded-child.js", folder);
      const { url, keys } = address.parse(first);
      const aim = acknowledged.size + 40;
      let dead: Promise<void> | undefined;
      const scheduled_at = new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+/, "");
      const writer = async (): Promise<void> => {
        for (;;) {
          try {
            const answer = await call(url, keys.write, "POST", "/posts", draft({ scheduled_at }));
            if (answer.status === 201) acknowledged.add(String(at(answer.body, "id")));
          } catch {
            return;
          }
          if (acknowledged.size >= aim) dead ??= killChild(child);
        }
      };
      await Promise.all(Array.from({ length: 8 }, writer));
      await dead;
    }
    const service = await startTestService({ folder });
    const listed = await service.call("GET", "/posts?limit=1000");
    const data = at(listed.body, "data");
    const ids = new Set(Array.isArray(data) ? data.map((post) => at(post, "id")) : []);
    expect(acknowledged.size).toBeGreaterThanOrEqual(80);
    expect([...acknowledged].filter((id) => !ids.has(id))).toEqual([]);
  }, 120_000);

  it("drops an incomplete line after a crash, and continues after it", async () => {
    const service = await startTestService();
    await service.call("POST", "/posts", draft());
    const before = await everything(service);
    await service.close();
    await appendFile(join(service.folder, "store.jsonl"), '{"post":{"id":"post_torn","content":"ab');
    const again = await startTestService({ folder: service.folder });
    expect(await everything(again)).toEqual(before);
    await again.call("POST", "/posts", draft());
    const after = await everything(again);
    await again.close();
    expect(await everything(await startTestService({ folder: service.folder }))).toEqual(after);
  });

  it("removes only the incomplete files of an interrupted upload", async () => {
    const service = await startTestService();
    const made = await service.call("POST", "/media", upload(PNG));
    await service.close();
    const media = join(service.folder, "media");
    await writeFile(join(media, ".upload-media_1"), "half");
    await startTestService({ folder: service.folder });
    expect(await readdir(media)).toEqual([at(made.body, "id")]);
  });

  it.each(['[{"kind":"post","record":{"id":1}}]', '[{"kind":"webhook"}]', '{"post":{}}', "[]", "{"])(
    "refuses a log with the line %s",
    async (line) => {
      const folder = join(await temporaryFolder(), "embedded");
      await mkdir(folder);
      await writeFile(join(folder, "store.jsonl"), `${line}\n`);
      for (const access of ["read-only", "read-write"] as const) {
        await expect(startTestService({ folder, access })).rejects.toMatchObject({
          code: "disk/state-invalid",
          message: expect.stringContaining("line 1"),
        });
      }
      // The lock of the folder was released.
      expect((await readdir(folder)).filter((name) => name.startsWith("owner"))).toEqual([]);
    },
  );
});

describe("read-only", () => {
  it("makes no folder", async () => {
    const root = await temporaryFolder();
    const before = await stat(root);
    const service = await startTestService({ folder: join(root, "embedded"), access: "read-only" });
    expect(at((await service.call("GET", "/posts")).body, "data")).toEqual([]);
    expect(at((await service.call("GET", "/platforms")).body, "data")).toHaveLength(10);
    await service.close();
    expect(await readdir(root)).toEqual([]);
    expect((await stat(root)).mtimeMs).toBe(before.mtimeMs);
  });

  it("shows everything, refuses every write with 403, and changes no file", async () => {
    const service = await startTestService();
    const media = await service.call("POST", "/media", upload(PNG));
    const made = await service.call("POST", "/posts", draft());
    const content = await everything(service);
    await service.close();
    await appendFile(join(service.folder, "store.jsonl"), '{"post":');
    await writeFile(join(service.folder, "media", ".upload-media_9"), "half");
    const before = await tree(service.folder);

    const reader = await startTestService({ folder: service.folder, access: "read-only" });
    expect(await everything(reader)).toEqual(content);
    const post = `/posts/${String(at(made.body, "id"))}`;
    const writes: [string, string, unknown][] = [
      ["POST", "/posts", draft()],
      ["DELETE", post, undefined],
      ["POST", "/media", upload(PNG)],
      ["DELETE", "/platforms/account_twitter", undefined],
    ];
    for (const [method, path, body] of writes) {
      const answer = await reader.call(method, path, body);
      expect([answer.status, at(answer.body, "error", "code")]).toEqual([403, "forbidden"]);
    }
    reader.clock.ms = Date.UTC(2028, 0, 1);
    expect(at((await reader.call("GET", post)).body, "status")).toBe("published");
    expect((await reader.call("GET", `/media/${String(at(media.body, "id"))}`)).status).toBe(404);
    await reader.close();
    expect(await tree(service.folder)).toEqual(before);
  });

  it("works while another process writes", async () => {
    const service = await startTestService();
    await service.call("POST", "/posts", draft());
    const reader = await startTestService({ folder: service.folder, access: "read-only" });
    expect(at((await reader.call("GET", "/posts")).body, "data")).toHaveLength(1);
  });
});

describe("the right to write", () => {
  it("belongs to one process at a time, and a refusal names this process", async () => {
    const service = await startTestService();
    await expect(startTestService({ folder: service.folder })).rejects.toMatchObject({
      code: "run/locked",
      message: expect.stringContaining(service.url),
    });
    await expect(startTestService({ folder: service.folder })).rejects.toThrow(String(process.pid));
    expect(JSON.parse(await readFile(join(service.folder, "owner.json"), "utf8"))).toMatchObject({
      pid: process.pid,
      info: { url: service.url },
    });
    await service.close();
    await startTestService({ folder: service.folder });
  });

  it("is not kept by a process that was killed", async () => {
    const folder = join(await temporaryFolder(), "embedded");
    const { child } = await startChild("embedded-child.js", folder);
    await expect(startTestService({ folder })).rejects.toMatchObject({
      code: "run/locked",
      message: expect.stringContaining(String(child.pid)),
    });
    await killChild(child);
    const service = await startTestService({ folder });
    expect((await service.call("POST", "/posts", draft())).status).toBe(201);
  });

  it("is given back when the port is in use", async () => {
    const first = await startTestService();
    const folder = join(await temporaryFolder(), "embedded");
    const port = Number(new URL(first.url).port);
    await expect(startTestService({ folder, port })).rejects.toMatchObject({ code: "run/port" });
    await startTestService({ folder });
  });

  it("fails with disk/not-writable if the disk cannot be written", async () => {
    const root = await temporaryFolder();
    await writeFile(join(root, "file"), "");
    await expect(startTestService({ folder: join(root, "file", "embedded") })).rejects.toMatchObject({
      code: "disk/not-writable",
    });
  });
});

describe("a service in memory", () => {
  it("neither reads nor writes the folder", async () => {
    const root = await temporaryFolder();
    const folder = join(root, "embedded");
    const service = await startTestService({ folder, memory: true });
    await service.call("POST", "/posts", draft());
    expect((await service.call("POST", "/media", upload(PNG))).status).toBe(201);
    expect(at((await service.call("GET", "/posts")).body, "data")).toHaveLength(1);
    await service.close();
    expect(await readdir(root)).toEqual([]);
    const again = await startTestService({ folder, memory: true });
    expect(at((await again.call("GET", "/posts")).body, "data")).toEqual([]);
  });
});

describe("close", () => {
  it("ends open connections, and may be called twice", async () => {
    const service = await startEmbedded({
      folder: undefined,
      access: "read-write",
      random: countingRandom(),
      now: Date.now,
    });
    await call(service.url, service.keys.read, "GET", "/posts");
    await Promise.all([service.close(), service.close()]);
    await expect(call(service.url, service.keys.read, "GET", "/posts")).rejects.toThrow("fetch failed");
  });

  it("waits for requests in progress", async () => {
    const service = await startTestService();
    const sent = Array.from({ length: 20 }, () =>
      service.call("POST", "/posts", draft()).then(
        (answer) => answer.status,
        () => 0,
      ),
    );
    // One was answered, so others are being handled.
    await Promise.race(sent);
    await service.close();
    const acknowledged = (await Promise.all(sent)).filter((status) => status === 201).length;
    const again = await startTestService({ folder: service.folder });
    const data = at((await again.call("GET", "/posts")).body, "data");
    expect(acknowledged).toBeGreaterThan(0);
    // Every request that was handled also got an answer.
    expect(data).toHaveLength(acknowledged);
  });
});
