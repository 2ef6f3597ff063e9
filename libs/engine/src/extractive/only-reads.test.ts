import { expect, test } from 'vitest';
import { onlyReads } from './only-reads.js';

/** Tools of agents and MCP servers as they are named there. */
const reading = [
  // Coding agents.
  ...['Read', 'Grep', 'Glob', 'LS', 'WebFetch', 'WebSearch', 'TodoWrite', 'TodoRead'],
  ...['read', 'grep', 'glob', 'list', 'webfetch', 'websearch', 'todowrite', 'todoread', 'view', 'ls', 'find'],
  ...['read_file', 'list_dir', 'grep_search', 'web_search', 'fetch_rules'],
  ...['search_files', 'list_files', 'list_code_definition_names', 'ask_followup_question', 'update_plan'],
  ...[
    'view_image',
    'open',
    'search_dir',
    'find_file',
    'think',
    'web.run',
    'look_at',
    'readFile',
    'listFiles',
  ],
  // Shops, airlines, customer service.
  ...['get_order', 'find_customer', 'search_products', 'track_parcel', 'photo_at_delivery', 'calculate'],
  ...['get_user_details', 'find_user_id_by_email', 'list_all_airports', 'search_direct_flight'],
  ...[
    'check_order_status',
    'checkStock',
    'CheckInventory',
    'lookup_account',
    'compare_prices',
    'retrieve-invoice',
  ],
  // MCP servers.
  ...[
    'mcp__github__get_issue',
    'mcp__filesystem__read_text_file',
    'mcp__postgres__query',
    'browser_snapshot',
  ],
  ...['list-tables', 'GET_USER', 'getHTMLPage', 'describe table', 'open_url', 'get_update_status', 'logs'],
];

/** Their first word begins like a word that reads, or a later one says that they change something. */
const changing = [
  ...[
    'checkout_cart',
    'checkout',
    'CheckoutCart',
    'check_out',
    'checkOut',
    'checkin_passenger',
    'check_in_guest',
  ],
  ...[
    'login',
    'logout',
    'log_in',
    'log_expense',
    'logExpense',
    'loadbalancer_create',
    'planet_add',
    'waitlist_add',
  ],
  ...[
    'catalog_update',
    'category_create',
    'showcase_publish',
    'webhook_create',
    'asksign_send',
    'counter_increment',
  ],
  ...['listing_publish', 'readme_write', 'header_set', 'viewer_invite', 'testimonial_add', 'trackpad_reset'],
  ...[
    'find_or_create_user',
    'search_and_replace',
    'search_replace',
    'findAndReplace',
    'get_or_create_contact',
  ],
  ...['open_issue', 'open_pull_request', 'openTicket', 'mcp__github__create_issue', 'mcp__shop__checkout'],
  ...[
    'refund_line',
    'cancel_order',
    'book_reservation',
    'send_certificate',
    'add_note',
    'Edit',
    'Write',
    'Bash',
  ],
  ...['write_file', 'delete_file', 'run_terminal_cmd', 'execute_command', 'transfer_to_human_agents', ''],
];

test.each(reading)('%s only reads', (name) => {
  expect(onlyReads(name)).toBe(true);
});

test.each(changing)('%s changes something', (name) => {
  expect(onlyReads(name)).toBe(false);
});

test('a name of any length takes linear time', () => {
  expect(onlyReads(`get${'A'.repeat(100_000)}`)).toBe(true);
  expect(onlyReads('_'.repeat(100_000))).toBe(false);
});
