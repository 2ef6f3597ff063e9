import { drawParcel } from '../desk/picture.js';
import { openShop } from '../desk/store.js';
import { assistant, desk, type Scenario, type Story, user } from '../scenario.js';
import { type Shift, shift } from './desk-dialogues.js';
import { letters } from './desk-letters.js';
import { deskPrompt } from './desk-prompt.js';

const deskThread = (name: string, format: Scenario['format'], of: Shift): Scenario => ({
  name,
  format,
  system: deskPrompt,
  faults: [],
  shop: of.seed,
  steps: () => shift(of),
});

const short = [21, 22, 23, 24].map((seed, i) =>
  deskThread(`desk-customers-${i + 1}`, 'openai', { seed, steps: 10 + i * 14 }),
);

/** Threads of an order desk, from a handful of messages to a day's work. */
export const deskThreads: Scenario[] = [
  ...short,
  deskThread('desk-morning', 'openai', { seed: 31, steps: 320 }),
  deskThread('desk-day', 'openai', { seed: 32, steps: 1_200, exportEvery: 40 }),
  deskThread('desk-evening', 'responses', { seed: 33, steps: 300 }),
  deskThread('desk-returns', 'ai-sdk', { seed: 34, steps: 300 }),
  {
    name: 'desk-letters',
    format: 'openai',
    system: deskPrompt,
    faults: [],
    shop: 36,
    steps: () => letters(36, 25),
  },
  {
    name: 'desk-pictures',
    format: 'anthropic',
    system: deskPrompt,
    faults: [],
    shop: 35,
    steps: () => pictures(35),
  },
];

/** Parcels that arrived damaged: pictures from customers and from the carrier, several calls at once, and refusals. */
function* pictures(seed: number): Story {
  const { customers, orders } = openShop(seed);
  const arrived = orders.filter(({ parcel, state }) => state === 'delivered' && parcel !== null).slice(0, 24);
  for (const [n, order] of arrived.entries()) {
    const customer = customers.find(({ id }) => id === order.customer_id)!;
    const [line] = order.lines;
    yield user(
      `This is ${customer.name} (${customer.id}). Order ${order.id} came like this, see the picture. The ${line!.name} inside is bent.`,
      drawParcel(`${order.id} at home`, n % 2 === 0 ? 'left at the door' : 'handed over'),
    );
    const [, , seen] = yield assistant(
      'I look at the order and at what the carrier saw.',
      desk('find_customer', { id: customer.id }),
      desk('get_order', { order_id: order.id }),
      desk('photo_at_delivery', { order_id: order.id }),
      ...(n === 0 ? [desk('get_policy', { topic: 'returns' })] : []),
    );
    yield assistant(
      `The carrier says "${seen!.split(': ')[1]}". I would refund line 1, ${line!.name}. Shall I?`,
    );
    yield user('Yes. And I want it noted that I do not wait in for parcels.');
    const [done] = yield assistant(
      null,
      desk('refund_line', { order_id: order.id, line: 1, reason: 'damaged on arrival' }),
      desk('add_note', { customer_id: customer.id, text: 'Does not wait in for parcels.' }),
    );
    const why = /"message":"([^"]+)"/.exec(done!)?.[1];
    yield assistant(
      why
        ? `The note is made. The refund is refused: ${why}`
        : `Both done. The label for sending it back is ${/RL-\d+-\d/.exec(done!)![0]}.`,
    );
  }
}
