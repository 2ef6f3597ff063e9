import { randomOf, type Random } from '@spillway/testing';
import { openShop, type Customer, type Order } from '../desk/store.js';
import { assistant, desk, type Call, type Step, type Story, user } from '../scenario.js';

export interface Shift {
  seed: number;
  /** Ends after the customer with whom this many messages are reached. */
  steps: number;
  /** The desk exports all orders after every so many customers. */
  exportEvery?: number;
}

/** A shift at the order desk: one customer after another, each with something else, the tools' answers deciding. */
export function* shift({ seed, steps, exportEvery = 0 }: Shift): Story {
  const random = randomOf(seed * 7919);
  const { customers, orders } = openShop(seed);
  let count = 0;
  for (let n = 0; count < steps; n++) {
    const customer = customers[n % customers.length]!;
    const own = orders.filter((order) => order.customer_id === customer.id);
    count += yield* visit({ customer, order: random.pick(own), own, random });
    if (exportEvery > 0 && n % exportEvery === exportEvery - 1) count += yield* exported();
  }
}

interface Visit {
  customer: Customer;
  order: Order;
  own: Order[];
  random: Random;
}

const greetings = ['Hi', 'Hello', 'Good morning', 'Hey there', 'Good day', 'Hello again'];
const thanks = [
  'That was all, thank you.',
  'Great, thanks a lot.',
  'Thanks. Have a good day.',
  'Perfect. Bye!',
  'Okay. Not what I hoped for, but thank you.',
];
const requests = [
  'never call me, write instead',
  'no text messages please',
  'only call after five in the evening',
];

function* visit(who: Visit): Generator<Step, number, string[]> {
  const { customer, order, random } = who;
  const matter = random.pick(matters);
  let count = 0;
  const ask = function* (text: string): Generator<Step, void, string[]> {
    count++;
    yield user(text);
  };
  const say = function* (text: string | null, ...calls: Call[]): Generator<Step, string[], string[]> {
    count += 1 + calls.length;
    return yield assistant(text, ...calls);
  }; // prettier-ignore

  yield* ask(`${random.pick(greetings)}, this is ${customer.name}. ${matter.opening(who)}`);
  const [found] = yield* say(null, desk('find_customer', { name: customer.name }));
  const same = [...found!.matchAll(/"id": "(\w+)"/g)].length;
  if (same > 1) {
    yield* say(`There are ${same} customers of that name. Could you give me your customer number?`);
    yield* ask(`It is ${customer.id}.`);
  }
  if (random.below(4) === 0) {
    const request = random.pick(requests);
    yield* ask(`Before anything else: ${request}.`);
    yield* say(
      `I write that down: ${request}.`,
      desk('add_note', { customer_id: customer.id, text: `Contact: ${request}.` }),
    );
  }
  if (random.below(5) === 0) {
    yield* say('Let me see which order that is.', desk('get_order', { order_id: order.id.replace('FF-', 'FF-9') }));
    yield* say('That number does not exist. I look through your orders.', desk('list_orders', { customer_id: customer.id }));
  } // prettier-ignore
  yield* matter.talk(who, ask, say);
  yield* ask(random.pick(thanks));
  yield* say(`You are welcome, ${customer.name.split(' ')[0]}.`);
  return count;
}

type Ask = (text: string) => Generator<Step, void, string[]>;
type Say = (text: string | null, ...calls: Call[]) => Generator<Step, string[], string[]>;

interface Matter {
  opening(visit: Visit): string;
  talk(visit: Visit, ask: Ask, say: Say): Generator<Step, void, string[]>;
}

const first = (order: Order) => order.lines[0]!;
/** The rule and the reason in a tool's refusal; null when it did what it was asked. */
const refusal = (output: string): string | null => /"message":"([^"]+)"/.exec(output)?.[1] ?? null;

const matters: Matter[] = [
  {
    opening: ({ order }) => `Where is my order ${order.id}? I wait for the ${first(order).name}.`,
    *talk({ order }, ask, say) {
      const [shown, tracked] = yield* say(null, desk('get_order', { order_id: order.id }), desk('track_parcel', { order_id: order.id })); // prettier-ignore
      const state = /"state": "(\w+)"/.exec(shown!)![1];
      const why = refusal(tracked!);
      const days = /"days_since_last_scan": (\d+)/.exec(tracked!)?.[1];
      if (why) return void (yield* say(`${order.id} is ${state}, so there is no tracking yet. Orders placed before 14:00 are packed the same working day.`)); // prettier-ignore
      yield* say(`${order.id} is ${state}. Its last scan was ${days} days ago: ${/"what": "([^"]+)"[^"]*$/.exec(tracked!.slice(0, tracked!.lastIndexOf(']')))?.[1]}.`); // prettier-ignore
      yield* ask(
        state === 'delivered' ? 'I never saw it. Where did they leave it?' : 'Is that normal, or is it lost?',
      );
      if (state === 'delivered') {
        yield* say('I ask for the picture that the carrier took.', desk('photo_at_delivery', { order_id: order.id }));
        return void (yield* say('The picture is with me now: a parcel on a doorstep. Please look there, and ask next door.'));
      } // prettier-ignore
      yield* say(null, desk('get_policy', { topic: 'shipping' }));
      yield* say(`By rule S-5 it counts as lost ten working days after the last scan. ${Number(days) > 14 ? 'That is over: I open a search with the carrier.' : 'It is not that long yet.'}`); // prettier-ignore
    },
  },
  {
    opening: ({ order }) => `I would like my money back for the ${first(order).name} of ${order.id}.`,
    *talk({ order, random }, ask, say) {
      const reason = random.pick(['a seam came open on the second day', 'it is too big', 'I changed my mind', 'the zip jams']); // prettier-ignore
      yield* say('What is the reason?', desk('get_order', { order_id: order.id }), desk('get_policy', { topic: 'returns' })); // prettier-ignore
      yield* ask(`Well, ${reason}. It was line 1, ${first(order).size}, in ${first(order).color}.`);
      yield* say(
        `I would refund line 1 of ${order.id}, ${first(order).name} in ${first(order).size}. Shall I?`,
      );
      yield* ask('Yes please.');
      const [done] = yield* say(null, desk('refund_line', { order_id: order.id, line: 1, reason }));
      const why = refusal(done!);
      if (!why) return void (yield* say(`${/"refund": "([\d.]+)"/.exec(done!)![1]} goes back to where it came from (${/"kind": "(\w+)"/.exec(done!)![1]}). Your return label is ${/RL-\d+-\d/.exec(done!)![0]}.`)); // prettier-ignore
      yield* say(`I am sorry, that is refused: ${why}`);
      yield* ask('Is there really nothing? I have been a customer for years.');
      yield* say(/supervisor/.test(why) ? 'I pass it to a supervisor, who answers within two working days. I cannot promise the outcome.' : 'Rule R-3 leaves me no room here. A faulty piece would be another matter.'); // prettier-ignore
    },
  },
  {
    opening: ({ order }) => `The ${first(order).name} from ${order.id} does not fit. Can I swap it?`,
    *talk({ order, random }, ask, say) {
      const { sku, size } = first(order);
      const [, stock] = yield* say(null, desk('get_order', { order_id: order.id }), desk('search_products', { query: sku }));
      const sizes = [...stock!.matchAll(/^ {3}"([^"]+)": (\d+)/gm)].filter(([, , left]) => left !== '0');
      if (sizes.length === 0) return void (yield* say('None of its sizes is in stock at the moment. I can refund it instead.')); // prettier-ignore
      yield* say(`You have ${size}. In stock: ${sizes.map(([, one, left]) => `${one} (${left})`).join(', ')}. Which one?`);
      const wanted = random.below(6) === 0 ? 'XXL' : random.pick(sizes)[1]!;
      yield* ask(`Then ${wanted}, please.`);
      const [done] = yield* say(`Line 1 of ${order.id}, from ${size} to ${wanted}.`, desk('exchange_line', { order_id: order.id, line: 1, size: wanted })); // prettier-ignore
      const why = refusal(done!);
      yield* say(why ? `That cannot be done: ${why}` : `Done. Send the old one back with label ${/RL-\d+-\d/.exec(done!)![0]}.`); // prettier-ignore
    },
  }, // prettier-ignore
  {
    opening: ({ order }) => `I moved. Please send ${order.id} to my new address.`,
    *talk({ order, random }, ask, say) {
      const [street, postcode, town] = [`Nyvej ${1 + random.below(90)}`, `${20_000 + random.below(70_000)}`, random.pick(['Lund', 'Gent', 'Narvik'])]; // prettier-ignore
      yield* say('Of course. What is the new one?');
      yield* ask(`${street}, ${postcode} ${town}.`);
      yield* say(`I read it back: ${street}, ${postcode} ${town}, for ${order.id}. Right?`);
      yield* ask('Right.');
      const [done] = yield* say(null, desk('change_address', { order_id: order.id, street, postcode, town }));
      const why = refusal(done!);
      if (!why) return void (yield* say('It is changed, and the parcel will go there.'));
      yield* say(`I can't change it any more (rule C-4): ${why}`, desk('get_policy', { topic: 'changes' }));
      yield* say('What I can do: once it is with the carrier, they redirect it for you. Or it comes back and we send it again.');
    },
  }, // prettier-ignore
  {
    opening: ({ order }) => `Please cancel ${order.id}, I found it cheaper elsewhere.`,
    *talk({ order }, ask, say) {
      yield* say(`${order.id} has ${order.lines.length} lines: ${order.lines.map(({ name }) => name).join(', ')}. All of it?`, desk('get_order', { order_id: order.id })); // prettier-ignore
      yield* ask('All of it.');
      const [done] = yield* say(
        null,
        desk('cancel_order', { order_id: order.id, reason: 'found it cheaper' }),
      );
      const why = refusal(done!);
      yield* say(why ? `Too late for that: ${why}` : `Cancelled. ${[...done!.matchAll(/"amount": "([\d.]+)"/g)].map(([, amount]) => amount).join(' and ')} is on its way back.`); // prettier-ignore
    },
  },
  {
    opening: () => 'What did I buy from you so far, and what of it can still go back?',
    *talk({ customer, own }, ask, say) {
      yield* say(
        null,
        desk('list_orders', { customer_id: customer.id }),
        desk('get_policy', { topic: 'returns' }),
      );
      yield* say('I look at each of them.', ...own.map(({ id }) => desk('get_order', { order_id: id })));
      yield* say(`You have ${own.length} orders: ${own.map(({ id, lines }) => `${id} with ${lines.map(({ name }) => name).join(', ')}`).join('; ')}. As a ${customer.tier} customer you have ${customer.tier === 'member' ? 60 : 30} days from delivery.`); // prettier-ignore
      yield* ask('And would the desk tell me before those days are over?');
      yield* say('No, we do not remind anybody. The dates are in your account.');
    },
  },
  {
    opening: ({ random }) => `What would you take for ${random.pick(['a week in the rain', 'a winter hut tour', 'a first night outside', 'a bike trip with a tent'])}?`, // prettier-ignore
    *talk({ random }, ask, say) {
      const [a, b] = [random.pick(['jackets', 'tents', 'sleeping']), random.pick(['boots', 'cooking', 'packs'])];
      yield* say('I look at what we have.', desk('search_products', { query: a }), desk('search_products', { query: b })); // prettier-ignore
      yield* say('From the two lists: the first of each is what most people take. Stock is beside each size.');
      yield* ask(`Do you have anything of it in ${random.pick(['M', '42', 'long'])}?`);
      const [more] = yield* say(null, desk('search_products', { query: `${a} ${b}`, size: random.pick(['M', '42', 'long']) }));
      yield* say(`Of ${[...more!.matchAll(/"sku"/g)].length} products, those with a number above 0 are here now. I can't keep any aside.`);
    },
  }, // prettier-ignore
];

function* exported(): Generator<Step, number, string[]> {
  yield user('This is the office. Please export the orders, and tell me how many lines are refunded so far.');
  const [csv] = yield assistant(null, desk('export_orders'));
  const refunded = [...csv!.matchAll(/,refunded$/gm)].length;
  yield assistant(`The export has ${csv!.split('\n').length - 1} lines, ${refunded} of them refunded.`);
  return 4;
}
