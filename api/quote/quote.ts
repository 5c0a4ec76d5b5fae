/** A call that is asked about and not made. */
export interface QuotedCall {
  method: 'GET' | 'PATCH' | 'POST' | 'DELETE'
  /** With its query string; with or without /v1. */
  path: string
  /** JSON text. */
  body: string | undefined
}

export interface Quote {
  endpoint: string
  credits: number
  /** What multiplies the base price, as the ledger keeps it; null for a fixed one. */
  multipliers: string | null
  /** At the pay-per-request gateway: base units (6 decimals) and USDC; null: it is not sold there. */
  x402: { amount: string; usdc: string } | null
}
