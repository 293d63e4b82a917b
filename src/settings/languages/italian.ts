import type { Language } from "./language.ts";

export const italian: Language = {
  code: "it",
  name: "Italian",
  columns: {
    id: { clear: "identificativo" },
    scheduled_at: { clear: "data e ora, data ora, data e ora di pubblicazione" },
    date: {
      clear:
        "data, data di pubblicazione, data pubblicazione, data del post, data di uscita, giorno di pubblicazione",
    },
    time: { clear: "ora, orario, ora di pubblicazione, orario di pubblicazione, ora pubblicazione" },
    timezone: { clear: "fuso orario" },
    expires: {
      clear: "scade, scade il, non pubblicare dopo",
      maybe: "scadenza, data di scadenza, valido fino al, data di fine",
    },
    platforms: {
      clear: "piattaforma, piattaforme, canale, canali, rete sociale, canale social, canali social",
    },
    content: {
      clear: "testo, contenuto, messaggio, didascalia, testo del post, testo post, testo della pubblicazione",
      maybe: "pubblicazione, descrizione, idea per il post, argomento",
    },
    media: {
      clear:
        "foto, video, immagine, immagini, link immagine, url immagine, file multimediale, file immagine, link video",
      maybe: "allegato, allegati",
    },
    alt: {
      clear: "testo alternativo, testi alternativi, testo alt",
      maybe: "descrizione immagine, descrizione dell’immagine",
    },
    first_comment: { clear: "primo commento" },
    campaign: { clear: "campagna, nome campagna, nome della campagna, campagna marketing" },
    status: { clear: "stato, stato del post, stato di pubblicazione" },
    type: { clear: "tipo, tipo di post, tipo di contenuto, formato, tipologia" },
  },
  questions: {
    ready:
      "pubblicare?, da pubblicare, approvato, approvata, approvazione, approvazione cliente, validato, pronto, " +
      "pronto per la pubblicazione",
    skip: "pubblicato, pubblicata, postato, già pubblicato, programmato?, annullato, annullata, archiviato, cancellato",
    draft: "bozza",
  },
  publishing: "pubblic, postare, postato, approv, validat, fatto, pronto",
  accounts:
    "conto, profilo, profili, marchio, pagina, nome della pagina, nome account, cliente, azienda, negozio, " +
    "sede, mercato, mercati, lingua, lingue, paese, regione",
  approvers: "approvato da, validato da",
  states:
    "controllato, caricato, in attesa, decisione, pronto, pubblicato, approvato, programmato, inviato, " +
    "verificato, revisionato, revisione, bloccato, riscontro cliente, stato, eliminare, rimuovere, annullare",
  notes:
    "pilastro, tema, temi, argomento, rubrica, categoria, obiettivo, pubblico, target, responsabile, autore, " +
    "grafico, team, nota, note, osservazioni, commento, commenti, settimana, giorno, giorno della settimana, " +
    "mese, trimestre, numero, occasione, ricorrenza, prodotto, tono, priorità, progetto, fonte, fotografo",
  hashtags: "hashtag suggeriti",
  additions: "collegamento, link utm, url di destinazione",
  textParts: {
    opening: "gancio, apertura, attacco, titolo hook",
    body: "corpo, corpo del testo, corpo del post",
    closing: "invito all’azione",
  },
  status: {
    ready:
      "pronto, pronta, pronto per la pubblicazione, approvato, approvata, validato, validata, confermato, " +
      "confermata, da pubblicare",
    draft:
      "bozza, in lavorazione, in corso, in attesa di approvazione, da approvare, in approvazione, in revisione, " +
      "da rivedere, da fare, da scrivere, da creare, da completare, idea, in pausa, rimandato, rimandata, " +
      "non approvato",
    skip:
      "pubblicato, pubblicata, già pubblicato, postato, postata, inviato, inviata, annullato, annullata, cancellato, " +
      "cancellata, rifiutato, rifiutata, scartato, scartata, archiviato, archiviata",
    unclear: "programmato, programmata, pianificato, pianificata, schedulato, previsto, prevista, in attesa",
  },
  holds:
    "non pubblicare, non pubblicarlo, non pubblicatelo, non va pubblicato, non deve uscire, non postare, non programmare, non approvato, non approvata, " +
    "in sospeso, mettere in pausa, post annullato, annullare questo, bloccare questo",
  yes: "sì, vero",
  no: "no, falso",
  nothing: "nessuno, nessuna, non applicabile",
  and: "e",
  totals: "totale, totale post, somma",
  placeholders: {
    whole:
      "da definire, da confermare, da completare, da scrivere, da decidere, da inserire, da compilare, " +
      "da fare, testo da definire, testo in arrivo, bozza, segnaposto, " +
      "testo segnaposto, testo provvisorio, senza testo, nessun testo, vedi sopra, come sopra, " +
      "testo qui",
    start: "bozza, annullato, non pubblicare",
  },
  months: [
    "gennaio, gen, genn",
    "febbraio, feb, febb",
    "marzo, mar",
    "aprile, apr",
    "maggio, mag",
    "giugno, giu",
    "luglio, lug",
    "agosto, ago",
    "settembre, set, sett",
    "ottobre, ott",
    "novembre, nov",
    "dicembre, dic",
  ],
  weekdays: [
    "lunedì, lun",
    "martedì, mar",
    "mercoledì, mer",
    "giovedì, gio",
    "venerdì, ven",
    "sabato, sab",
    "domenica, dom",
  ],
  repeat: {
    daily: "quotidiano, giornaliero, quotidianamente, ogni giorno, tutti i giorni",
    weekly: "settimanale, settimanalmente, ogni settimana",
    monthly: "mensile, mensilmente, ogni mese",
    yearly: "annuale, annualmente, ogni anno",
    workdays: "giorni feriali, giorni lavorativi",
    weekends: "fine settimana, ogni fine settimana",
    every: "ogni, tutti i, tutte le",
    day: "giorno, giorni",
    week: "settimana, settimane",
    month: "mese, mesi",
    year: "anno, anni",
    on: "il, di",
    and: "e",
    first: "primo",
    second: "secondo",
    third: "terzo",
    fourth: "quarto",
    last: "ultimo",
    ofMonth: "del mese, di ogni mese",
    until: "fino al, fino a",
    times: "volte",
  },
  dateParts: { day: "g, gg, giorno", month: "m, mm, mese", year: "aa, aaaa, anno" },
};
