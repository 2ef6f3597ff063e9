import { symbolsOf } from './code/symbols.js';
import { failureWeight } from './failure/failure-rules.js';
import { readLines, textOf, type ReadLines } from './lines/read-lines.js';
import { looksLikeLog, tellsOfFailure } from './log/looks-like-log.js';
import type { OutputKind } from './preview.js';
import { matchLine } from './search-results.js';
import { parseTable } from './table/parse-table.js';

/** Characters looked at from the start. */
const sampled = 24_000;

/** What a text holds. */
export function kindOf(text: string): OutputKind {
  const lines = readLines(text);
  return kindOfLines(textOf(text, lines), lines);
}

/**
 * What a text holds, decided on a bounded sample of what stands after the times and names of its lines. The order
 * matters: each test may trust those before it.
 */
export function kindOfLines(text: string, lines: ReadLines): OutputKind {
  const { said, isPrefixed, isUnwrapped } = lines;
  // JSON lines of a logger are JSON, unless something stands before them.
  if (isUnwrapped) return /^\s*\{/.test(text) && isJson(text, []) ? 'json' : 'log';
  const sample = text.slice(0, sampled);
  const filled: string[] = [];
  for (let i = 0, length = 0; i < said.length && i < 300 && length < sampled; length += said[i++]!.length)
    if (said[i]!.trim() !== '') filled.push(said[i]!.slice(0, 500));
  const share = (pattern: RegExp): number =>
    filled.filter((line) => pattern.test(line)).length / Math.max(1, filled.length);

  if (/^\s*(<!doctype html|<html\b|<(head|body|div|main|article|section|p|h1)\b[^>]{0,300}>)/i.test(sample))
    return 'html';
  if (/^\s*[[{]/.test(sample) && isJson(text, filled)) return 'json';
  if (
    /^(diff --git |--- \S.{0,300}\n\+\+\+ |Index: |commit [0-9a-f]{7,64}$)/m.test(sample) &&
    share(diffLine) > 0.6
  )
    return 'diff';
  const failures = filled.filter((line) => failureWeight(line) >= 8 && !codeLine.test(line)).length;
  const isMatches =
    share(/^[^:\s]{1,300}:\d{1,8}:/) > 0.7 && share(/T\d\d:\d\d:|:\d+:(\d+:)? ?(error|warning|fatal)/) < 0.2;
  if (filled.length >= 3 && isMatches && matchLine.test(filled[0]!)) return 'search';
  if (isPrefixed && tellsOfFailure(lines)) return 'log';
  if (failures === 0 && isListing(filled, share)) return 'listing';
  const isTestReport = share(/^E {3,}|^_{4,} .{1,200} _{4,}$|^={5,}/) > 0.01;
  if (!isTestReport && looksLikeCode(sample, filled, share)) return 'code';
  if (filled.length >= 4 && failures < filled.length * 0.1 && isTable(text, sample, filled)) return 'table';
  return isPrefixed || looksLikeLog(said) || tellsOfFailure(lines) ? 'log' : 'text';
}

const diffLine = /^([+\- @\\]|diff |index |commit |Author|Date|Merge|(new|deleted) file|similarity|rename|$)/;

/** Whole JSON ends as it began; JSON lines are objects, each on its own. */
function isJson(text: string, filled: readonly string[]): boolean {
  const end = text.trimEnd().at(-1);
  if (
    (end === '}' || end === ']') &&
    /^\s*(\{\s*("|\})|\[\s*([[{"\d\]]|true|false|null|-))/.test(text.slice(0, 200))
  )
    return true;
  return filled.length > 1 && filled.every((line) => /^\s*[{[]/.test(line));
}

function isListing(filled: readonly string[], share: (pattern: RegExp) => number): boolean {
  if (filled.length < 3) return false;
  if (share(/^[bcdlps-][rwxsStT-]{9}/) > 0.6 || share(/^[\s│|]*(├|└|\+--|`--|├─)/) > 0.6) return true;
  // Paths and nothing else on every line.
  return share(/^\s*(\.{0,2}\/)?[\w.@+~-]{1,100}(\/[\w.@+~ -]{1,100}){1,40}\/?$/) > 0.85;
}

function isTable(text: string, sample: string, filled: readonly string[]): boolean {
  const cut = text.length > sampled ? sample.slice(0, sample.lastIndexOf('\n') + 1) : sample;
  const table = parseTable(cut);
  if (!table || table.columns.length < 2 || table.rows.length < 2) return false;
  // Prose with commas is no table: cells are short.
  const cells = table.rows.slice(0, 30).flat();
  const long = cells.filter((cell) => cell.length > 160).length;
  return long < cells.length * 0.1 && table.rows.length >= filled.length * 0.5;
}

const codeLine =
  /[;{}]\s*$|^\s*(import|from|export|const|let|var|def|class|function|return|if|for|while|public|private|pub|fn|use|func|package|#include|@\w+|\/\/|\/?\*|#\s|"""|else|elif|try|except|match|impl)\b|^\s*(\/\/|\/\*|\*\/|#!|"""|\}|\)|\])|=>|::|\(\) *[{:]/;

function looksLikeCode(
  sample: string,
  filled: readonly string[],
  share: (pattern: RegExp) => number,
): boolean {
  if (filled.length < 5 || share(/^\s*\[?\d{4}-\d\d-\d\d|^\s*(INFO|WARN|ERROR|DEBUG)\b/) > 0.1) return false;
  const numbered = share(/^\s{0,7}\d{1,7}(\t|→|: ?|\| ?)/) > 0.8;
  const code = numbered ? share(/^\s{0,7}\d{1,7}(\t|→|: ?|\| ?).*[;{}()=:]/) : share(codeLine);
  return code > (numbered ? 0.3 : 0.45) && symbolsOf(sample).length >= 2;
}
