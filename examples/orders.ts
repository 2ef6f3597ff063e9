/** The agent's own tool: a result that is far too large for a context. */
export const listOrders = (): string =>
  JSON.stringify(
    Array.from({ length: 2_000 }, (_, i) => ({
      id: `order-${i}`,
      customer: `customer${(i * 7919) % 500}`,
      state: i === 1_234 ? 'damaged' : 'shipped',
    })),
  );

export const listOrdersTool = {
  name: 'list_orders',
  description: 'Lists all orders as JSON.',
  parameters: { type: 'object' as const, properties: {} },
};
