import type { Schemas } from '@spillway/client';
import { reasonWords } from '@/app/attempts/reason-words';
import { count, plural } from '@/ui/quantity';

type Concern = Schemas['Concern'];

interface Words {
  title: string;
  detail: string;
  /** What the link to its page says. */
  action: string;
}

const are = (n: number): string => (n === 1 ? 'is' : 'are');

/** A concern in words: what is wrong, and what it means. One that this console does not know is shown as it came. */
export function concernWords({ kind, reason, count: n }: Concern): Words {
  switch (kind) {
    case 'parked': {
      const { name, why } = reasonWords(reason ?? '');
      return { title: `${plural(n, 'thread')} parked: ${name}`, detail: why, action: 'See and retry' };
    }
    case 'due_for_long':
      return {
        title: `${plural(n, 'thread')} due for more than a minute`,
        detail: 'No worker takes them up: is one running, and can it reach Postgres?',
        action: 'See the queue',
      };
    case 'backing_off_for_long':
      return {
        title: `${plural(n, 'thread')} backing off for more than 10 minutes`,
        detail: 'The provider keeps failing. They are tried again by themselves.',
        action: 'See the errors',
      };
    case 'near_limit':
      return {
        title: `${plural(n, 'thread')} close to the limit`,
        detail:
          'Over 95% of what a context may hold and not compacted yet: the next ones leave messages out.',
        action: 'See the threads',
      };
    case 'outputs_corrupt':
      return {
        title: `${plural(n, 'output')} corrupt`,
        detail: 'The stored bytes are not what was written, so they are not served. Look at the storage.',
        action: 'See the outputs',
      };
    case 'outputs_expiring':
      return {
        title: `${n >= 1000 ? `${count(n)} or more outputs expire` : `${plural(n, 'output')} ${n === 1 ? 'expires' : 'expire'}`} within 24 hours`,
        detail: 'Pin those that an agent still needs; their stubs stay in any case.',
        action: 'See the outputs',
      };
    case 'sweep_refused':
      return { title: 'The storage was not swept', detail: reason ?? '', action: 'See the sweeps' };
    case 'sweep_failed':
      return { title: 'A sweep could not remove everything', detail: reason ?? '', action: 'See the sweeps' };
    case 'webhook_disabled':
      return {
        title: n === 1 ? 'A webhook is disabled' : `${count(n)} webhooks are disabled`,
        detail:
          reason === 'gone'
            ? 'Its server said that it is gone. Events since then are not sent there.'
            : 'Nothing got through for days. Events since then are not sent there.',
        action: 'See the webhooks',
      };
    default:
      return {
        title: `${count(n)} ${are(n)} ${kind.replaceAll('_', ' ')}`,
        detail: reason ?? '',
        action: 'See them',
      };
  }
}
