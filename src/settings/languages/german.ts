import type { Language } from "./language.ts";

export const german: Language = {
  code: "de",
  name: "German",
  columns: {
    id: "kennung",
    scheduled_at: "datum und uhrzeit, datum uhrzeit, geplant am, geplant für, veröffentlichung am",
    date:
      "datum, veröffentlichungsdatum, datum der veröffentlichung, postingdatum, postdatum, veröffentlichungstag, " +
      "erscheinungsdatum",
    time: "uhrzeit, zeit, veröffentlichungszeit, uhrzeit der veröffentlichung, postingzeit",
    timezone: "zeitzone",
    expires: "läuft ab, läuft ab am, ablaufdatum, nicht veröffentlichen nach, nicht posten nach",
    platforms:
      "plattform, plattformen, netzwerk, netzwerke, soziales netzwerk, soziale netzwerke, kanal, kanäle, " +
      "social media kanal",
    content:
      "text, inhalt, beitragstext, nachricht, bildunterschrift, posttext, postingtext, haupttext, fließtext, " +
      "textkörper",
    media:
      "bild, bilder, foto, fotos, video, videos, datei, dateien, medien, bild url, bild urls, bildlink, " +
      "bildlinks, bilddatei, bildpfad, link zum bild, videolink, video url, fotolink, mediendatei",
    alt: "alternativtext, alternativtexte, alttexte, alt beschreibung",
    reply_to: "antwort auf, als antwort auf",
    first_comment: "erster kommentar",
    campaign: "kampagne, kampagnenname, name der kampagne, marketingkampagne",
    status: "beitragsstatus, freigabestatus",
    tone: "tonalität, tonfall",
    type: "beitragsart, beitragstyp, typ, formattyp, inhaltstyp, posttyp",
  },
  hints: {
    expires: "gültig bis, enddatum, ende der aktion",
    content: "beitrag, beschreibung, textidee, thema, idee, titel hook",
    media: "grafik, grafiken, anhang",
    alt: "bildbeschreibung, bildbeschreibungen",
    status: "stand, bearbeitungsstand, zustand, fortschritt, phase",
    type: "art",
    repeat: "wiederholung, wiederholen, turnus",
    "content+":
      "ziel url, link mit utm, verlinkung, aufhänger, einstieg, einleitung, aufmacher, überschrift, hook, " +
      "handlungsaufforderung",
    accounts:
      "konto, konten, kontoname, profilname, marke, kunde, kundenname, seite, seitenname, facebook seite, firma, " +
      "unternehmen, filiale, standort, mandant, markt, märkte, sprache, sprachen, land, region",
    approver: "freigegeben von, genehmigt von",
    state:
      "veröffentlich*, posten*, gepostet*, freigegeb*, freigabe*, genehmig*, erledigt*, fertig*, geprüft, " +
      "hochgeladen, stopp, halt, rückmeldung, kundenfeedback, entscheidung, eingeplant, geplant, online, " +
      "gesperrt, abgenommen, abnahme, korrigiert, löschen, entfernen, streichen",
    ignore:
      "säule, themen, rubrik, kategorie, ziel, zielgruppe, verantwortlich, zuständig, autor, autorin, redakteur, " +
      "gestaltung, team, abteilung, notiz, notizen, bemerkung, bemerkungen, kommentar, kommentare, anmerkung, " +
      "anmerkungen, woche, kw, kalenderwoche, wochentag, tag, monat, quartal, nummer, anlass, feiertag, produkt, " +
      "priorität, projekt, quelle, fotograf, bildnachweis",
  },
  questions: {
    ready:
      "veröffentlichen?, posten?, zu veröffentlichen, zu posten, freigabe, freigegeben, genehmigt, genehmigung, " +
      "kundenfreigabe, bereit",
    skip:
      "veröffentlicht, gepostet, bereits veröffentlicht, schon gepostet, online?, geplant?, abgesagt, storniert, " +
      "archiviert, gelöscht",
    draft: "entwurf",
  },
  hashtags: "schlagworte hashtags",
  status: {
    ready:
      "bereit, fertig, freigegeben, genehmigt, abgenommen, bestätigt, startklar, veröffentlichungsbereit, " +
      "zu veröffentlichen, bereit zur veröffentlichung",
    draft:
      "entwurf, in arbeit, in bearbeitung, idee, offen, zu prüfen, in prüfung, zur freigabe, in freigabe, " +
      "freigabe ausstehend, in abstimmung, warten auf freigabe, in planung, zu schreiben, zu erstellen, " +
      "zu überarbeiten, in überarbeitung, pausiert, zurückgestellt, verschoben, nicht freigegeben",
    skip:
      "veröffentlicht, gepostet, publiziert, bereits veröffentlicht, online, gesendet, abgesagt, abgelehnt, " +
      "storniert, gestrichen, entfällt, archiviert, verworfen",
    unclear: "geplant, eingeplant, terminiert, ausstehend, wartet",
    stop: "stopp, stoppen, gestoppt",
  },
  holds:
    "nicht veröffentlichen, nicht veröffentlicht werden, nicht posten, nicht gepostet werden, nicht publizieren, " +
    "nicht einplanen, nicht ausspielen, nicht freigegeben, nicht rausgehen, nicht online gehen, " +
    "nicht online stellen, nicht live gehen, zurückhalten, zurückstellen, zurückgestellt, bitte streichen, " +
    "post streichen, bitte stoppen, auf Eis",
  yes: "ja, wahr",
  no: "nein, falsch",
  nothing: "keine, keiner, keines, entfällt, nichts",
  and: "und",
  totals: "gesamt, summe, insgesamt, gesamtzahl, summe posts",
  placeholders: {
    whole:
      "offen, noch offen, text offen, text noch offen, text folgt, text folgt noch, folgt noch, wird ergänzt, " +
      "wird noch ergänzt, wird nachgereicht, noch zu klären, zu klären, noch zu definieren, noch zu bestimmen, " +
      "noch festzulegen, noch zu schreiben, nnb, n. n., platzhalter, platzhaltertext, blindtext, kein text, " +
      "ohne text, siehe oben, wie oben, text hier, k. a.",
    start: "platzhalter, textentwurf, abgesagt, entfällt, nicht veröffentlichen",
  },
  dateParts: {
    day: "t, tt, tag",
    month: "m, mm, monat",
    year: "jj, jjjj, jahr",
  },
};
