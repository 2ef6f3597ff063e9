import type { Schemas } from '@spillway/client';
import { IconAlertOctagon } from '@tabler/icons-react';
import Link from 'next/link';
import { fixedContentWords, threadPolicyPath } from '@/app/attempts/fixed-content-words';
import { Empty } from '@/ui/messages/empty';
import type { Problem } from '@/ui/messages/problem';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import classes from './context.module.css';
import { SystemPrompt } from './system-prompt';

interface Props {
  thread: Schemas['Thread'];
  problem: Problem;
  onRetry: () => void;
}

/** Why there is no context. A thread whose fixed content is over its limit is repaired in its policy or its prompt. */
export function ContextProblem({ thread, problem, onRetry }: Props) {
  if (problem.code !== 'budget_too_small') return <ProblemPanel problem={problem} onRetry={onRetry} />;
  const { detail } = thread.compaction;
  return (
    <div className={classes.refused} tabIndex={0} role="group" aria-label="Why there is no context">
      <Empty icon={IconAlertOctagon} title="This thread cannot serve a context">
        <p role="alert">{detail ? fixedContentWords(detail) : problem.detail}</p>
        <Link href={threadPolicyPath(thread.id)}>Edit the policy of this thread</Link>
      </Empty>
      <SystemPrompt text={thread.system} note="system prompt, part of every context" />
    </div>
  );
}
