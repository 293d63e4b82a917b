import type { Language } from "./language.ts";

export const italian: Language = {
  code: "it",
  name: "Italian",
  columns: {
    id: "identificativo",
    scheduled_at: "data e ora, data ora, data e ora di pubblicazione",
    date: "data, data di pubblicazione, data pubblicazione, data del post, data di uscita, giorno di pubblicazione",
    time: "ora, orario, ora di pubblicazione, orario di pubblicazione, ora pubblicazione",
    timezone: "fuso orario",
    expires: "scade, scade il, non pubblicare dopo",
    platforms: "piattaforma, piattaforme, canale, canali, rete sociale, canale social, canali social",
    content:
      "testo, contenuto, messaggio, didascalia, testo del post, testo post, testo della pubblicazione, corpo, " +
      "corpo del testo, corpo del post",
    media:
      "foto, video, immagine, immagini, link immagine, url immagine, file multimediale, file immagine, " +
      "link video",
    alt: "testo alternativo, testi alternativi, testo alt",
    reply_to: "risposta a, in risposta a, risponde a",
    first_comment: "primo commento",
    campaign: "campagna, nome campagna, nome della campagna, campagna marketing",
    status: "stato, stato del post, stato di pubblicazione",
    type: "tipo, tipo di post, tipo di contenuto, formato, tipologia",
  },
  hints: {
    expires: "scadenza, data di scadenza, valido fino al, data di fine",
    content: "pubblicazione, descrizione, idea per il post, argomento",
    media: "allegato, allegati",
    alt: "descrizione immagine, descrizione dell’immagine",
    repeat: "ripetizione, ripetere, ricorrenza",
    "content+":
      "collegamento, link utm, url di destinazione, gancio, apertura, attacco, titolo hook, invito all’azione",
    accounts:
      "conto, profilo, profili, marchio, pagina, nome della pagina, nome account, cliente, azienda, negozio, " +
      "sede, mercato, mercati, lingua, lingue, paese, regione",
    approver: "approvato da, validato da",
    state:
      "pubblic*, postare*, postato*, approv*, validat*, fatto*, pronto*, controllato, caricato, in attesa, " +
      "decisione, programmato, inviato, verificato, revisionato, revisione, bloccato, riscontro cliente, stato, " +
      "eliminare, rimuovere, annullare",
    ignore:
      "pilastro, tema, temi, rubrica, categoria, obiettivo, pubblico, target, responsabile, autore, grafico, " +
      "team, nota, note, osservazioni, commento, commenti, settimana, giorno, giorno della settimana, mese, " +
      "trimestre, numero, occasione, ricorrenza, prodotto, tono, priorità, progetto, fonte, fotografo",
  },
  questions: {
    ready:
      "pubblicare?, da pubblicare, approvato, approvata, approvazione, approvazione cliente, validato, pronto, " +
      "pronto per la pubblicazione",
    skip:
      "pubblicato, pubblicata, postato, già pubblicato, programmato?, annullato, annullata, archiviato, " +
      "cancellato",
    draft: "bozza",
  },
  hashtags: "hashtag suggeriti",
  status: {
    ready:
      "pronto, pronta, pronto per la pubblicazione, approvato, approvata, validato, validata, confermato, " +
      "confermata, da pubblicare",
    draft:
      "bozza, in lavorazione, in corso, in attesa di approvazione, da approvare, in approvazione, in revisione, " +
      "da rivedere, da fare, da scrivere, da creare, da completare, idea, in pausa, rimandato, rimandata, " +
      "non approvato",
    skip:
      "pubblicato, pubblicata, già pubblicato, postato, postata, inviato, inviata, annullato, annullata, " +
      "cancellato, cancellata, rifiutato, rifiutata, scartato, scartata, archiviato, archiviata",
    unclear: "programmato, programmata, pianificato, pianificata, schedulato, previsto, prevista, in attesa",
    stop: "stop, fermare, fermato, fermata",
  },
  holds:
    "non pubblicare, non pubblicarlo, non pubblicatelo, non va pubblicato, non deve uscire, non postare, " +
    "non programmare, non approvato, non approvata, in sospeso, mettere in pausa, post annullato, " +
    "annullare questo, bloccare questo",
  yes: "sì, vero",
  no: "no, falso",
  nothing: "nessuno, nessuna, non applicabile",
  and: "e",
  totals: "totale, totale post, somma",
  placeholders: {
    whole:
      "da definire, da confermare, da completare, da scrivere, da decidere, da inserire, da compilare, da fare, " +
      "testo da definire, testo in arrivo, bozza, segnaposto, testo segnaposto, testo provvisorio, senza testo, " +
      "nessun testo, vedi sopra, come sopra, testo qui",
    start: "bozza, annullato, non pubblicare",
  },
  dateParts: {
    day: "g, gg, giorno",
    month: "m, mm, mese",
    year: "aa, aaaa, anno",
  },
};
