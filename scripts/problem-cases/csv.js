/** @param {{ time?: string, platforms?: string, content?: string, more?: readonly string[] }} cells what differs from a good row */
export function row({ time = "2036-03-03 09:00", platforms = "linkedin", content = "Hello", more = [] }) {
  return [time, platforms, content, ...more].join(",");
}

/** A calendar of rows, with the columns that they all have. */
export function csv(...rows) {
  return table("scheduled_at,platforms,content", ...rows);
}

/** @param {string} header */
export function table(header, ...rows) {
  return `${[header, ...rows].join("\n")}\n`;
}
