/** A finding of the review of version 1. */
export interface Finding {
  /** The part of the review and its number there, as in `code 3`, `security H1`, `integration 2`, `console 5`. */
  id: string;
  /** One sentence that says what broke. */
  what: string;
  /** For findings without a guard: why the finding is wrong, or why its repair cannot be removed in a run. */
  answer?: string;
}

/** Every finding, in the order of the review. Each has a guard with its id, or an answer. */
export const findings: Finding[] = [
  {
    id: 'code 1',
    what: 'Calibration divided the posted usage by the live tokens of now, not by what was served.',
  },
  { id: 'code 2', what: 'Search dropped real hits when the word was also a JSON key of message bodies.' },
  { id: 'code 3', what: 'Grep and search saw only the first 64 KiB of a line.' },
  {
    id: 'code 4',
    what: 'Offloaded results of several parts stayed whole in Postgres and were loaded by every read.',
  },
  {
    id: 'code 5',
    what: 'The list of outputs lost rows of a message with several outputs at the end of a page.',
  },
  { id: 'code 6', what: 'Previews and outlines blocked the event loop of the API.' },
  { id: 'code 7', what: 'One blob that could not be deleted stopped the sweeps of all later projects.' },
  { id: 'code 8', what: 'After a dump and restore webhooks fell silent.' },
  {
    id: 'code 9',
    what: 'A repeated append read blobs over a second connection while it held the lock of the thread.',
  },
  { id: 'code 10', what: 'Archives missed messages, were deleted whole, and were buffered whole.' },
  { id: 'code 11', what: 'A change of window or counter did not weigh the live tokens anew.' },
  { id: 'code 12', what: 'Each hint cost a query over all projects, each sweep a sum over all outputs.' },
  { id: 'code 13', what: 'A statement time-out of a slow search was reported as an outage of the database.' },
  { id: 'code 14', what: 'An event stream could release its slot twice.' },
  { id: 'code 15', what: 'A changed schedule of a job was never updated.' },
  { id: 'code 16', what: 'A maximum over many ids could overflow the stack.' },
  { id: 'code 17', what: 'budget_too_small could name a minimum at or below the limit asked for.' },
  { id: 'code 18', what: 'An attempt that an erasure aborted held its lease and counted towards poison.' },
  { id: 'code 19', what: 'Deleted outputs kept their chunk hashes.' },
  { id: 'code 20', what: 'A context at an earlier message answered the last_seq of the whole thread.' },
  {
    id: 'integration 1',
    what: 'Grep missed everything past 64 KiB of a line, and JSON in one line was not readable.',
  },
  { id: 'integration 2', what: 'Usage posted after a compaction shrank the limit.' },
  { id: 'integration 3', what: 'Usage could push the limit over the window.' },
  {
    id: 'integration 4',
    what: 'Calibration changed past contexts and the prefix; a new system prompt changed the past.',
  },
  { id: 'integration 5', what: 'Parts of another format were accepted and mangled.' },
  { id: 'integration 6', what: 'Contexts were answered that providers refuse.' },
  { id: 'integration 7', what: 'A user message during a tool call mangled the result.' },
  { id: 'integration 8', what: 'Offloaded errors of AI SDK tools lost their error.' },
  { id: 'integration 9', what: 'Results of reading tools of any size stayed in the context.' },
  { id: 'integration 10', what: 'Reads of outputs were not bounded in tokens.' },
  { id: 'integration 11', what: 'Limits of system, search cursors and later pins were broken.' },
  { id: 'security H1', what: 'Requests without a key could block every write or exhaust memory.' },
  { id: 'security H2', what: 'A summary schema could kill or hang workers.' },
  { id: 'security H3', what: 'Images held the secrets of .env.' },
  { id: 'security H4', what: 'Chat turned a write key into a reader and an unmetered proxy.' },
  { id: 'security M1', what: 'One project with a wrong model paused everyone’s summaries.' },
  { id: 'security M2', what: 'One key could take all sessions and event streams.' },
  { id: 'security M3', what: 'A read key could exhaust the database pool.' },
  {
    id: 'security M4',
    what: 'A stolen session could make a permanent key; an open stream kept a session alive.',
  },
  { id: 'security M5', what: 'Forged quotes and output ids in summaries became permanent.' },
  { id: 'security M6', what: 'A thread’s policy beat the project’s without limits.' },
  { id: 'security M7', what: 'Refused requests left no trace.' },
  { id: 'security L1', what: 'A model name with a slash went raw into a provider URL.' },
  { id: 'security L2', what: 'Hashes, chunk hashes and archives outlived an erasure.' },
  { id: 'security L3', what: 'Compose ran the service as the superuser of Postgres.' },
  { id: 'security L4', what: 'Redis had no password.' },
  { id: 'security L5', what: 'A bootstrap key could be short, was shown in part, and outlived its change.' },
  { id: 'security L6', what: 'Some answers held more than the scope of the key allows.' },
  {
    id: 'security L7',
    what: 'Webhook secrets were stored in plain text; http URLs were accepted and audited whole.',
  },
  { id: 'security L8', what: 'Wrong keys were limited only after the database look-up.' },
  { id: 'console 1', what: 'Invented numbers had no mark, vague sentences had one.' },
  { id: 'console 2', what: 'A thread that cannot shrink was a dead end.' },
  { id: 'console 3', what: 'The same quantity differed between pages.' },
  { id: 'console 5', what: 'An outage of the summary model showed late.' },
  { id: 'console 7', what: 'Cost numbers misled.' },
  { id: 'console 9', what: 'The dialog of a new key named the wrong port; limited keys met raw errors.' },
  { id: 'console 10', what: 'Keys of the keyboard collided and the palette missed pages.' },
  { id: 'console Node 20', what: 'Under Node 20 an append failed after it was stored.' },
  {
    id: 'stranger',
    what: 'npm test failed in a clone with nothing beside it, on a busy machine, and twice at once.',
  },
  { id: 'soak', what: 'A soak of six minutes ended with ever more Redis keys.' },
];
