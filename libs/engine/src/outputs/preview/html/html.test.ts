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
  for (const said of says) expect(previewOf(shop, room, count).text).toContain(said);
});
