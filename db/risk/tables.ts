import type { Generated } from 'kysely'

/** What a source of token risks says of a contract. */
export interface TokenRisk {
  blockchain: string
  address: string
  /** False: the source was asked and does not know the token. */
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
