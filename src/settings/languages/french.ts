import type { Language } from "./language.ts";

export const french: Language = {
  code: "fr",
  name: "French",
  columns: {
    id: "identifiant",
    scheduled_at: "date et heure, date heure, date et heure de publication",
    date:
      "date de publication, date publication, date de diffusion, date de parution, date prévue, date du post, " +
      "jour de publication, date de mise en ligne",
    time: "heure, heure de publication, heure publication, horaire, heure du post",
    timezone: "fuseau horaire, fuseau",
    expires: "expire, expire le, expiration, date d’expiration, date expiration, ne pas publier après",
    platforms: "plateforme, plateformes, réseau, réseaux, réseau social, réseaux sociaux, canal, canaux",
    content:
      "légende, légendes, texte, message, texte du post, texte de la publication, contenu, contenu du post, " +
      "texte du message, texte publication, corps, corps du texte, corps du post",
    media:
      "image, images, photo, photos, vidéo, vidéos, photo vidéo, média, médias, fichier, fichiers, pièce jointe, " +
      "pièces jointes, lien image, lien de l’image, url image, lien photo, lien vidéo",
    alt: "texte alternatif, textes alternatifs, texte alt, description alternative, balise alt",
    reply_to: "réponse à, en réponse à",
    first_comment: "premier commentaire",
    campaign: "campagne, nom de campagne, nom de la campagne, campagne marketing",
    status: "statut, état, statut du post, statut de publication",
    tone: "tonalité",
    type: "type de post, type de contenu, type de publication, format du post",
  },
  hints: {
    expires: "valable jusqu’au, date de fin, date limite de publication, fin de l’offre",
    content: "publication, description, idée de légende, idée de post, sujet, thème, wording",
    media: "visuel, visuels",
    alt: "description image, description de l’image, description visuel",
    type: "nature",
    repeat: "répétition, répéter, récurrence",
    "content+":
      "lien, liens, lien utm, url de destination, accroche, phrase d’accroche, introduction, intro, " +
      "appel à l’action",
    accounts:
      "compte, comptes, nom du compte, profil, profils, marque, page facebook, nom de la page, page, " +
      "nom de marque, entreprise, société, client, nom du client, boutique, magasin, agence, marché, marchés, " +
      "langue, langues, pays, région",
    approver: "validé par, approuvé par",
    state:
      "publi*, poster*, posté*, approuv*, approb*, valid*, diffus*, mis en ligne, terminé*, prêt*, en ligne, " +
      "finale, vérifié, relu, relecture, contrôlé, retour client, retours client, feu vert, attente, chargé, " +
      "importé, décision, avis client, programmé, envoyé, statut, supprimer, retirer, annuler",
    ignore:
      "pilier, thématique, thématiques, rubrique, catégorie, objectif, cible, audience, responsable, auteur, " +
      "rédacteur, graphiste, équipe, note, notes, remarque, remarques, commentaire, commentaires, semaine, jour, " +
      "mois, trimestre, numéro, occasion, marronnier, produit, ton, priorité, projet, source, photographe, " +
      "crédit photo",
  },
  questions: {
    ready:
      "publier?, poster?, à publier, à poster, approuvé, approbation, validé, validation, validation client, " +
      "bon à publier, bon pour publication, prêt, prêt à publier",
    skip:
      "publié, publiée, posté, déjà publié, mis en ligne, en ligne?, programmé?, annulé, annulée, archivé, " +
      "supprimé",
    draft: "brouillon",
  },
  hashtags: "mots dièse, mot dièse, mots clics",
  status: {
    ready:
      "prêt, prête, prêt à publier, prêt à poster, validé, validée, approuvé, approuvée, bon à publier, " +
      "confirmé, confirmée, à publier, à poster, finalisé, finalisée",
    draft:
      "brouillon, en cours, en attente de validation, à valider, à produire, à rédiger, à écrire, à faire, " +
      "à créer, à relire, à corriger, à modifier, à compléter, idée, en validation, en relecture, en rédaction, " +
      "en création, en pause, reporté, reportée, non validé",
    skip:
      "publié, publiée, posté, postée, en ligne, déjà publié, envoyé, envoyée, diffusé, diffusée, paru, annulé, " +
      "annulée, refusé, refusée, supprimé, supprimée, archivé, archivée, abandonné",
    unclear: "programmé, programmée, planifié, planifiée, prévu, prévue, en attente",
    stop: "stop, arrêter, arrêté, arrêtée",
  },
  holds:
    "ne pas publier, ne pas poster, ne pas diffuser, ne pas programmer, ne pas mettre en ligne, ne publiez pas, " +
    "ne publie pas, ne pas être publié, pas validé, non validé, mettre en attente, mis en attente, " +
    "mettre en pause, en suspens, annuler ce post, annuler cette publication, post annulé, publication annulée",
  yes: "oui, vrai",
  no: "non, faux",
  nothing: "aucun, aucune, néant, sans objet",
  and: "et",
  totals: "total général, sous total, total des posts, total publications",
  placeholders: {
    whole:
      "à définir, à déterminer, à préciser, à confirmer, à compléter, à remplir, à rédiger, à écrire, à faire, " +
      "reste à définir, texte à venir, légende à venir, texte à définir, texte à rédiger, en cours de rédaction, " +
      "brouillon, texte provisoire, sans texte, pas de texte, voir ci-dessus, idem ci-dessus, texte ici",
    start: "brouillon, annulé, ne pas publier",
  },
  dateParts: {
    day: "j, jj, jour",
    month: "m, mm, mois",
    year: "aa, aaaa, an, année",
  },
};
