import { drawParcel } from './picture.js';
import { catalogue } from './catalogue.js';
import { policy } from './policy.js';
import { Refusal } from './refusal.js';
import type { Customer, Line, Order, Store } from './store.js';

export interface DeskAnswer {
  /** JSON or text. */
  text: string;
  isError: boolean;
  /** A PNG in base64. */
  image?: string;
}

type Args = Record<string, string | number | undefined>;
type Tool = (store: Store, args: Args) => unknown;

const day = 86_400_000;
/** Maximum refund for one line without a supervisor. */
const maxRefundCents = 25_000;

/** Answers one call, and advances the desk's clock by half a minute. */
export function answer(store: Store, tool: string, args: Args): DeskAnswer {
  store.clock += 35_000;
  const work = tools[tool];
  try {
    if (!work) throw new Refusal('unknown_tool', `There is no tool ${tool}.`);
    const answer = work(store, args);
    if (answer instanceof Picture) return { text: answer.caption, isError: false, image: answer.png };
    return { text: typeof answer === 'string' ? answer : JSON.stringify(answer, null, 1), isError: false };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { text: JSON.stringify({ error: error.code, message: error.message }), isError: true };
  }
}

class Picture {
  constructor(
    readonly caption: string,
    readonly png: string,
  ) {}
}

const tools: Record<string, Tool> = {
  find_customer: ({ customers }, { name, id }) => {
    const found = customers.filter(
      (one) => one.id === id || one.name.toLowerCase() === `${name}`.toLowerCase(),
    );
    if (found.length === 0) throw new Refusal('customer_not_found', `Nobody is called ${name ?? id}.`);
    return { customers: found };
  },
  list_orders: (store, { customer_id }) => {
    const { id } = customerOf(store, customer_id);
    const orders = store.orders.filter((order) => order.customer_id === id);
    return {
      customer_id: id,
      orders: orders.map(({ id, placed_at, state, lines }) => ({ id, placed_at, state, lines: lines.length, total: money(totalOf(lines)) })), // prettier-ignore
    };
  },
  get_order: (store, { order_id }) => orderOf(store, order_id),
  track_parcel: (store, { order_id }) => {
    const { id, parcel, state } = orderOf(store, order_id);
    if (!parcel) throw new Refusal('not_shipped', `${id} is ${state}: there is no parcel yet.`);
    const last = parcel.scans.at(-1)!;
    return {
      order_id: id,
      ...parcel,
      days_since_last_scan: Math.floor((store.clock - Date.parse(last.at)) / day),
    };
  },
  photo_at_delivery: (store, { order_id }) => {
    const { id, parcel } = orderOf(store, order_id);
    const last = parcel?.scans.at(-1);
    if (!last || last.what === 'sorted') throw new Refusal('no_photo', `${id} was not delivered yet.`);
    return new Picture(`${id}, ${last.at}: ${last.what}, ${last.place}`, drawParcel(id, last.what));
  },
  search_products: ({ stock }, { query, size }) => {
    const words = `${query}`.toLowerCase().split(/\s+/);
    const products = catalogue.filter(({ name, category, sku }) =>
      words.some((word) => `${name} ${category} ${sku}`.toLowerCase().includes(word)),
    );
    return products.map((product) => ({
      ...product,
      price: money(product.price_cents),
      stock: Object.fromEntries(
        product.sizes.filter((one) => size === undefined || one === `${size}`).map((one) => [one, stock[`${product.sku}/${one}`]]), // prettier-ignore
      ),
    }));
  },
  get_policy: (_, { topic }) => {
    const text = policy[`${topic}`];
    if (!text) throw new Refusal('unknown_topic', `Topics are ${Object.keys(policy).join(', ')}.`);
    return text;
  },
  change_address: (store, { order_id, street, postcode, town }) => {
    const order = orderOf(store, order_id);
    if (order.state !== 'processing') throw new Refusal('rule_C4_1', `${order.id} is ${order.state}: its address is final.`); // prettier-ignore
    const before = order.address;
    order.address = { street: `${street}`, postcode: `${postcode}`, town: `${town}` };
    note(store, order, `address changed to ${street}, ${postcode} ${town}`);
    return { order_id: order.id, before, after: order.address };
  },
  cancel_order: (store, { order_id, reason }) => {
    const order = orderOf(store, order_id);
    if (order.state !== 'processing' && order.state !== 'packed')
      throw new Refusal('rule_C4_2', `${order.id} is ${order.state}: it can be returned, not cancelled.`);
    order.state = 'cancelled';
    for (const line of order.lines) line.state = 'cancelled';
    note(store, order, `cancelled: ${reason}`);
    const refunds = order.payments.map(({ id, kind, amount_cents }) => ({ payment: id, kind, amount: money(amount_cents) })); // prettier-ignore
    return { order_id: order.id, state: order.state, refunds };
  },
  refund_line: (store, { order_id, line, reason }) => {
    const order = orderOf(store, order_id);
    const of = returnable(store, order, line, 'rule_R3_1');
    const amount = of.price_cents * of.quantity;
    if (amount > maxRefundCents)
      throw new Refusal('rule_R3_5', `Line ${of.line} is ${money(amount)}: over ${money(maxRefundCents)} a supervisor decides.`); // prettier-ignore
    of.state = 'refunded';
    note(store, order, `line ${of.line} refunded: ${reason}`);
    const to = order.payments.find(({ kind }) => kind === 'gift_card') ?? order.payments[0]!;
    return { order_id: order.id, line: of.line, refund: money(amount), to: { payment: to.id, kind: to.kind }, return_label: labelOf(order, of) }; // prettier-ignore
  },
  exchange_line: (store, { order_id, line, size }) => {
    const order = orderOf(store, order_id);
    const of = returnable(store, order, line, 'rule_E2_1');
    const left = store.stock[`${of.sku}/${size}`];
    if (left === undefined) throw new Refusal('no_such_size', `${of.name} does not come in ${size}.`);
    if (left === 0) throw new Refusal('rule_E2_2', `${of.name} in ${size} is out of stock.`);
    store.stock[`${of.sku}/${size}`] = left - 1;
    of.state = 'exchanged';
    note(store, order, `line ${of.line} exchanged from ${of.size} to ${size}`);
    return { order_id: order.id, line: of.line, from: of.size, to: `${size}`, left_in_stock: left - 1, return_label: labelOf(order, of) }; // prettier-ignore
  },
  add_note: (store, { customer_id, text }) => {
    const customer = customerOf(store, customer_id);
    customer.notes.push({ at: new Date(store.clock).toISOString(), text: `${text}` });
    return { customer_id: customer.id, notes: customer.notes };
  },
  export_orders: ({ orders }) => {
    const rows = orders.flatMap(({ id, customer_id, placed_at, state, lines }) =>
      lines.map(
        ({ line, sku, size, color, quantity, price_cents, state: lineState }) =>
        [id, customer_id, placed_at.slice(0, 10), state, line, sku, size, color, quantity, money(price_cents), lineState].join(','), // prettier-ignore
      ),
    );
    return ['order,customer,placed,state,line,sku,size,color,quantity,price,line_state', ...rows].join('\n');
  },
};

function customerOf({ customers }: Store, id: unknown): Customer {
  const found = customers.find((customer) => customer.id === id);
  if (!found) throw new Refusal('customer_not_found', `There is no customer ${String(id)}.`);
  return found;
}

function orderOf({ orders }: Store, id: unknown): Order {
  const found = orders.find((order) => order.id === id);
  if (!found)
    throw new Refusal('order_not_found', `There is no order ${String(id)}. Orders look like FF-104233.`);
  return found;
}

/** The order line, if it can be returned: delivered, unsettled, and within the customer's return period. */
function returnable(store: Store, order: Order, number: unknown, rule: string): Line {
  const line = order.lines.find((one) => one.line === number);
  if (!line) throw new Refusal('line_not_found', `${order.id} has lines 1 to ${order.lines.length}.`);
  if (line.state !== 'ordered')
    throw new Refusal('already_settled', `Line ${line.line} was ${line.state} before.`);
  const delivered = order.state === 'delivered' ? order.parcel?.scans.at(-1) : undefined;
  if (!delivered) throw new Refusal('not_delivered', `${order.id} is ${order.state}.`);
  const days = Math.floor((store.clock - Date.parse(delivered.at)) / day);
  const allowed = customerOf(store, order.customer_id).tier === 'member' ? 60 : 30;
  if (days > allowed) throw new Refusal(rule, `Delivered ${days} days ago; ${allowed} are allowed.`);
  return line;
}

const totalOf = (lines: readonly Line[]): number =>
  lines.reduce((sum, { price_cents, quantity }) => sum + price_cents * quantity, 0);
const money = (cents: number): string => (cents / 100).toFixed(2);
const labelOf = (order: Order, line: Line): string => `RL-${order.id.slice(3)}-${line.line}`;
const note = (store: Store, order: Order, what: string): number =>
  order.history.push({ at: new Date(store.clock).toISOString(), what });
