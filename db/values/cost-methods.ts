/** Which lots a sale uses first: a share of all, the oldest, the newest or the dearest. */
export const COST_METHODS = ['average', 'fifo', 'lifo', 'hifo'] as const
export type CostMethod = (typeof COST_METHODS)[number]
