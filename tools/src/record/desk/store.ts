import { randomOf, type Random } from '@spillway/testing';
import { catalogue } from './catalogue.js';

export interface Line {
  line: number;
  sku: string;
  name: string;
  color: string;
  size: string;
  quantity: number;
  price_cents: number;
  state: 'ordered' | 'refunded' | 'exchanged' | 'cancelled';
}

export interface Order {
  id: string;
  customer_id: string;
  placed_at: string;
  state: 'processing' | 'packed' | 'shipped' | 'delivered' | 'cancelled';
  lines: Line[];
  address: { street: string; postcode: string; town: string };
  parcel: { carrier: string; tracking: string; scans: { at: string; place: string; what: string }[] } | null;
  payments: { id: string; kind: 'card' | 'gift_card' | 'invoice'; amount_cents: number }[];
  history: { at: string; what: string }[];
}

export interface Customer {
  id: string;
  name: string;
  tier: 'standard' | 'member';
  since: string;
  notes: { at: string; text: string }[];
}

export interface Store {
  customers: Customer[];
  orders: Order[];
  /** Pieces in stock, by "sku/size". */
  stock: Record<string, number>;
  /** Milliseconds since 1970. The desk has a clock of its own, so that a recording can be repeated. */
  clock: number;
}

const firstNames = 'Mira Jonas Aylin Tomas Ingrid Kofi Leila Marek Sanna Pavel Noor Emil Freya Oskar Dalia Hugo Yuki Anton Zoe Idris'.split(' '); // prettier-ignore
const lastNames = 'Okafor Lindqvist Demir Novak Haugen Mensah Farahani Wolski Virtanen Petrov Rahman Berg Solheim Keller Haddad Moreau Tanaka Sorokin Costa Bello'.split(' '); // prettier-ignore
const streets = 'Havnegata Lindenweg Kanalgade Storgatan Rue-des-Pins Torvet Mill-Lane Bergvej Elvegata Parkallee'.split(' '); // prettier-ignore
const towns = 'Bergen Lund Aarhus Turku Bremen Gent Leith Narvik Visby Odense'.split(' ');
const opening = Date.UTC(2026, 2, 2, 8, 0, 0);
const day = 86_400_000;
const customerCount = 160;

/** A shop in the middle of its season. The same seed gives the same shop. */
export function openShop(seed: number): Store {
  const random = randomOf(seed);
  const store: Store = { customers: [], orders: [], stock: {}, clock: opening };
  for (const { sku, sizes } of catalogue)
    for (const size of sizes) store.stock[`${sku}/${size}`] = random.below(5) === 0 ? 0 : random.below(40);
  for (let n = 0; n < customerCount; n++) {
    const [first, last] = [firstNames[n % firstNames.length]!, random.pick(lastNames)];
    const id = `${first}_${last}_${1000 + random.below(9000)}`.toLowerCase();
    const since = `20${18 + random.below(8)}-0${1 + random.below(9)}`;
    const tier = random.below(3) === 0 ? 'member' : 'standard';
    store.customers.push({ id, name: `${first} ${last}`, tier, since, notes: [] });
    for (let count = 1 + random.below(3); count > 0; count--) store.orders.push(newOrder(store, id, random));
  }
  return store;
}

function newOrder(store: Store, customer_id: string, random: Random): Order {
  const age = random.below(75);
  const placed = opening - age * day - random.below(day);
  const state =
    age > 5 ? 'delivered' : random.pick(['processing', 'packed', 'shipped', 'shipped', 'delivered'] as const);
  const lines = Array.from({ length: 1 + random.below(4) }, (_, i): Line => {
    const { sku, name, colors, sizes, price_cents } = random.pick(catalogue);
    const [color, size] = [random.pick(colors), random.pick(sizes)];
    return { line: i + 1, sku, name, color, size, quantity: 1 + (random.below(6) === 0 ? 1 : 0), price_cents, state: 'ordered' }; // prettier-ignore
  });
  const [street, town] = [`${random.pick(streets)} ${1 + random.below(120)}`, random.pick(towns)];
  const total = lines.reduce((sum, { price_cents, quantity }) => sum + price_cents * quantity, 0);
  const isSent = state === 'shipped' || state === 'delivered';
  return {
    id: `FF-${100_000 + store.orders.length * 37 + random.below(37)}`,
    customer_id,
    placed_at: new Date(placed).toISOString(),
    state,
    lines,
    address: { street, postcode: `${10_000 + random.below(89_999)}`, town },
    parcel: isSent ? parcel(placed, town, state === 'delivered', random) : null,
    payments: payments(total, random),
    history: [{ at: new Date(placed).toISOString(), what: 'placed' }],
  };
}

function parcel(placed: number, town: string, isDelivered: boolean, random: Random): Order['parcel'] {
  const carrier = random.pick(['Nordpost', 'Bring & Go']);
  const stops = ['Kolding depot', 'Hamburg hub', `${town} depot`, ...(isDelivered ? [town] : [])];
  const scans = stops.map((place, i) => ({
    at: new Date(placed + (i + 1) * (day / 2) + random.below(day / 4)).toISOString(),
    place,
    what:
      place === town ? random.pick(['handed over', 'left at the door', 'left with a neighbour']) : 'sorted',
  }));
  return { carrier, tracking: `NP${10_000_000 + random.below(89_999_999)}NO`, scans };
}

function payments(total: number, random: Random): Order['payments'] {
  const id = (): string => `pay_${(1e7 + random.below(9e7)).toString(36)}`;
  if (random.below(4) > 0 || total < 6_000)
    return [{ id: id(), kind: random.pick(['card', 'card', 'invoice']), amount_cents: total }];
  const gift = 1_000 * (1 + random.below(5));
  return [
    { id: id(), kind: 'gift_card', amount_cents: gift },
    { id: id(), kind: 'card', amount_cents: total - gift },
  ];
}
