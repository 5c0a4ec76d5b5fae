/** What `apply_portfolio_writes` does for an account: the API decides, the database does it with the charge. */
export type PortfolioWrite =
  | { kind: 'follow'; id: string; name: string | null; address: string; networkId: string }
  | { kind: 'rename'; id: string; name: string }
  | {
      kind: 'add'
      id: string
      portfolioId: string
      /** RFC 3339 */
      at: string
      coinId: string
      /** Decimal text, as the prices; of one coin, in the currency and in USD. */
      count: string
      price: string | null
      currency: string
      priceUsd: string | null
      note: string | null
    }
  | { kind: 'remove'; id: string }
