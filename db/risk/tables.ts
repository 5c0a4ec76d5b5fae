import type { Generated } from 'kysely'

/** The risks of a contract according to one source. */
export interface TokenRisk {
  blockchain: string
  address: string
  /** false: the source does not know the token */
  known: boolean
  facts: Generated<unknown>
  detected: Generated<string[]>
  clear: Generated<string[]>
  score: number | null
  market_endorsed: boolean | null
  ownership_renounced: boolean | null
  source: string
  fetched_at: Date
  checked_at: Date
}

declare module '../schema.ts' {
  interface Database {
    token_risks: TokenRisk
  }
}
