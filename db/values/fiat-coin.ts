const PREFIX = 'FiatCoin'

/** The coin id of a currency, e.g. FiatCoinUSD. */
export const fiatCoinId = (currency: string): string => `${PREFIX}${currency}`

export const isFiatCoin = (coinId: string): boolean => coinId.startsWith(PREFIX)

/** The currency of such an id. */
export const fiatOf = (coinId: string): string => coinId.slice(PREFIX.length)
