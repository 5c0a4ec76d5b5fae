/** The fear and greed index of a UTC day, 0 (extreme fear) to 100 (extreme greed), by its publisher. */
export interface FearGreed {
  source: string
  at: Date
  value: number
  fetched_at: Date
}

declare module '../schema.ts' {
  interface Database {
    fear_greed: FearGreed
  }
}
