/**
 * SQL: a row for each SHA-256 that the media of a message name. `media` is text, as JSON of MediaReference[]
 * (libs/service/src/messages/media/take-media.ts): a prefix may hold what jsonb refuses. A string in it cannot look like
 * the field, because its quotes are escaped.
 */
export const mediaOf = (message: string): string =>
  `(regexp_matches(${message}.media, '"sha256":"([0-9a-f]{64})"', 'g'))[1]`;
