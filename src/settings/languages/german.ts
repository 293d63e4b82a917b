import type { Language } from "./language.ts";

export const german: Language = {
  code: "de",
  name: "German",
  columns: {
    id: { clear: "kennung" },
    scheduled_at: { clear: "datum und uhrzeit, datum uhrzeit, geplant am, geplant für, veröffentlichung am" },
    date: {
      clear:
        "datum, veröffentlichungsdatum, datum der veröffentlichung, postingdatum, postdatum, veröffentlichungstag, " +
        "erscheinungsdatum",
    },
    time: { clear: "uhrzeit, zeit, veröffentlichungszeit, uhrzeit der veröffentlichung, postingzeit" },
    timezone: { clear: "zeitzone" },
    expires: {
      clear: "läuft ab, läuft ab am, ablaufdatum, nicht veröffentlichen nach, nicht posten nach",
      maybe: "gültig bis, enddatum, ende der aktion",
    },
    platforms: {
      clear:
        "plattform, plattformen, netzwerk, netzwerke, soziales netzwerk, soziale netzwerke, kanal, kanäle, " +
        "social media kanal",
    },
    content: {
      clear: "text, inhalt, beitragstext, nachricht, bildunterschrift, posttext, postingtext",
      maybe: "beitrag, beschreibung, textidee, thema, idee, titel hook",
    },
    media: {
      clear:
        "bild, bilder, foto, fotos, video, videos, datei, dateien, medien, bild url, bild urls, bildlink, bildlinks, " +
        "bilddatei, bildpfad, link zum bild, videolink, video url, fotolink, mediendatei",
      maybe: "grafik, grafiken, anhang",
    },
    alt: {
      clear: "alternativtext, alternativtexte, alttexte, alt beschreibung",
      maybe: "bildbeschreibung, bildbeschreibungen",
    },
    first_comment: { clear: "erster kommentar" },
    campaign: { clear: "kampagne, kampagnenname, name der kampagne, marketingkampagne" },
    status: {
      clear: "beitragsstatus, freigabestatus",
      maybe: "stand, bearbeitungsstand, zustand, fortschritt, phase",
    },
    tone: { clear: "tonalität, tonfall" },
    type: { clear: "beitragsart, beitragstyp, typ, formattyp, inhaltstyp, posttyp", maybe: "art" },
  },
  questions: {
    ready:
      "veröffentlichen?, posten?, zu veröffentlichen, zu posten, freigabe, freigegeben, genehmigt, genehmigung, " +
      "kundenfreigabe, bereit",
    skip:
      "veröffentlicht, gepostet, bereits veröffentlicht, schon gepostet, online?, geplant?, abgesagt, " +
      "storniert, archiviert, gelöscht",
    draft: "entwurf",
  },
  publishing: "veröffentlich, posten, gepostet, freigegeb, freigabe, genehmig, erledigt, fertig",
  accounts:
    "konto, konten, kontoname, profilname, marke, kunde, kundenname, seite, seitenname, facebook seite, " +
    "firma, unternehmen, filiale, standort, mandant, markt, märkte, sprache, sprachen, land, region",
  approvers: "freigegeben von, genehmigt von",
  states:
    "geprüft, hochgeladen, freigabe, freigegeben, stopp, halt, rückmeldung, kundenfeedback, entscheidung, " +
    "eingeplant, geplant, online, erledigt, fertig, veröffentlicht, gepostet, gesperrt, abgenommen, abnahme, " +
    "korrigiert, löschen, entfernen, streichen",
  notes:
    "säule, thema, themen, rubrik, kategorie, ziel, zielgruppe, verantwortlich, zuständig, autor, autorin, " +
    "redakteur, gestaltung, team, abteilung, notiz, notizen, bemerkung, bemerkungen, kommentar, kommentare, " +
    "anmerkung, anmerkungen, woche, kw, kalenderwoche, wochentag, tag, monat, quartal, nummer, anlass, " +
    "feiertag, produkt, tonalität, priorität, projekt, quelle, fotograf, bildnachweis",
  hashtags: "schlagworte hashtags",
  additions: "ziel url, link mit utm, verlinkung",
  textParts: {
    opening: "aufhänger, einstieg, einleitung, aufmacher, überschrift, hook",
    body: "haupttext, fließtext, textkörper",
    closing: "handlungsaufforderung",
  },
  status: {
    ready:
      "bereit, fertig, freigegeben, genehmigt, abgenommen, bestätigt, startklar, veröffentlichungsbereit, zu veröffentlichen, " +
      "bereit zur veröffentlichung",
    draft:
      "entwurf, in arbeit, in bearbeitung, idee, offen, zu prüfen, in prüfung, zur freigabe, in freigabe, " +
      "freigabe ausstehend, in abstimmung, warten auf freigabe, in planung, zu schreiben, zu erstellen, " +
      "zu überarbeiten, in überarbeitung, pausiert, zurückgestellt, verschoben, nicht freigegeben",
    skip:
      "veröffentlicht, gepostet, publiziert, bereits veröffentlicht, online, gesendet, abgesagt, abgelehnt, storniert, " +
      "gestrichen, entfällt, archiviert, verworfen",
    unclear: "geplant, eingeplant, terminiert, ausstehend, wartet",
  },
  holds:
    "nicht veröffentlichen, nicht veröffentlicht werden, nicht posten, nicht gepostet werden, nicht publizieren, nicht einplanen, nicht ausspielen, nicht freigegeben, " +
    "nicht rausgehen, nicht online gehen, nicht online stellen, nicht live gehen, zurückhalten, zurückstellen, zurückgestellt, " +
    "bitte streichen, post streichen, bitte stoppen, auf Eis",
  yes: "ja, wahr",
  no: "nein, falsch",
  nothing: "keine, keiner, keines, entfällt, nichts",
  and: "und",
  totals: "gesamt, summe, insgesamt, gesamtzahl, summe posts",
  placeholders: {
    whole:
      "offen, noch offen, text offen, text noch offen, text folgt, text folgt noch, folgt noch, " +
      "wird ergänzt, wird noch ergänzt, wird nachgereicht, noch zu klären, zu klären, " +
      "noch zu definieren, noch zu bestimmen, noch festzulegen, noch zu schreiben, nnb, n. n., " +
      "platzhalter, platzhaltertext, blindtext, kein text, " +
      "ohne text, siehe oben, wie oben, text hier, k. a.",
    start: "platzhalter, textentwurf, abgesagt, entfällt, nicht veröffentlichen",
  },
  months: [
    "januar, jan, jänner, jaen",
    "februar, feb, febr",
    "märz, maerz, mär, mrz",
    "april, apr",
    "mai",
    "juni, jun",
    "juli, jul",
    "august, aug",
    "september, sep, sept",
    "oktober, okt",
    "november, nov",
    "dezember, dez",
  ],
  weekdays: [
    "montag, mo",
    "dienstag, di",
    "mittwoch, mi",
    "donnerstag, do",
    "freitag, fr",
    "samstag, sonnabend, sa",
    "sonntag, so",
  ],
  repeat: {
    daily: "täglich, taeglich, jeden tag",
    weekly: "wöchentlich, woechentlich, jede woche",
    monthly: "monatlich, jeden monat",
    yearly: "jährlich, jaehrlich, jedes jahr",
    workdays: "werktags, an werktagen, jeden werktag, werktage",
    weekends: "wochenende, am wochenende, jedes wochenende, wochenenden",
    every: "jeden, jede, jedes, alle",
    day: "tag, tage, tagen",
    week: "woche, wochen",
    month: "monat, monate",
    year: "jahr, jahre",
    on: "am, an, jeweils am",
    and: "und",
    first: "ersten, erster, erste",
    second: "zweiten, zweiter",
    third: "dritten, dritter",
    fourth: "vierten, vierter",
    last: "letzten, letzter, letzte",
    ofMonth: "im monat, des monats",
    until: "bis, bis zum, bis einschließlich",
    times: "mal",
  },
  dateParts: { day: "t, tt, tag", month: "m, mm, monat", year: "jj, jjjj, jahr" },
};
