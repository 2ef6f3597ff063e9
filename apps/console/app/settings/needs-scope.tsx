import { IconLock } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { Empty } from '@/ui/messages/empty';

type Scope = Schemas['Scope'];
type Session = Schemas['SessionCurrent'];

/** An admin may do everything. */
export const may = (session: Session, scope: Scope): boolean =>
  session.scopes.includes(scope) || session.scopes.includes('admin');

interface Props {
  session: Session;
  scope: Scope;
  what: string;
  /** Whether no part of the page but this is shown. */
  wholePage?: boolean;
}

/** Shown when a key lacks a scope: what it may do, and who can help. */
export function NeedsScope({ session, scope, what, wholePage = false }: Props) {
  return (
    <Empty icon={IconLock} title={`${what} need a key with the scope ${scope}`} wholePage={wholePage}>
      You are signed in with <b>{session.key.name}</b>, which has{' '}
      {session.scopes.map((has, i) => (
        <span key={has}>
          {i > 0 && ', '}
          <code>{has}</code>
        </span>
      ))}
      . Sign in with another key, or ask an administrator for one.
    </Empty>
  );
}
