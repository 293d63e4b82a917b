import type { Language } from "./language.ts";

export const portuguese: Language = {
  code: "pt",
  name: "Portuguese",
  columns: {
    id: "identificador",
    scheduled_at: "data e hora, data hora, data e hora da publicação",
    date:
      "data, data de publicação, data da publicação, data publicação, data da postagem, data de postagem, " +
      "data do post, dia da publicação",
    time:
      "hora, horário, hora de publicação, horário de publicação, horário da postagem, hora da postagem, " +
      "horário da publicação",
    timezone: "fuso horário",
    expires: "expira, expira em, expiração, data de expiração, não publicar depois de",
    platforms: "plataforma, plataformas, rede social, redes sociais, redes, canal, canais",
    content:
      "texto, conteúdo, mensagem, legenda, legendas, texto do post, texto da publicação, texto da postagem, " +
      "corpo, corpo do texto, corpo do post",
    media:
      "foto, fotos, vídeo, vídeos, imagem, imagens, arquivo, arquivos, ficheiro, ficheiros, mídia, mídias, " +
      "link da imagem, url da imagem",
    alt: "texto alternativo da imagem",
    reply_to: "resposta a, em resposta a, responde ao",
    first_comment: "primeiro comentário",
    campaign: "campanha, nome da campanha, campanha de marketing",
    status: "estado, situação, status do post, status da publicação",
    tone: "tom de voz",
    type: "tipo, tipo de post, tipo de publicação, tipo de conteúdo, formato",
  },
  hints: {
    date: "dia",
    expires: "validade, data de validade, válido até, data de fim",
    platforms: "rede",
    content: "publicação, postagem, descrição, ideia de post, assunto, título gancho",
    media: "arte, artes",
    alt: "descrição da imagem, descrição imagem",
    repeat: "repetição, repetir, recorrência",
    "content+":
      "ligação, link utm, url de destino, gancho, abertura, chamada inicial, chamada para ação, " +
      "chamada para a ação",
    accounts:
      "conta, contas, perfil, perfis, marca, cliente, página, nome da conta, empresa, loja, filial, mercado, " +
      "mercados, idioma, idiomas, língua, país, região",
    approver: "aprovado por, validado por",
    state:
      "public*, postar*, postado*, aprov*, validado*, feito*, pronto*, revisto, revisado, revisão, verificado, " +
      "carregado, em espera, decisão, agendado, enviado, subido, bloqueado, retorno do cliente, situação, " +
      "estado, remover, excluir, cancelar",
    ignore:
      "pilar, tema, temas, editoria, categoria, objetivo, público, persona, responsável, autor, redator, " +
      "designer, equipe, nota, notas, observação, observações, comentário, comentários, semana, dia da semana, " +
      "mês, trimestre, número, ocasião, produto, tom, prioridade, projeto, fonte, fotógrafo",
  },
  questions: {
    ready:
      "publicar?, postar?, a publicar, para publicar, aprovado, aprovada, aprovação, aprovação do cliente, " +
      "validado, pronto para publicar",
    skip:
      "publicado, publicada, postado, postada, já publicado, já postado, agendado?, cancelado, cancelada, " +
      "arquivado, excluído",
    draft: "rascunho",
  },
  hashtags: "hashtags sugeridas",
  status: {
    ready:
      "pronto, pronta, pronto para publicar, pronto para postar, aprovado, aprovada, validado, validada, " +
      "confirmado, confirmada, a publicar, para publicar",
    draft:
      "rascunho, em andamento, em progresso, em produção, em criação, em revisão, em aprovação, " +
      "aguardando aprovação, para aprovar, a aprovar, ideia, a fazer, a escrever, em espera, em pausa, pausado, " +
      "adiado, adiada, não aprovado",
    skip:
      "publicado, publicada, postado, postada, já publicado, enviado, enviada, cancelado, cancelada, rejeitado, " +
      "rejeitada, recusado, recusada, descartado, descartada, arquivado, arquivada",
    unclear: "agendado, agendada, programado, programada, planejado, planejada, planeado, planeada, pendente",
    stop: "stop, parar, parado, interromper",
  },
  holds:
    "não publicar, não publique, não publiquem, não pode ser publicado, não deve ser publicado, não postar, " +
    "não poste, não postem, não agendar, não programar, não aprovado, não aprovada, segurar este, " +
    "segurar por enquanto, post cancelado, publicação cancelada, cancelar este post",
  yes: "sim, verdadeiro",
  no: "não, falso, nao",
  nothing: "nenhum, nenhuma, não se aplica",
  and: "e",
  totals: "total geral, total de posts, soma",
  placeholders: {
    whole:
      "a definir, a confirmar, a completar, a preencher, por preencher, a escrever, a determinar, a fazer, " +
      "texto a definir, aguardando texto, pendente, rascunho, texto provisório, texto de teste, sem texto, " +
      "sem legenda, ver acima, igual acima, texto aqui",
    start: "rascunho, cancelado, não publicar",
  },
  dateParts: {
    day: "d, dd, dia",
    month: "m, mm, mês",
    year: "aa, aaaa, ano",
  },
};
