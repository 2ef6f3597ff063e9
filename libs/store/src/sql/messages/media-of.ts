const field = `'"sha256":"'`;

/**
 * SQL: a row for each SHA-256 that the media of a message name. `media` is text, as JSON of MediaReference[]
 * (libs/service/src/messages/media/take-media.ts): a prefix may hold what jsonb refuses. A string in it cannot look like
 * the field, because its quotes are escaped. It is cut at the fields: each match of a regular expression takes Postgres
 * the time for the whole text.
 */
export const mediaOf = (message: string): string => {
  const afterFirst = `substr(${message}.media, strpos(${message}.media, ${field}) + length(${field}))`;
  return `left(string_to_table(${afterFirst}, ${field}), 64)`;
};
