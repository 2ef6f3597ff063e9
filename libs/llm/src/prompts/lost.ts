/**
 * What a model is told when code found that its notes lost too much. The values are data of the conversation, so they
 * stand in a JSON list.
 */
export const lostHint = (lost: readonly string[]): string =>
  `Code compared your last notes with the messages. These values were in use there and your notes do not say them; the number in brackets is the message. Write the notes again and say each of these letter by letter, with what it means, unless it no longer matters: ${JSON.stringify(lost)}`;
