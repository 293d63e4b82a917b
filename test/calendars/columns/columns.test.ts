import { expect, test } from "vitest";
import { type Columns, mapColumns, mapPositions } from "../../../src/calendars/columns/columns.ts";
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
  const header = ["Image 1", "Image 2", "Sheet 1", "Sheet 2", "Sheet 3"];
  expect(fieldsOf(header)).toEqual(["media", "media", undefined, undefined, undefined]);
  expect(fieldsOf(header, { "Image 1": "media", "Sheet 2": "media", "Sheet 3": "ignore" })).toEqual([
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
  expect(rivals(columns)).toEqual([0, 2]);
});

test("prefers the first of several names for a field", () => {
  expect(rivals(mapColumns(["Content", "Caption"], {}))).toEqual([1]);
  expect(rivals(mapColumns(["Publish Date", "Date"], {}))).toEqual([0]);
  expect(rivals(mapColumns(["Caption", "Text"], {}))).toEqual([1]);
  expect(fieldsOf(["Content", "Caption"], { content: "ignore" })).toEqual([undefined, "content"]);
  expect(fieldsOf(["Content", "Post"], {})).toEqual(["content", undefined]);
});

test("uses all columns for the status", () => {
  expect(fieldsOf(["Status", "Approval status"], {})).toEqual(["status", "status"]);
});

test("compares words in brackets for languages, not for plurals", () => {
  expect(fieldsOf(["Platform(s)", "Caption (EN)"], {})).toEqual(["platforms", "content"]);
  expect(rivals(mapColumns(["Caption (EN)", "Caption (FR)"], {}))).toEqual([1]);
});

test("prefers the project's column names, and matches them as loosely as the built-in ones", () => {
  expect(fieldsOf(["légende", "text"], { " LÉGENDE ": "content" })).toEqual(["content", undefined]);
  expect(fieldsOf(["Post Date"], { post_date: "Scheduled At" })).toEqual(["scheduled_at"]);
  expect(fieldsOf(["date"], { date: "scheduled_at" })).toEqual(["scheduled_at"]);
});

test("gives a field to one of two columns", () => {
  const columns = mapColumns(["Text", "x", "caption"], {});
  expect(columns.fields).toEqual(["content", undefined, undefined]);
  expect(columns.meanings[1]).toEqual({ kind: "unknown" });
  expect(columns.meanings[2]).toMatchObject({ kind: "rival", winner: 0 });
  expect(rivals(mapColumns(["content", "Legend"], { legend: "content" }))).toEqual([0]);
  expect(rivals(mapColumns(["date", "Date"], {}))).toEqual([1]);
});

test("ignores header names that every object inherits", () => {
  expect(fieldsOf(["constructor", "__proto__", "toString"])).toEqual([undefined, undefined, undefined]);
});

test("separates unnamed columns from unknown ones", () => {
  const kinds = mapColumns(["", "Notes", " "], {}).meanings.map(({ kind }) => kind);
  expect(kinds).toEqual(["unnamed", "unknown", "unnamed"]);
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

test("knows no column by a name that often means something else", () => {
  expect(fieldsOf(["Description", "Post", "Visual", "Site", "Hour"], {})).toEqual(Array.from({ length: 5 }));
});

test("reads several columns of media", () => {
  expect(mapColumns(["Image 1", "Image 2", "Video"], {})).toMatchObject({
    fields: ["media", "media", "media"],
  });
  expect(fieldsOf(["media", "Image"])).toEqual(["media", undefined]);
});

test("ignores a column that plancast.yaml maps to ignore", () => {
  expect(mapColumns(["Text", "Caption", "Notes"], { text: "Ignore", notes: "ignore" })).toMatchObject({
    fields: [undefined, "content", undefined],
    variants: [],
    switches: [],
  });
});

test("matches a column by group and name in two header rows", () => {
  const groups = ["All", "Facebook", "Pinterest"];
  const mapping = { "Facebook title": "content", title: "ignore" };
  expect(mapColumns(["date", "title", "title"], mapping, groups)).toMatchObject({
    fields: ["date", "content", undefined],
    variants: [],
    switches: [],
  });
});

test("matches a column by number from 1 or by letter", () => {
  expect(
    mapPositions({ 2: "content", D: "scheduled_at", AA: "media", C: "ignore", Caption: "id", 0: "id" }),
  ).toMatchObject({
    fields: [undefined, "content", undefined, "scheduled_at", ...Array.from({ length: 22 }), "media"],
    variants: [],
    switches: [],
    notCarried: [],
    refused: [],
    accounts: undefined,
  });
  expect(rivals(mapPositions({ 1: "content", A: "content", B: "content" }))).toEqual([1]);
});

/** The columns whose field another column has. */
function rivals({ meanings }: Columns): number[] {
  return [...meanings.keys()].filter((column) => meanings[column]?.kind === "rival");
}

test("a header with the name of a network in brackets is not known exactly", () => {
  expect(mapColumns(["Caption (Instagram)", "Caption (EN)"], {}).fields).toEqual([undefined, "content"]);
});
