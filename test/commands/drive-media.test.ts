/** Pictures in Google Drive, named by the addresses that people copy there. A stand-in answers for Google. */
import { expect, test } from "vitest";
import { type GoogleStandIn, startGoogle } from "../support/google-sheets.ts";
import { startMediaHost } from "../support/media-host.ts";
import { makeProject } from "../support/project.ts";
import { type CommandResult, runCommand } from "../support/run-command.ts";
import { startForeignService } from "../support/foreign-service.ts";
import { afterThisTest } from "../support/after-test.ts";
import { csv } from "../support/scenario.ts";
import { tinyPng } from "../support/tiny-media.ts";

const EMAIL = "plancast@calendar.iam.gserviceaccount.com";
const FILE = "1PictureOfTheLampInDrive";
const FOLDER = "1FolderWithAllPictures";

async function planned(
  media: string,
  prepare: (google: GoogleStandIn) => Record<string, string>,
): Promise<{
  readonly said: string;
  readonly google: GoogleStandIn;
  readonly ended: CommandResult;
  readonly uploads: number;
}> {
  const [google, service] = [await startGoogle(), await startForeignService()];
  afterThisTest(() => service.close());
  const env = prepare(google);
  const row = ["lamp", "2036-03-01 10:00", "linkedin", "Our lamp", media];
  const project = await makeProject({
    config: { timezone: "UTC" },
    files: { "calendars/a.csv": csv(["id", "scheduled_at", "platforms", "content", "media"], row) },
  });
  const ended = await runCommand(["apply", "--yes"], {
    cwd: project.root,
    env: {
      PLANCAST_BASE_URL: service.url,
      PLANCAST_API_KEY: service.key,
      PLANCAST_GOOGLE_ENDPOINT: google.endpoint,
      ...env,
    },
  });
  const said = `${ended.stdout}\n${ended.stderr}`.replaceAll(/\s+/g, " ");
  return { said, google, ended, uploads: service.media.size };
}

test.each([
  `https://drive.google.com/file/d/${FILE}/view?usp=sharing`,
  `https://drive.google.com/file/u/1/d/${FILE}/edit`,
  `https://drive.google.com/open?id=${FILE}`,
  `https://drive.google.com/uc?export=view&id=${FILE}`,
])("%s is downloaded with the credentials of the sheet", async (address) => {
  const { ended, google, uploads } = await planned(address, (each) => {
    each.files.set(FILE, { name: "lamp.png", bytes: tinyPng(), viewers: new Set([EMAIL]) });
    return { GOOGLE_SERVICE_ACCOUNT_JSON: each.account(EMAIL).json };
  });
  expect([ended.code, ended.stderr]).toEqual([0, expect.anything()]);
  expect(google.asked).toContain(`GET /drive/v3/files/${FILE}`);
  expect(uploads).toBe(1);
});

test("without a key, a file that everybody with the link can open is downloaded", async () => {
  const { ended, google } = await planned(`https://drive.google.com/file/d/${FILE}/view`, (each) => {
    each.files.set(FILE, { name: "lamp.png", bytes: tinyPng(), isShared: true });
    return {};
  });
  expect(ended.code).toBe(0);
  expect(google.credentials).toEqual([]);
});

test("a file that is shared with nobody is an error that says with whom to share it", async () => {
  const address = `https://drive.google.com/file/d/${FILE}/view`;
  const shown = await planned(address, (each) => ({ GOOGLE_SERVICE_ACCOUNT_JSON: each.account(EMAIL).json }));
  expect([shown.ended.code, shown.said]).toEqual([1, expect.stringContaining(`to ${EMAIL}. Share the file`)]);
  const stranger = await planned(address, () => ({}));
  expect(stranger.said).toContain("gives no file to strangers");
});

test("a folder is an error that lists its files", async () => {
  const { said, ended } = await planned(
    `https://drive.google.com/drive/folders/${FOLDER}?usp=sharing`,
    (each) => {
      each.files.set(FILE, { name: "lamp.png", bytes: tinyPng(), folder: FOLDER });
      return { GOOGLE_OAUTH_ACCESS_TOKEN: each.token(EMAIL) };
    },
  );
  expect(ended.code).toBe(1);
  expect(said).toContain(
    `is a folder. Write the address of each file. Its files are lamp.png: https://drive.google.com/file/d/${FILE}/view.`,
  );
});

test("the credentials reach no other host, and no output", async () => {
  const host = await startMediaHost();
  const { google, ended } = await planned(host.url("/picture.png"), (each) => ({
    GOOGLE_OAUTH_ACCESS_TOKEN: each.token(EMAIL),
    PLANCAST_MEDIA_ALLOW_HOSTS: new URL(host.url("/")).host,
  }));
  expect(google.asked).toEqual([]);
  expect(ended.stdout + ended.stderr).not.toContain("ya29");
});
