import type { Language } from "./language.ts";

export const portuguese: Language = {
  code: "pt",
  name: "Portuguese",
  columns: {
    id: { clear: "identificador" },
    scheduled_at: { clear: "data e hora, data hora, data e hora da publicação" },
    date: {
      clear:
        "data, data de publicação, data da publicação, data publicação, data da postagem, data de postagem, " +
        "data do post, dia da publicação",
      maybe: "dia",
    },
    time: {
      clear:
        "hora, horário, hora de publicação, horário de publicação, horário da postagem, hora da postagem, " +
        "horário da publicação",
    },
    timezone: { clear: "fuso horário" },
    expires: {
      clear: "expira, expira em, expiração, data de expiração, não publicar depois de",
      maybe: "validade, data de validade, válido até, data de fim",
    },
    platforms: {
      clear: "plataforma, plataformas, rede social, redes sociais, redes, canal, canais",
      maybe: "rede",
    },
    content: {
      clear:
        "texto, conteúdo, mensagem, legenda, legendas, texto do post, texto da publicação, texto da postagem",
      maybe: "publicação, postagem, descrição, ideia de post, assunto, título gancho",
    },
    media: {
      clear:
        "foto, fotos, vídeo, vídeos, imagem, imagens, arquivo, arquivos, ficheiro, ficheiros, mídia, mídias, " +
        "link da imagem, url da imagem",
      maybe: "arte, artes",
    },
    alt: {
      clear: "texto alternativo da imagem",
      maybe: "descrição da imagem, descrição imagem",
    },
    first_comment: { clear: "primeiro comentário" },
    campaign: { clear: "campanha, nome da campanha, campanha de marketing" },
    status: { clear: "estado, situação, status do post, status da publicação" },
    tone: { clear: "tom de voz" },
    type: { clear: "tipo, tipo de post, tipo de publicação, tipo de conteúdo, formato" },
  },
  questions: {
    ready:
      "publicar?, postar?, a publicar, para publicar, aprovado, aprovada, aprovação, aprovação do cliente, validado, " +
      "pronto para publicar",
    skip:
      "publicado, publicada, postado, postada, já publicado, já postado, agendado?, cancelado, cancelada, " +
      "arquivado, excluído",
    draft: "rascunho",
  },
  publishing: "public, postar, postado, aprov, validado, feito, pronto",
  accounts:
    "conta, contas, perfil, perfis, marca, cliente, página, nome da conta, empresa, loja, filial, mercado, " +
    "mercados, idioma, idiomas, língua, país, região",
  approvers: "aprovado por, validado por",
  states:
    "revisto, revisado, revisão, verificado, carregado, em espera, decisão, pronto, publicado, aprovado, " +
    "agendado, enviado, subido, bloqueado, retorno do cliente, situação, estado, remover, excluir, cancelar",
  notes:
    "pilar, tema, temas, assunto, editoria, categoria, objetivo, público, persona, responsável, autor, " +
    "redator, designer, equipe, nota, notas, observação, observações, comentário, comentários, semana, dia, " +
    "dia da semana, mês, trimestre, número, ocasião, produto, tom, prioridade, projeto, fonte, fotógrafo",
  hashtags: "hashtags sugeridas",
  additions: "ligação, link utm, url de destino",
  textParts: {
    opening: "gancho, abertura, chamada inicial",
    body: "corpo, corpo do texto, corpo do post",
    closing: "chamada para ação, chamada para a ação",
  },
  status: {
    ready:
      "pronto, pronta, pronto para publicar, pronto para postar, aprovado, aprovada, validado, validada, confirmado, " +
      "confirmada, a publicar, para publicar",
    draft:
      "rascunho, em andamento, em progresso, em produção, em criação, em revisão, em aprovação, " +
      "aguardando aprovação, para aprovar, a aprovar, ideia, a fazer, a escrever, em espera, em pausa, pausado, " +
      "adiado, adiada, não aprovado",
    skip:
      "publicado, publicada, postado, postada, já publicado, enviado, enviada, cancelado, cancelada, rejeitado, " +
      "rejeitada, recusado, recusada, descartado, descartada, arquivado, arquivada",
    unclear: "agendado, agendada, programado, programada, planejado, planejada, planeado, planeada, pendente",
  },
  holds:
    "não publicar, não publique, não publiquem, não pode ser publicado, não deve ser publicado, não postar, não poste, não postem, não agendar, " +
    "não programar, não aprovado, não aprovada, segurar este, segurar por enquanto, post cancelado, publicação cancelada, cancelar este post",
  yes: "sim, verdadeiro",
  no: "não, falso, nao",
  nothing: "nenhum, nenhuma, não se aplica",
  and: "e",
  totals: "total geral, total de posts, soma",
  placeholders: {
    whole:
      "a definir, a confirmar, a completar, a preencher, por preencher, a escrever, a determinar, " +
      "a fazer, texto a definir, aguardando texto, pendente, rascunho, " +
      "texto provisório, texto de teste, sem texto, sem legenda, ver acima, igual acima, texto aqui",
    start: "rascunho, cancelado, não publicar",
  },
  months: [
    "janeiro, jan",
    "fevereiro, fev",
    "março, mar",
    "abril, abr",
    "maio, mai",
    "junho, jun",
    "julho, jul",
    "agosto, ago",
    "setembro, set",
    "outubro, out",
    "novembro, nov",
    "dezembro, dez",
  ],
  weekdays: [
    "segunda, seg",
    "terça, ter",
    "quarta, qua",
    "quinta, qui",
    "sexta, sex",
    "sábado, sáb",
    "domingo, dom",
  ],
  repeat: {
    daily: "diário, diária, diariamente, todos os dias, todo dia, cada dia",
    weekly: "semanalmente, toda semana, todas as semanas",
    monthly: "mensal, mensalmente, todo mês, todos os meses",
    yearly: "anualmente, todo ano, todos os anos",
    workdays: "dias úteis",
    weekends: "fins de semana, fim de semana",
    every: "toda, todo, todas as, a cada",
    day: "dia, dias",
    week: "semana, semanas",
    month: "mês, meses",
    year: "ano, anos",
    on: "na, no, nas, às",
    first: "primeira",
    last: "última",
    ofMonth: "do mês, de cada mês",
    until: "até, até o",
    times: "vezes",
    weekdayForms: ["segundas", "terças", "quartas", "quintas", "sextas", "sábados", "domingos"],
  },
  dateParts: { day: "d, dd, dia", month: "m, mm, mês", year: "aa, aaaa, ano" },
};
