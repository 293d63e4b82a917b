import { expect, test } from "vitest";
import { mapColumns, mapPositions } from "../../../src/calendars/columns/columns.ts";
import { type Field, FIELDS } from "../../../src/model/fields.ts";

const fieldsOf = (header: string[], mapping: Record<string, string> = {}): unknown =>
  mapColumns(header, mapping).fields;

test.each([["content"], ["Content"], ["  CONTENT\u00a0"], ["\uFEFFcontent"]])(
  "reads the header %j as content",
  (name) => {
    expect(fieldsOf([name])).toEqual(["content"]);
  },
);

test.each([
  ["scheduled_at"],
  ["Scheduled At"],
  ["scheduled-at"],
  ["SCHEDULED\u00a0 AT"],
  ["publish at"],
  ["Datetime"],
])("reads the header %j as scheduled_at", (name) => {
  expect(fieldsOf([name])).toEqual(["scheduled_at"]);
});

test.each([
  ["Caption", "content"],
  ["Image URL", "media"],
  ["networks", "platforms"],
  ["Time Zone", "timezone"],
  ["tz", "timezone"],
])("suggests for the header %j the field %s", (name, field) => {
  expect(fieldsOf([name])).toEqual([field]);
});

test("numbered columns of media are media together", () => {
  const header = ["Visual 1", "Visual 2", "Sheet 1", "Sheet 2", "Sheet 3"];
  expect(fieldsOf(header)).toEqual(["media", "media", undefined, undefined, undefined]);
  expect(fieldsOf(header, { "Visual 1": "media", "Sheet 2": "media", "Sheet 3": "ignore" })).toEqual([
    "media",
    "media",
    "media",
    "media",
    undefined,
  ]);
  expect(fieldsOf(header, { "Sheet 1": "content" })).toEqual([
    "media",
    "media",
    "content",
    undefined,
    undefined,
  ]);
});

test("prefers a field's own name to a synonym in any position", () => {
  const columns = mapColumns(["Networks", "platforms", "Channel"], {});
  expect(columns.fields).toEqual([undefined, "platforms", undefined]);
  expect(columns.unknown).toEqual([0, 2]);
  expect(columns.duplicates).toEqual([]);
});

test("prefers a clear name to `Content` and `Date`", () => {
  expect(mapColumns(["Content", "Caption"], {}).duplicates).toHaveLength(1);
  expect(mapColumns(["Publish Date", "Date"], {}).duplicates).toHaveLength(1);
  expect(fieldsOf(["Content", "Caption"], { content: "ignore" })).toEqual([undefined, "content"]);
  expect(fieldsOf(["Content", "Post"], {})).toEqual(["content", undefined]);
});

test("compares words in brackets for languages, not for plurals", () => {
  expect(fieldsOf(["Platform(s)", "Caption (EN)"], {})).toEqual(["platforms", "content"]);
  expect(mapColumns(["Caption (EN)", "Caption (FR)"], {}).duplicates).toHaveLength(1);
});

test("prefers the project's column names, and matches them as loosely as the built-in ones", () => {
  expect(fieldsOf(["légende", "text"], { " LÉGENDE ": "content" })).toEqual(["content", undefined]);
  expect(fieldsOf(["Post Date"], { post_date: "Scheduled At" })).toEqual(["scheduled_at"]);
  expect(fieldsOf(["date"], { date: "scheduled_at" })).toEqual(["scheduled_at"]);
});

test("reports two columns for one field and reads the first", () => {
  expect(mapColumns(["Text", "x", "caption"], {})).toMatchObject({
    fields: ["content", undefined, undefined],
    unknown: [1],
    unnamed: [],
    variants: [],
    switches: [],
    ignored: [],
    notCarried: [],
    refused: [],
    accounts: undefined,
    duplicates: [{ column: 2, first: 0, field: "content" }],
  });
  expect(mapColumns(["content", "Legend"], { legend: "content" }).duplicates).toHaveLength(1);
  expect(mapColumns(["date", "Date"], {}).duplicates).toHaveLength(1);
});

test("ignores header names that every object inherits", () => {
  expect(fieldsOf(["constructor", "__proto__", "toString"])).toEqual([undefined, undefined, undefined]);
});

test("separates unnamed columns from unknown ones", () => {
  expect(mapColumns(["", "notes", " \u00a0"], {})).toMatchObject({ unknown: [1], unnamed: [0, 2] });
});

test.each<[Field, string[]]>([
  [
    "content",
    ["Légende", "TEXTE", "Beitragstext", "Texto", "Pie de foto", "Testo", "Conteúdo", "Tekst", "Post Copy"],
  ],
  [
    "date",
    [
      "DATE (MONTH/DAY/YEAR)",
      "Datum",
      "Fecha",
      "Data",
      "Date de publication",
      "📅 Publish Date",
      "Data da publicação",
    ],
  ],
  ["time", ["Heure", "Uhrzeit", "Hora", "Ora", "Horário", "Tijd", "Posting Time", " time", "time_24hr"]],
  [
    "scheduled_at",
    [
      "Date/Time",
      "Date & Time",
      "Datum und Uhrzeit",
      "Fecha y hora",
      "postAtSpecificTime (YYYY-MM-DD HH:mm:ss)",
    ],
  ],
  [
    "platforms",
    [
      "Plateforme",
      "Réseaux sociaux",
      "Plattform",
      "Kanäle",
      "Redes sociales",
      "Canale",
      "Redes sociais",
      "Kanaal",
    ],
  ],
  [
    "media",
    [
      "Bild",
      "Visuel",
      "Imagen",
      "Immagine",
      "Imagem",
      "Afbeelding",
      "Media URL(s)",
      "imageUrls (comma-separated)",
      "Picture Url 10",
    ],
  ],
  [
    "timezone",
    ["Fuseau horaire", "Zeitzone", "Zona horaria", "Fuso orario", "Fuso horário", "Tijdzone", "TZ"],
  ],
  [
    "alt",
    [
      "Alt text",
      "ALT-Text 2",
      "Alt text picture 10",
      "Image 1 alt text",
      "Texte alternatif",
      "Alternativtext",
      "Texto alternativo",
      "Testo alternativo",
      "Tekst alternatywny",
      "代替テキスト",
    ],
  ],
  [
    "first_comment",
    ["First comment", "1st Comment", "Premier commentaire", "Erster Kommentar", "Eerste reactie", "1コメ"],
  ],
  ["thread", ["Thread", "Tweet thread"]],
  ["status", ["Statut", "Estado", "Stato", "Status", "حالة المنشور", "ステータス"]],
  ["id", ["Post ID", "Identifiant", "Kennung"]],
])("knows names for %s: %j", (field, names) => {
  for (const name of names) expect([name, fieldsOf([name])]).toEqual([name, [field]]);
});

test.each([
  "Notes",
  "Day",
  "Tag",
  "Hashtags",
  "Title",
  "Link",
  "Link(s)",
  "Caption 2",
  "Account",
  "Approved by",
  "Facebook",
  "(date)",
  "1",
  "State",
  "Date created",
])("reads the header %j as no field", (name) => {
  expect(fieldsOf([name])).toEqual([undefined]);
});

test("no name means two fields", () => {
  const clear = FIELDS.flatMap((field) => fieldsOf([field]));
  expect(clear).toEqual(FIELDS);
});

test("prefers a clear name, and reports the vague one as unknown", () => {
  expect(mapColumns(["Post", "Caption", "Description"], {})).toMatchObject({
    fields: [undefined, "content", undefined],
    unknown: [0, 2],
    duplicates: [],
  });
  expect(fieldsOf(["Post", "date"])).toEqual(["content", "date"]);
});

test("reads several columns of media", () => {
  expect(mapColumns(["Image 1", "Image 2", "Video"], {})).toMatchObject({
    fields: ["media", "media", "media"],
    duplicates: [],
  });
  expect(fieldsOf(["media", "Image"])).toEqual(["media", undefined]);
});

test("ignores a column that plancast.yaml maps to ignore", () => {
  expect(mapColumns(["Text", "Caption", "Notes"], { text: "Ignore", notes: "ignore" })).toMatchObject({
    fields: [undefined, "content", undefined],
    variants: [],
    switches: [],
    ignored: [0, 2],
    unknown: [],
    duplicates: [],
  });
});

test("matches a column by group and name in two header rows", () => {
  const groups = ["All", "Facebook", "Pinterest"];
  const mapping = { "Facebook title": "content", title: "ignore" };
  expect(mapColumns(["date", "title", "title"], mapping, groups)).toMatchObject({
    fields: ["date", "content", undefined],
    variants: [],
    switches: [],
    ignored: [2],
  });
});

test("matches a column by number from 1 or by letter", () => {
  expect(
    mapPositions({ 2: "content", D: "scheduled_at", AA: "media", C: "ignore", Caption: "id", 0: "id" }),
  ).toMatchObject({
    fields: [undefined, "content", undefined, "scheduled_at", ...Array.from({ length: 22 }), "media"],
    unknown: [],
    unnamed: [0, ...Array.from({ length: 22 }, (_, index) => index + 4)],
    variants: [],
    switches: [],
    ignored: [2],
    notCarried: [],
    refused: [],
    accounts: undefined,
    duplicates: [],
  });
  expect(mapPositions({ 1: "content", A: "content", B: "content" }).duplicates).toHaveLength(1);
});
