/** A wallet transaction as the response needs it. */
export interface ServedRow {
  /** The leg that current value and profit are shown of; null: an approval, an NFT, nothing known. */
  main: {
    coinId: string
    symbol: string
    /** Decimal text, negative when it left the wallet. */
    count: string
    /** Decimal text, at the instant of the transaction; null when it was never priced. */
    valueUsd: string | null
  } | null
  /** JSON object of the other response fields, money in USD. */
  fragment: string
}
