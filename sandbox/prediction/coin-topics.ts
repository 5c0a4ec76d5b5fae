import { day, long, type Question, short, type Spec, type Topic } from './question.ts'

/**
 * How the question at Kalshi differs from the one at Polymarket; `same`: the same question in other words.
 */
type Relation = 'same' | 'threshold' | 'deadline' | 'comparator'

const money = (value: number): string => `$${value.toLocaleString('en-US')}`

const coins: [name: string, code: string, levels: number[]][] = [
  ['Bitcoin', 'BTC', [80_000, 100_000, 120_000, 150_000]],
  ['Ethereum', 'ETH', [2_500, 3_500, 4_500, 6_000]],
  ['Solana', 'SOL', [120, 160, 220, 300]],
  ['XRP', 'XRP', [1.5, 2, 2.5, 3.5]],
  ['Dogecoin', 'DOGE', [0.1, 0.15, 0.25, 0.4]],
  ['Cardano', 'ADA', [0.4, 0.6, 0.9, 1.2]],
]
const deadlines = [12, 40, -20]
const relations: Relation[] = ['same', 'threshold', 'deadline', 'comparator', 'same']

/** Coin prices: half of Kalshi's questions equal those of Polymarket, the others differ in one attribute. */
export function coinTopics({ venue, anchor }: Spec): Topic[] {
  return coins.flatMap(([name, code, levels], c) =>
    deadlines.map((days, d): Topic => {
      const relation = venue === 'kalshi' ? relations[(c + d) % relations.length]! : 'same'
      const endsAt = anchor + (days + (relation === 'deadline' ? 1 : 0)) * day
      const eve = endsAt - 1
      const comparator = relation === 'comparator' ? 'reach' : 'above'
      const key = `${code}-${days}`
      const decimals = levels[0]! < 10 ? 4 : 2
      const questions = levels.map((base): Question => {
        const level = relation === 'threshold' ? Number((base * 1.05).toPrecision(3)) : base
        const shown = money(level)
        const asked =
          comparator === 'reach'
            ? `Will ${name} reach ${shown} by ${short(eve)}?`
            : venue === 'polymarket'
              ? `Will ${name} be above ${shown} on ${long(eve)}?`
              : `${name} price on ${short(eve)} at 11:59 PM UTC?`
        // Kalshi states "or above" as above the next lower price.
        const floor = venue === 'kalshi' ? Number((level - 10 ** -decimals).toFixed(decimals)) : level
        const rules =
          comparator === 'reach'
            ? `If any one-minute price of ${name} is ${shown} or higher before the end of ${long(eve)}, this market resolves to Yes.`
            : venue === 'polymarket'
              ? `This market resolves to "Yes" if the one-minute candle for ${code}/USDT at 23:59 UTC on ${long(eve)} has a final "Close" price higher than ${shown}.`
              : `If the simple average of the sixty seconds of the ${name} index before 11:59 PM UTC is above ${floor} at 11:59 PM UTC on ${short(eve)}, then the market resolves to Yes.`
        return {
          key: `${key}-${level}-${comparator}`,
          truth: `${code} ${comparator} ${level} ${endsAt}`,
          question: asked,
          label: venue === 'polymarket' ? shown : `${shown} or above`,
          rules,
          strike: { type: 'greater', floor, cap: null },
          outcomes: ['Yes', 'No'],
          endsAt,
        }
      })
      const title =
        venue === 'polymarket' ? `${name} above ___ on ${long(eve)}?` : `${name} price on ${short(eve)}`
      return {
        key,
        category: 'Crypto',
        title,
        resolutionSource: 'https://www.coingecko.com',
        exclusive: false,
        startsAt: Math.min(endsAt - 32 * day, anchor - 10 * day),
        questions,
      }
    }),
  )
}
