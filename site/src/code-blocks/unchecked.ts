/** A block that no program can check, found by its page and the start of its text, with the reason. */
export interface Unchecked {
  page: string;
  start: string;
  why: string;
}

const drawing = 'a drawing';
const tree = 'a list of folders with notes; the check of walks and the check of links look at paths';
const output = 'output of a program, copied from a run';
const roles = 'statements of an administrator; test/trust/table-owner.test.ts runs them with other names';
const example = 'an example of what a summary says';

/** The only blocks that are not checked. A row that matches no block is a mistake as well. */
export const unchecked: readonly Unchecked[] = [
  { page: 'README.md', start: ' agent ── POST', why: drawing },
  { page: 'docs/architecture.md', start: ' console ─► client', why: drawing },
  { page: 'docs/architecture.md', start: 'libs/engine/src', why: tree },
  { page: 'docs/architecture.md', start: 'libs/service/src', why: tree },
  { page: 'docs/compaction.md', start: ' before   [system]', why: drawing },
  { page: 'docs/compaction.md', start: '- [28,157] user_id', why: example },
  { page: 'docs/faults.md', start: 'Soak of 20 min', why: output },
  { page: 'docs/operations/guide.md', start: 'CREATE ROLE spillway_app', why: roles },
  { page: 'docs/operations/performance.md', start: '-- ', why: 'plans that npm run bench explain writes' },
  { page: 'libs/cli/README.md', start: 'PROBLEM  workers', why: output },
  { page: 'libs/cli/README.md', start: '$ spillway replay', why: output },
];
