/** Which lots a sale takes: of all a share, the oldest, the newest or the dearest first. */
export const COST_METHODS = ['average', 'fifo', 'lifo', 'hifo'] as const
export type CostMethod = (typeof COST_METHODS)[number]
