import type { Language } from "./language.ts";

export const spanish: Language = {
  code: "es",
  name: "Spanish",
  columns: {
    id: "identificador",
    scheduled_at: "fecha y hora, fecha hora, fecha y hora de publicación",
    date: "fecha, fecha de publicación, fecha publicación, fecha del post, fecha prevista, día de publicación",
    time: "hora, hora de publicación, hora publicación, horario",
    timezone: "zona horaria, huso horario",
    expires:
      "caduca, caduca el, caducidad, fecha de caducidad, expira, expira el, fecha de expiración, " +
      "no publicar después de",
    platforms: "plataforma, plataformas, red social, redes sociales, redes, canal, canales",
    content:
      "texto, contenido, mensaje, leyenda, pie de foto, texto del post, texto de la publicación, " +
      "texto publicación, cuerpo, cuerpo del texto, cuerpo del post",
    media:
      "foto, fotos, vídeo, vídeos, imagen, imágenes, archivo, archivos, medios, multimedia, enlace de imagen, " +
      "url de la imagen, url imagen",
    alt: "texto alternativo, textos alternativos, texto alt",
    reply_to: "respuesta a, en respuesta a, responde a",
    first_comment: "primer comentario",
    campaign: "campaña, nombre de campaña, nombre de la campaña, campaña de marketing",
    status: "estado, estatus, estado del post, estado de publicación",
    type: "tipo, tipo de post, tipo de publicación, tipo de contenido, formato",
  },
  hints: {
    date: "día",
    expires: "válido hasta, fecha de fin, fin de la oferta",
    platforms: "red",
    content: "publicación, descripción, idea de post, tema, título gancho",
    media: "arte, artes",
    alt: "descripción de la imagen, descripción imagen",
    repeat: "repetición, repetir, recurrencia",
    "content+":
      "enlace, enlaces, enlace utm, url de destino, gancho, entrada, encabezado, titular, llamada a la acción, " +
      "llamado a la acción",
    accounts:
      "cuenta, cuentas, perfil, perfiles, marca, cliente, página, nombre de la cuenta, empresa, tienda, " +
      "sucursal, negocio, mercado, mercados, idioma, idiomas, país, región",
    approver: "aprobado por, validado por",
    state:
      "public*, postear*, posteado*, aprob*, validado*, hecho*, listo*, revisado, revisión, subido, en espera, " +
      "comentarios cliente, comentarios del cliente, visto bueno, decisión, programado, enviado, cargado, " +
      "verificado, bloqueado, estado, eliminar, quitar, cancelar",
    ignore:
      "pilar, temas, temática, categoría, objetivo, público, público objetivo, responsable, autor, redactor, " +
      "diseñador, equipo, nota, notas, observaciones, comentario, comentarios, semana, día de la semana, mes, " +
      "trimestre, número, ocasión, producto, tono, prioridad, proyecto, fuente, fotógrafo",
  },
  questions: {
    ready:
      "publicar?, se publica?, a publicar, por publicar, para publicar, aprobado, aprobada, aprobación, " +
      "aprobación del cliente, validado, listo, listo para publicar",
    skip: "publicado, publicada, ya publicado, programado?, cancelado, cancelada, archivado, eliminado",
    draft: "borrador",
  },
  hashtags: "etiquetas hashtag",
  status: {
    ready:
      "listo, lista, listo para publicar, lista para publicar, aprobado, aprobada, validado, validada, " +
      "confirmado, confirmada, por publicar, para publicar",
    draft:
      "borrador, en proceso, en progreso, en curso, pendiente de aprobación, por aprobar, en revisión, " +
      "por revisar, idea, por hacer, por escribir, por redactar, por diseñar, en redacción, en diseño, en pausa, " +
      "en espera, pospuesto, pospuesta, no aprobado",
    skip:
      "publicado, publicada, ya publicado, posteado, enviado, enviada, cancelado, cancelada, anulado, anulada, " +
      "rechazado, rechazada, descartado, descartada, archivado, archivada, eliminado, eliminada",
    unclear:
      "programado, programada, agendado, agendada, planificado, planificada, planeado, planeada, pendiente",
    stop: "stop, detener, detenido, detenida, parar",
  },
  holds:
    "no publicar, no publicarlo, no publicarla, no publiquen, no publiques, no se publica, no se publique, " +
    "no debe publicarse, no postear, no programar, no lanzar, no aprobado, no aprobada, sin aprobar, en pausa, " +
    "poner en espera, queda en espera, cancelar este, cancelar esta, post cancelado, publicación cancelada",
  yes: "sí, verdadero, si",
  no: "no, falso",
  nothing: "ninguno, ninguna, no aplica",
  and: "y",
  totals: "total de publicaciones, total general, suma",
  placeholders: {
    whole:
      "por definir, por confirmar, por completar, por escribir, por redactar, por determinar, por hacer, " +
      "pendiente, texto pendiente, copy pendiente, texto por definir, pendiente de texto, borrador, " +
      "texto provisional, texto de prueba, sin texto, sin copy, ver arriba, igual que arriba, texto aquí",
    start: "borrador, cancelado, no publicar",
  },
  dateParts: {
    day: "d, dd, día",
    month: "m, mm, mes",
    year: "aa, aaaa, año",
  },
};
