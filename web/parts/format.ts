export const count = (value: number): string => value.toLocaleString('en-US')

/** `1 credit`, `1,000 credits` */
export const counted = (value: number, noun: string): string =>
  `${count(value)} ${noun}${value === 1 ? '' : 's'}`

/** Calendar day in UTC. */
export const day = (at: Date): string => at.toISOString().slice(0, 10)

export const minute = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

export const time = (at: Date): string => `${at.toISOString().slice(11, 19)} UTC`

/** An amount of a coin. */
export const amount = (value: number): string =>
  value.toLocaleString('en-US', { maximumSignificantDigits: 8 })

/** Percentages as the API has them: 12.5 is 12.5 %. */
export const percent = (value: number): string =>
  `${value.toLocaleString('en-US', { maximumFractionDigits: 2, signDisplay: 'exceptZero' })} %`

/** How amounts of a currency are written. */
export interface Money {
  worth: (value: number) => string
  /** with a sign */
  change: (value: number) => string
  /** price of one coin: six digits that count */
  price: (value: number) => string
  /** without cents, for axes */
  round: (value: number) => string
}

/** `currency`: USD, BTC, ETH or a code of ISO 4217. */
export function moneyIn(currency: string): Money {
  const digits = currency === 'BTC' || currency === 'ETH' ? { maximumSignificantDigits: 6 } : {}
  const style = /^[A-Z]{3}$/.test(currency) ? { style: 'currency' as const, currency } : {}
  const of = (more: Intl.NumberFormatOptions) => {
    const format = new Intl.NumberFormat('en-US', { ...style, ...digits, ...more })
    return (value: number) => format.format(value)
  }
  return {
    worth: of({}),
    change: of({ signDisplay: 'exceptZero' }),
    price: of({ maximumSignificantDigits: 6 }),
    round: of({ notation: 'compact', minimumFractionDigits: 0, maximumSignificantDigits: 4 }),
  }
}
