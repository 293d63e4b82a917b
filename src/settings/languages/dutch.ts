import type { Language } from "./language.ts";

export const dutch: Language = {
  code: "nl",
  name: "Dutch",
  columns: {
    id: "identificatie",
    scheduled_at: "datum en tijd, datum tijd, gepland op, gepland voor",
    date: "datum, publicatiedatum, plaatsingsdatum, datum van publicatie, datum plaatsing, postdatum",
    time: "tijd, tijdstip, publicatietijd, tijd van plaatsing, tijd van publicatie",
    timezone: "tijdzone",
    expires: "verloopt, verloopt op, verloopdatum, vervalt, vervalt op, niet plaatsen na, niet publiceren na",
    platforms: "platform, platformen, kanaal, kanalen, netwerk, netwerken, sociale media",
    content:
      "tekst, inhoud, bericht, onderschrift, bijschrift, posttekst, tekst van de post, berichttekst, hoofdtekst, " +
      "broodtekst",
    media:
      "foto, fotos, video, afbeelding, afbeeldingen, beeld, bestand, bestanden, link naar afbeelding, " +
      "afbeelding url, afbeeldingslink",
    alt: "alternatieve tekst, alternatieve teksten, alt tekst, alt teksten",
    reply_to: "antwoord op, reactie op",
    first_comment: "eerste reactie, eerste opmerking",
    campaign: "campagne, campagnenaam, naam campagne, marketingcampagne",
    status: "status van de post, publicatiestatus",
    type: "type post, type content, soort post, formaat",
  },
  hints: {
    expires: "geldig tot, einddatum, vervaldatum",
    content: "omschrijving, beschrijving, onderwerp, idee voor post",
    media: "bijlage, bijlagen",
    alt: "afbeeldingsbeschrijving, beschrijving afbeelding",
    type: "soort, vorm",
    repeat: "herhaling, herhalen",
    "content+": "koppeling, doel url, openingszin, aanhef, pakkende zin, kop, oproep tot actie",
    accounts:
      "accountnaam, profiel, profielen, merk, klant, pagina, paginanaam, account, klantnaam, bedrijf, winkel, " +
      "vestiging, filiaal, markt, markten, taal, talen, land, regio",
    approver: "goedgekeurd door, akkoord van",
    state:
      "publice*, plaatsen*, geplaatst*, posten*, gepost*, goedgekeurd*, goedkeuring*, akkoord*, klaar*, gedaan*, " +
      "definitief, gecontroleerd, geüpload, wacht, terugkoppeling, besluit, gepubliceerd, gepland, ingepland, " +
      "verzonden, geblokkeerd, nagekeken, online, verwijderen, annuleren",
    ignore:
      "pijler, thema, rubriek, categorie, doel, doelgroep, verantwoordelijke, verantwoordelijk, auteur, " +
      "ontwerper, team, notitie, notities, opmerking, opmerkingen, week, weeknummer, weekdag, dag, maand, " +
      "kwartaal, nummer, gelegenheid, product, toon, prioriteit, project, bron, fotograaf",
  },
  questions: {
    ready:
      "publiceren?, plaatsen?, posten?, te publiceren, te plaatsen, goedgekeurd, goedkeuring, akkoord, " +
      "akkoord klant, klaar voor publicatie",
    skip:
      "gepubliceerd, geplaatst, gepost, al geplaatst, gepland?, ingepland?, geannuleerd, gearchiveerd, " +
      "vervallen",
    draft: "is concept, concept?",
  },
  hashtags: "voorgestelde hashtags",
  status: {
    ready:
      "klaar, klaar voor publicatie, klaar om te plaatsen, goedgekeurd, akkoord, definitief, gereed, bevestigd, " +
      "te publiceren, te plaatsen",
    draft:
      "concept, in behandeling, in bewerking, bezig, mee bezig, te doen, nog te doen, idee, " +
      "wacht op goedkeuring, ter goedkeuring, in review, te beoordelen, te schrijven, uitgesteld, gepauzeerd, " +
      "niet goedgekeurd",
    skip:
      "gepubliceerd, geplaatst, gepost, al geplaatst, online, verzonden, verstuurd, geannuleerd, afgewezen, " +
      "afgekeurd, vervallen, gearchiveerd",
    unclear: "gepland, ingepland, in afwachting",
    stop: "stop, stoppen, gestopt",
  },
  holds:
    "niet plaatsen, niet posten, niet publiceren, niet gepubliceerd worden, niet geplaatst worden, " +
    "niet inplannen, niet online zetten, niet live zetten, niet goedgekeurd, wachten met plaatsen, " +
    "nog even wachten, aanhouden",
  yes: "ja, waar",
  no: "nee, onwaar",
  nothing: "geen, niets, niet van toepassing, nvt",
  and: "en",
  totals: "totaal, totaal aantal posts",
  placeholders: {
    whole:
      "nog te bepalen, nader te bepalen, n. t. b., nog in te vullen, in te vullen, nog te schrijven, " +
      "nog te bevestigen, tekst volgt, tekst volgt nog, volgt nog, tijdelijke aanduiding, geen tekst, " +
      "zonder tekst, zie boven, zie hierboven, tekst hier",
    start: "concepttekst, geannuleerd, niet plaatsen",
  },
  dateParts: {
    day: "d, dd, dag",
    month: "m, mm, maand",
    year: "jj, jjjj, jaar",
  },
};
