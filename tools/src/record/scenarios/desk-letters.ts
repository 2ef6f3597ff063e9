import { randomOf, type Random } from '@spillway/testing';
import { openShop } from '../desk/store.js';
import { assistant, desk, type Story, user } from '../scenario.js';

const plans = [
  'We walk along the coast for nine days in May, my sister and I, with tents, and it will rain on four of them if it is like last year. I am 168 tall, she is 181, and we share one stove. Last year my feet were wet from the second day on and I do not want that again, whatever it costs.',
  'My son starts with the scouts. He is eleven and grows out of everything in a season, so I would rather buy little and buy it large. They sleep outside in April. The leader says a tarp is enough; I have my doubts, and I would like to hear yours, honestly, also when it means that I buy nothing.',
  'I commute by bike, forty minutes each way, in all weather, with a laptop. Two jackets have failed on me so far: one at the seams after a winter, the other let the water in at the zip from the first day. I need one that lasts, and I need to know what happens when it does not.',
  'We run a hut with twelve beds and buy everything twice a year. I have to plan: what you have now, what it costs, and what your rules are when a whole parcel comes back because the group cancelled. Please be exact, I pass your answer on to the board word for word.',
];
const questions = [
  ['returns', 'And how does it go when something comes back? I would like the rules themselves, not a summary of them.'],
  ['exchanges', 'If a size is wrong, what exactly can I do, and until when? Please quote, I have been told different things before.'],
  ['shipping', 'When would it be here, and what happens when the carrier loses it? We leave on a fixed day.'],
  ['changes', 'Suppose that I order today and move next week. What can I still change then, and what not?'],
] as const; // prettier-ignore

/** Customers who write at length and get the rules and the list quoted back: much said, little of it by tools. */
export function* letters(seed: number, count: number): Story {
  const random = randomOf(seed);
  const { customers } = openShop(seed);
  for (let n = 0; n < count; n++) {
    const customer = customers[n]!;
    yield user(`Dear desk, my name is ${customer.name}, number ${customer.id}. ${random.pick(plans)}`);
    const query = random.pick(['jackets boots', 'tents sleeping', 'packs fleece', 'cooking boots']);
    const [list] = yield assistant(null, desk('search_products', { query }));
    yield assistant(
      `Dear ${customer.name}, thank you for writing in such detail. From what we have, this comes closest:\n\n${quoted(list!, random)}\n\nI would start with the first and leave the rest until you have tried it.`,
    );
    for (const [topic, question] of questions.slice(0, 1 + random.below(3))) {
      yield user(question);
      const [rules] = yield assistant(null, desk('get_policy', { topic }));
      yield assistant(
        `Here they are as I have them, word for word:\n\n${rules}\n\nNothing in them is mine. If one is unclear, say which, and I ask the office.`,
      );
    }
    yield user('That helps. I will think about it over the weekend and write again when I have decided.');
    yield assistant(
      `Take your time, ${customer.name}. Prices and stock may be others by then; the rules are not.`,
    );
  }
}

/** Names, prices and descriptions out of a list of products. */
function quoted(list: string, random: Random): string {
  const products = JSON.parse(list) as { name: string; price: string; description: string }[];
  return products
    .slice(0, 2 + random.below(3))
    .map(({ name, price, description }) => `- ${name}, ${price}. ${description}`)
    .join('\n');
}
