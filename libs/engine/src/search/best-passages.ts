import type { SearchTerms } from './search-terms.js';
import { countTerms, lowerCaseOf } from './term-counts.js';

/** A line of an output, or a piece of a long one. */
export interface OutputPiece {
  line: number;
  /** Characters of the line before this piece, from 0. */
  column: number;
  text: string;
}

/** Lines of an output that are searched as one text. */
export interface Passage {
  /** Its first line. */
  from: number;
  /** The line with the most of what is searched for, and where the piece of it starts. */
  line: number;
  column: number;
  text: string;
}

/** Passages of one output that can be hits. */
const maxPassages = 4;
/** Lines and characters of a passage; a longer line is one of its own. */
const maxLines = 12;
const maxCharacters = 800;

/** The passages of an output that hold the most of what is searched for: memory is bounded by a few of them. */
export class BestPassages {
  private readonly found: (Passage & { worth: number })[] = [];
  private lines: OutputPiece[] = [];
  private characters = 0;

  constructor(private readonly terms: SearchTerms) {}

  add(piece: OutputPiece): void {
    const isFull = this.lines.length >= maxLines || this.characters + piece.text.length > maxCharacters;
    if (isFull || piece.column > 0) this.close();
    this.lines.push(piece);
    this.characters += piece.text.length + 1;
  }

  /** In the order of the output. */
  end(): Passage[] {
    this.close();
    return this.found
      .map(({ from, line, column, text }) => ({ from, line, column, text }))
      .sort((a, b) => a.line - b.line || a.column - b.column);
  }

  private close(): void {
    const lines = this.lines;
    this.lines = [];
    this.characters = 0;
    if (lines.length === 0) return;
    const text = lines.map((line) => line.text).join('\n');
    const worth = worthOf(text, this.terms);
    if (worth === 0 || (this.found.length === maxPassages && worth <= this.found.at(-1)!.worth)) return;
    let best = lines[0]!;
    let most = 0;
    for (const line of lines) {
      const own = worthOf(line.text, this.terms);
      if (own > most) [best, most] = [line, own];
    }
    this.found.push({ from: lines[0]!.line, line: best.line, column: best.column, text, worth });
    this.found.sort((a, b) => b.worth - a.worth);
    this.found.length = Math.min(this.found.length, maxPassages);
  }
}

/** How rare terms are is not known while an output is read: identifiers are taken to be rarer than words. */
function worthOf(text: string, terms: SearchTerms): number {
  const lower = lowerCaseOf(text);
  if (!terms.terms.some(({ stem }) => lower.includes(stem))) return 0;
  const { exact, partial } = countTerms(lower, terms);
  return terms.terms.reduce((sum, { kind }, i) => {
    const found = exact[i]! > 0 ? 1 : partial[i]! > 0 ? 0.4 : 0;
    return sum + found * (kind === 'word' ? 1 : 3);
  }, 0);
}
