/** The fear and greed index of a UTC day by one publisher, from 0 (extreme fear) to 100 (extreme greed). */
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
