/** The words that a summary has said, to tell which of the next line's are new. */
export class NewWords {
  private readonly words = new Set<string>();

  add(text: string): void {
    for (const word of wordsOf(text)) this.words.add(word);
  }

  /** The share of a text's words that were not said, from 0 to 1. */
  shareIn(text: string): number {
    const all = wordsOf(text);
    return all.length === 0 ? 0 : all.filter((word) => !this.words.has(word)).length / all.length;
  }

  /** How many codes and paths of a text were not said: each names one thing, whatever the words around it are. */
  namesIn(text: string): number {
    return wordsOf(text).filter((word) => name.test(word) && !this.words.has(word)).length;
  }
}

const name = /\d.*\p{L}|\p{L}.*\d|\//u;

/** Words of three letters and more, numbers and names: the others carry little. */
const wordsOf = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}][\p{L}\p{N}_./@-]*[\p{L}\p{N}]/gu)
      ?.filter((word) => word.length > 2),
  ),
];
