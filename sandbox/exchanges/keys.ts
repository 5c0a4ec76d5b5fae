/** API keys of the simulated exchanges. They are valid nowhere else. */
export type ExchangeKey = {
  apiKey: string
  apiSecret: string
  /** Account whose history the key shows. */
  account: string
  /** Whether the key may also trade and withdraw. */
  mayTrade: boolean
}

const keysOf = (exchange: string, encode: (text: string) => string): ExchangeKey[] =>
  [
    { name: 'reader', account: 'first', mayTrade: false },
    { name: 'trader', account: 'first', mayTrade: true },
    { name: 'other', account: 'second', mayTrade: false },
  ].map(({ name, ...key }) => ({
    apiKey: `sandbox-${exchange}-${name}`,
    apiSecret: encode(`sandbox-${exchange}-${name}-secret`),
    ...key,
  }))

export const binanceKeys = keysOf('binance', (text) => text)
/** Kraken's secrets are base64. */
export const krakenKeys = keysOf('kraken', (text) => Buffer.from(text).toString('base64'))
