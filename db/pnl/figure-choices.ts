/** Which portfolios: all of an account, or one of them. */
export interface PortfolioChoice {
  accountId: string
  /** null: all together */
  portfolioId: string | null
}

/** A wallet on a network, or with `all` on every network of `all` and its kind. */
export interface WalletChoice {
  address: string
  network: string
  kind: string
}
