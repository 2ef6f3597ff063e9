import type { Schemas } from '@spillway/client';
import { count } from '@/ui/quantity';

type Context = Schemas['Context'];

/** Why a message is in a context, in words. */
export function whyItIsIn({ kind, seq }: Context['parts'][number], { summary, elided }: Context): string {
  switch (kind) {
    case 'system':
      return 'leading system message, in every context';
    case 'summary':
      return summary
        ? `summary G${summary.generation}, for messages 1–${count(summary.to_seq)}`
        : 'summary of older messages';
    case 'carried':
      return 'older than the summary, carried verbatim: pinned, or part of an open tool call';
    case 'note':
      return 'inserted by Spillway where something is left out';
    case 'recent': {
      const shortened = elided.some(
        (gap) => gap.reason === 'shortened' && seq !== null && seq >= gap.from_seq && seq <= gap.to_seq,
      );
      return `${summary ? 'after the summary' : 'no summary yet'}${shortened ? ', shortened to fit' : ''}`;
    }
  }
}

/** The outputs whose stubs a text holds. */
export const outputsOf = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\[Output (out_[0-9a-f]{32}) [^\]]{0,80}is stored outside/g)].map(
      (match) => match[1] ?? '',
    ),
  ),
];

/** What is left out of a context and why, in words. */
export const sayElided = ({ from_seq, to_seq, reason }: Context['elided'][number]): string => {
  const range =
    from_seq === to_seq ? `message ${count(from_seq)}` : `messages ${count(from_seq)}–${count(to_seq)}`;
  return reason === 'over_budget'
    ? `${range} left out: the budget is full and no summary covers them yet`
    : `${range} shortened, so that it fits the budget`;
};
