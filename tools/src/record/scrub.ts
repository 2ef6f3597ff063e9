import { homedir, hostname } from 'node:os';
import { dirname } from 'node:path';
import { repository } from '../repository.js';
import type { Sandbox } from './sandbox.js';

/**
 * Removes everything that belongs to the recording machine from a tool's output. The same input gives the same text.
 */
export function scrubber(sandbox: Pick<Sandbox, 'repo' | 'home'>): (text: string) => string {
  const replacements: [RegExp, string][] = [
    [literally(sandbox.repo), '/repo'],
    [literally(sandbox.home), '/home/dev'],
    [literally(repository.replace(/\/$/, '')), '/repo'],
    [literally(dirname(process.execPath)), '/usr/local/bin'],
    ...(homedir() === '/' ? [] : [[literally(homedir()), '/home/dev'] as [RegExp, string]]),
    [new RegExp(`\\b${escaped(hostname())}\\b(?=[.:@ ]|$)`, 'g'), 'host'],
    [/https?:\/\/[^\s"'/]*(?:registry|npmjs|artifactory|nexus)[^\s"'/]*/g, 'https://registry.example'],
    [/[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b/g, 'dev@mail.example'],
  ];
  return (text) => replacements.reduce((kept, [pattern, by]) => kept.replace(pattern, by), text);
}

/** What remains of the machine after scrubbing, or null. Recording stops instead of writing it. */
export function leak(text: string): string | null {
  const forbidden = [
    literally(repository.replace(/\/$/, '')),
    literally(process.execPath),
    /\/(?:root|home\/(?!dev\b)\w+|tmp\/record-\w+)\b[^\s"]*/,
    /registry\.(?!example)[\w.-]+/,
    /\b(?:sw_|sk-|ghp_|npm_)[A-Za-z0-9]{20,}/,
    /\b(?:10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2})\b/,
  ];
  for (const pattern of forbidden) {
    const found = pattern.exec(text);
    if (found) return found[0];
  }
  return null;
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
const literally = (text: string): RegExp => new RegExp(escaped(text), 'g');
