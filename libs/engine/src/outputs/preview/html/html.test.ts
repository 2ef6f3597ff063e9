import { beforeAll, expect, test } from 'vitest';
import { loadCounter, type CountTokens } from '../../../tokens/counter.js';
import { previewOf } from '../previews.js';

let count: CountTokens;
beforeAll(async () => {
  count = await loadCounter('o200k');
});
const room = { tokens: 600, headLines: 5, tailLines: 5 };

const shop = `<!doctype html><html><head><title>Shop</title></head><body><nav><a href="/">Home</a></nav>
<h1>Plans</h1><p>Small costs $12.50 per month, large €49.</p>
<table><tr><th>Plan</th><th>Seats</th></tr><tr><td><p>Small</p></td><td>3</td></tr><tr><td>Large</td><td>9</td></tr></table>
${Array.from({ length: 60 }, (_, i) => `<h3>Detail ${i}</h3><p>More.</p>`).join('\n')}
<h2>Sign in</h2><form method="post" action="/login"><input type="hidden" name="csrf"><label>Mail <input name="mail"></label>
<input type="password" name="secret"><button>Log in</button><p class="error">Invalid password</p></form>
<h2>More</h2><a href="/docs?a=1&amp;b=2">Docs</a></body></html>`;

test.each([
  [
    'headings of the highest levels, however many there are below',
    ['# Plans', '## Sign in', '## More', 'more headings not shown'],
  ],
  ['its tables with their columns', ['Table (line 3), 3 rows: Plan | Seats']],
  ['its forms with their fields and buttons', ['POST /login: mail, secret (password), [Log in]']],
  [
    'its links and prices',
    ['2 links, such as Home </>, Docs </docs?a=1&b=2>', '2 prices: $12.50 per month, €49'],
  ],
  ['an error that it shows in a form', ['Invalid password']],
])('a page shows %s', (_what, says) => {
  for (const line of says) expect(previewOf(shop, room, count).text).toContain(line);
});

const text = (html: string): string => previewOf(html, room, count).text;

test('a tag ends at the > behind its attributes, not at one within a value', () => {
  const shown = text('<html><body><div class="[&>p]:mt-2" title=\'a > b\'>Hello</div></body></html>');
  expect(shown).toContain('\nHello');
  expect(shown).not.toContain('mt-2');
});

test('a quote that is not closed hides no more than its tag', () => {
  expect(text(`<html><body><p title="a>Hello</p>${'<p>More words.</p>'.repeat(3)}</body></html>`)).toContain(
    'More words.',
  );
});

test.each([
  ['a comment', '<!-- saved from url=(0022)https://example.com/ -->\n'],
  ['a declaration of XML', '<?xml version="1.0" encoding="UTF-8"?>\n'],
  ['a byte order mark and both', '\ufeff<?xml version="1.0"?><!-- a > b --> '],
])('a page that starts with %s is one', (_what, start) => {
  expect(previewOf(`${start}${shop}`, room, count).kind).toBe('html');
});

test('entities that name no character are shown as browsers show them', () => {
  const shown = text('<html><body><p>a&#xD800;b&#0;c&#146;d&#1114112;e&unknown;</p></body></html>');
  expect(shown).toContain('a\ufffdb\ufffdc’d\ufffde&unknown;');
});

test('the heading in the header of an article is one of the page', () => {
  const article = `<html><body><header>Menu</header><main><article><header><h1>Title</h1></header><p>${'Words. '.repeat(60)}</p></article></main></body></html>`;
  const shown = text(article);
  expect(shown).toContain('# Title');
  expect(shown).not.toContain('Menu');
});

test('a link around blocks is called what the first of them says', () => {
  const cards = ['one', 'two']
    .map((name) => `<a href="/${name}"><div><img src="x"><h3>Card ${name}</h3><p>More.</p></div></a>`)
    .join('');
  expect(text(`<html><body>${cards}</body></html>`)).toContain(
    '2 links, such as Card one </one>, Card two </two>',
  );
});

test('a page that is a single form is shown', () => {
  const shown = text(
    `<html><body><form id="aspnetForm"><h1>Orders</h1><p>${'Nothing is due. '.repeat(30)}</p></form></body></html>`,
  );
  expect(shown).toContain('# Orders');
  expect(shown).toContain('Nothing is due.');
});
