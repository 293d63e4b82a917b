/** Sheets at any address, and share links, from a real server. */
import { expect, test } from "vitest";
import { HostConnections } from "../../src/media/checked-request.ts";
import { DownloadBudget } from "../../src/media/download-budget.ts";
import { systemClock } from "../../src/service/system-clock.ts";
import { maximaOf } from "../../src/settings/maxima.ts";
import type { Fetched } from "../../src/sources/source.ts";
import { SourceWeb } from "../../src/sources/source-web.ts";
import { WEB_FILE } from "../../src/sources/web-file.ts";
import { afterThisTest } from "../support/after-test.ts";
import { startMediaHost } from "../support/media-host.ts";

function fetchFrom(address: string, allows: (url: URL) => boolean = () => true): Promise<Fetched> {
  const connections = new HostConnections(allows);
  afterThisTest(() => connections.close());
  const web = new SourceWeb({
    connections,
    allows,
    timeout: "5s",
    userAgent: "test",
    stop: new AbortController().signal,
    budget: new DownloadBudget(maximaOf({})),
    clock: systemClock,
    onWait: () => undefined,
  });
  return WEB_FILE.fetch(new URL(address), "csv", { web, env: {}, clock: systemClock });
}

const CSV = Buffer.from("id,date\na,2036-03-01\n");

test("a file comes byte for byte", async () => {
  const host = await startMediaHost();
  host.serve("/plan.csv", CSV);
  expect(await fetchFrom(host.url("/plan.csv"))).toEqual({ bytes: CSV });
});

test("a share link of Nextcloud gives the file, below any name of its folder", async () => {
  const host = await startMediaHost();
  host.serve("/s/aBc123/download", CSV);
  host.serve("/index.php/s/aBc123/download", CSV);
  expect(await fetchFrom(host.url("/s/aBc123"))).toEqual({ bytes: CSV });
  expect(await fetchFrom(host.url("/index.php/s/aBc123/"))).toEqual({ bytes: CSV });
});

test.each([
  ["a page to sign in", "/page", "gives a web page, usually to sign in"],
  ["a refusal", "/forbidden", "answers 403: it needs a login"],
  ["a fault", "/broken", "answers 500: the host has a fault"],
  ["a file that is gone", "/gone", "answers 404: the file does not exist"],
  ["an answer that is not HTTP", "/garbage", "cannot download"],
])("%s is a fault, not a sheet", async (_what, path, says) => {
  const host = await startMediaHost();
  const fetched = await fetchFrom(host.url(path));
  expect(fetched).toMatchObject({ message: expect.stringContaining(says) });
});

test("a private host is not asked", async () => {
  const host = await startMediaHost();
  host.serve("/plan.csv", CSV);
  expect(await fetchFrom(host.url("/plan.csv"), () => false)).toMatchObject({
    message: expect.stringContaining("in a private network or on this machine"),
  });
  expect(host.asked).toEqual([]);
});

test("a redirect to a private host is not followed", async () => {
  const [host, inside] = [await startMediaHost(), await startMediaHost()];
  inside.serve("/secret.csv", CSV);
  host.serve("/plan.csv", (response) =>
    response.writeHead(302, { location: inside.url("/secret.csv") }).end(),
  );
  const isOpen = (url: URL): boolean => url.origin === host.origin;
  expect(await fetchFrom(host.url("/plan.csv"), isOpen)).toMatchObject({
    message: expect.stringContaining("did not follow it"),
  });
  expect(inside.asked).toEqual([]);
});

test("an endless answer ends at the limit", async () => {
  const host = await startMediaHost();
  expect(await fetchFrom(host.url("/endless"))).toMatchObject({
    message: expect.stringContaining("is larger than a calendar can be"),
  });
});
