interface Words {
  who: string;
  /** How it acted; null when `who` says it. */
  by: string | null;
}

const inConsole = 'in the console';

const unnamed: Record<string, string> = {
  operator: 'the operator',
  service: 'the service itself',
  'key:many': 'many keys',
  'address:many': 'many addresses',
};

/**
 * An actor of the audit log in words. `name` is that of its key, which sessions and thread tokens have too; null for an
 * actor without a key, and for a key that is gone.
 */
export function actorWords(actor: string, name: string | null): Words {
  const by = credentialWords(actor);
  if (name !== null) return { who: name, by };
  const known = Object.hasOwn(unnamed, actor) ? unnamed[actor]! : null;
  const alone = by === inConsole ? `a session ${by}` : by;
  return { who: known ?? alone ?? actor, by: null };
}

function credentialWords(actor: string): string | null {
  const at = actor.indexOf(':');
  const [kind, id] = [actor.slice(0, at), actor.slice(at + 1)];
  switch (kind) {
    // A session belongs to a person; a key to a program.
    case 'session':
      return inConsole;
    case 'key':
      return `key ${id.slice(0, 8)}`;
    case 'token':
      return `thread token ${id.slice(0, 8)}`;
    case 'address':
      return `somebody at ${id}`;
    default:
      return null;
  }
}
