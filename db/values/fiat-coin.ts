const PREFIX = 'FiatCoin'

/** Coin id of a currency, e.g. FiatCoinUSD. */
export const fiatCoinId = (currency: string): string => `${PREFIX}${currency}`

export const isFiatCoin = (coinId: string): boolean => coinId.startsWith(PREFIX)

/** Currency of a fiat coin id. */
export const fiatOf = (coinId: string): string => coinId.slice(PREFIX.length)
