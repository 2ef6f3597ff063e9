'use client';

import { usePathname } from 'next/navigation';
import { useState } from 'react';
import { bytes, count } from '@/ui/quantity';
import { ShownText } from '@/ui/text/shown-text';
import { MarkedWords } from '@/ui/text/marked-words';
import { firstWord } from '@/ui/text/search-words';
import classes from './clip-text.module.css';
import { formatJson } from './format-json';

/** No text node grows beyond this; the rest comes on request. */
const chunk = 64_000;

interface Props {
  /** Identifies a text of the page, so that it stays expanded while it is scrolled out of view and back. */
  id: string;
  text: string;
  lines: number;
  mono?: boolean;
  /** Offers JSON with line breaks. */
  format?: boolean;
  /** Search words, which are marked and never clipped. */
  words?: readonly string[];
}

const noWords: readonly string[] = [];

/** How far texts are expanded, by page and text. */
const opened = new Map<string, number>();

/** A text, clipped to some lines until it is expanded. JSON can be shown with line breaks. */
export function ClipText({ id, text, lines, mono = false, format = false, words = noWords }: Props) {
  // Other threads have messages of the same seq and length.
  const key = `${usePathname()} ${id}:${text.length}`;
  const [through, setThrough] = useState(() => opened.get(key) ?? 0);
  const [pretty, setPretty] = useState(false);
  const formatted = pretty ? formatJson(text) : null;
  const whole = formatted ?? text;
  const short = clip(whole, lines, words);
  const shown = through === 0 ? short : whole.slice(0, through);
  const left = whole.length - shown.length;
  const open = (end: number) => {
    opened.set(key, end);
    setThrough(end);
  };
  const mayFormat = format && text.length > 80 && /^\s*[[{]/.test(text);
  return (
    <div>
      <div className={mono ? classes.mono : classes.text}>
        {chunksOf(shown).map((text, i) =>
          words.length > 0 ? (
            <MarkedWords key={i} text={text} words={words} />
          ) : (
            <ShownText key={i} text={text} />
          ),
        )}
      </div>
      {(left > 0 || through > 0 || mayFormat) && (
        <div className={classes.more}>
          {left > 0 && (
            <button type="button" data-expand onClick={() => open(Math.max(through, 0) + chunk)}>
              {left <= chunk ? `Show all ${count(whole.length)} characters` : `Show ${bytes(chunk)} more`}
            </button>
          )}
          {through > 0 && (
            <button type="button" data-collapse onClick={() => open(0)}>
              Show less
            </button>
          )}
          {mayFormat && (
            <button type="button" aria-pressed={pretty} onClick={() => setPretty(!pretty)}>
              {pretty ? 'As recorded' : 'Format'}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

/** Pieces, each a text node of its own. */
const chunksOf = (text: string): string[] =>
  Array.from({ length: Math.ceil(text.length / chunk) }, (_, i) => text.slice(i * chunk, (i + 1) * chunk));

/** The first lines, extended to the first search word if it is near. */
function clip(text: string, lines: number, words: readonly string[]): string {
  const short = firstLines(text, lines);
  if (words.length === 0 || short.length === text.length) return short;
  const found = firstWord(text.slice(0, chunk), words);
  return found < 0 || found + 40 < short.length ? short : text.slice(0, found + 200);
}

/** A text without line breaks is clipped by length. Slightly longer texts are shown whole. */
function firstLines(text: string, lines: number): string {
  const most = lines * 110;
  let end = 0;
  for (let line = 0; line < lines; line++) {
    const next = text.indexOf('\n', end);
    if (next === -1) return text.length <= most * 1.2 ? text : text.slice(0, most);
    end = next + 1;
    if (end > most) return text.slice(0, most);
  }
  return text.length - end < 120 ? text : text.slice(0, end - 1);
}
