import { expect, test } from 'vitest';
import { readsFile, showsData } from './reads-file.js';

test.each([
  'Read',
  'read_file',
  'readFile',
  'read_many_files',
  'view',
  'cat',
  'open_file',
  'get_file_contents',
  'GetFileContents',
  'read-text-file',
  'read_mcp_resource',
])('%s prints a file', (tool) => expect(readsFile(tool)).toBe(true));

test.each([
  'get_order',
  'get_user_details',
  'category_list',
  'getWeather',
  'open_ticket',
  'reader',
  'view_cart',
  '',
])('%j does not', (tool) => expect(readsFile(tool)).toBe(false));

test.each(['get_order', 'read_file', 'view_cart', 'Read'])('%s shows what there is', (tool) =>
  expect(showsData(tool)).toBe(true),
);

test.each(['category_list', 'reader', 'getter', 'bash', 'cancel_order'])(
  '%s does more, or something else',
  (tool) => expect(showsData(tool)).toBe(false),
);
