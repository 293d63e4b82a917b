import { readFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  MP4,
  PNG,
  at,
  call,
  startTestService,
  temporaryFolder,
  tree,
  upload,
} from "../../support/embedded-service.ts";

async function storedFiles(folder: string): Promise<string[]> {
  return (await readdir(join(folder, "media"))).sort();
}

describe("POST /v1/media", () => {
  it.each([
    ["image", "image/png", PNG],
    ["video", "video/mp4", MP4],
  ])("stores an %s, detected by its bytes, and serves it", async (type, mime, bytes) => {
    const service = await startTestService();
    const made = await service.call("POST", "/media", upload(bytes, "photo.txt"));
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ id: expect.stringMatching(/^media_[0-9a-f]+$/), type, mime });
    const id = String(at(made.body, "id"));
    expect(at(made.body, "url")).toBe(`${service.url}/media/${id}/file`);
    expect(await storedFiles(service.folder)).toEqual([id]);
    expect(await readFile(join(service.folder, "media", id))).toEqual(bytes);

    const headers = { authorization: `Bearer ${service.keys.read}` };
    const served = await fetch(String(at(made.body, "url")), { headers });
    expect(Buffer.from(await served.arrayBuffer())).toEqual(bytes);
    expect(served.headers.get("content-type")).toBe(mime);
    expect(served.headers.get("x-ratelimit-limit")).toBe("600");
    const head = await fetch(String(at(made.body, "url")), { headers, method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  it.each([
    "../../../escape.png",
    "..\\..\\escape.png",
    "/etc/escape.png",
    "C:\\escape.png",
    "a\0.png",
    "..",
    "",
  ])("does not use the file name: %j", async (name) => {
    const root = await temporaryFolder();
    const service = await startTestService({ folder: join(root, "a", "b") });
    const made = await service.call("POST", "/media", upload(PNG, name));
    expect(made.status).toBe(201);
    const paths = Object.keys(await tree(root));
    expect(paths.filter((path) => path.includes("escape"))).toEqual([]);
    expect(await storedFiles(service.folder)).toEqual([at(made.body, "id")]);
  });

  it.each([
    ["file", upload(Buffer.from("just text"), "a.png")],
    ["file", upload(Buffer.from("%PDF-1.7\n%\n"), "a.png")],
    ["file", upload(Buffer.alloc(0), "a.png")],
    ["file", upload(PNG, "a.png", "image")],
    ["file", new FormData()],
  ])("refuses anything but one image or video, and stores nothing: %s", async (field, form) => {
    const service = await startTestService();
    const answer = await service.call("POST", "/media", form);
    expect([answer.status, at(answer.body, "error", "code")]).toEqual([422, "validation_error"]);
    expect(String(at(answer.body, "error", "message")).startsWith(`${field}: `)).toBe(true);
    expect(await storedFiles(service.folder)).toEqual([]);
    expect(at((await service.call("GET", "/media")).body, "data")).toEqual([]);
  });

  it("refuses several files, and a text in the file field", async () => {
    const service = await startTestService();
    const two = upload(PNG);
    two.append("file", new Blob([PNG]), "b.png");
    const text = new FormData();
    text.append("file", "a.png");
    for (const form of [two, text]) {
      const answer = await service.call("POST", "/media", form);
      expect([answer.status, at(answer.body, "error", "code")]).toEqual([422, "validation_error"]);
    }
    expect(await storedFiles(service.folder)).toEqual([]);
  });

  it("accepts other fields around the file", async () => {
    const service = await startTestService();
    const form = new FormData();
    form.append("alt", "a pixel");
    form.append("file", new Blob([PNG]), "a.png");
    form.append("folder", "b".repeat(1000));
    expect((await service.call("POST", "/media", form)).status).toBe(201);
  });

  it("stores and serves a film of many chunks whole", async () => {
    const service = await startTestService();
    const film = Buffer.concat([MP4, Buffer.alloc(8_000_000, "frames")]);
    const made = await service.call("POST", "/media", upload(film, "a.mp4"));
    expect([made.status, at(made.body, "bytes")]).toEqual([201, film.length]);
    const served = await fetch(String(at(made.body, "url")), {
      headers: { authorization: `Bearer ${service.keys.read}` },
    });
    expect(film.equals(Buffer.from(await served.arrayBuffer()))).toBe(true);
  });

  it("accepts several uploads at once", async () => {
    const service = await startTestService();
    const made = await Promise.all(
      Array.from({ length: 10 }, () => service.call("POST", "/media", upload(PNG))),
    );
    expect(new Set(made.map((each) => at(each.body, "id"))).size).toBe(10);
    expect(await storedFiles(service.folder)).toHaveLength(10);
  });
});

describe("GET /v1/media", () => {
  it("lists by type and in pages", async () => {
    const service = await startTestService();
    for (const bytes of [PNG, MP4, PNG]) {
      service.clock.ms += 1000;
      await service.call("POST", "/media", upload(bytes));
    }
    const types = async (query: string): Promise<unknown> => {
      const data = at((await service.call("GET", `/media${query}`)).body, "data");
      return Array.isArray(data) ? data.map((item) => at(item, "type")) : undefined;
    };
    expect(await types("")).toEqual(["image", "video", "image"]);
    expect(await types("?type=image")).toEqual(["image", "image"]);
    expect(await types("?type=video")).toEqual(["video"]);
    const first = await service.call("GET", "/media?limit=2");
    expect(await types(`?limit=2&cursor=${String(at(first.body, "next_cursor"))}`)).toEqual(["image"]);
    expect((await service.call("GET", "/media?type=audio")).status).toBe(422);
  });

  it("answers 404 for the file of an unknown id", async () => {
    const service = await startTestService();
    for (const id of ["media_none", "..%2f..%2fstore.jsonl", ".upload-media_1"]) {
      expect((await service.call("GET", `/media/${id}/file`)).status).toBe(404);
    }
  });

  it("answers with an error object when the bytes are gone", async () => {
    const service = await startTestService();
    const made = await service.call("POST", "/media", upload(PNG));
    await rm(join(service.folder, "media"), { recursive: true });
    const gone = await call(String(at(made.body, "url")), service.keys.read, "GET", "");
    expect([gone.status, at(gone.body, "error", "code")]).toEqual([500, "platform_error"]);
    expect(JSON.stringify(gone.body)).not.toContain(service.folder);
    const failed = await service.call("POST", "/media", upload(PNG));
    expect(failed.status).toBe(500);
  });
});
