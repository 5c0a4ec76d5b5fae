import { hash32, uniform } from './noise.ts'

type Invented = [
  id: string,
  symbol: string,
  name: string,
  levelUsd: number,
  circulatingSupply: number,
  extra: {
    dailyVolatility: number
    beta: number
    maxSupply: number | null
    categories: string[]
    listedDaysBefore: number | null
    delistedDaysBefore: number | null
    hasGaps: boolean
  },
]

const heads = [
  'Alder',
  'Birch',
  'Cedar',
  'Drift',
  'Ember',
  'Fjord',
  'Grove',
  'Heron',
  'Iris',
  'Juniper',
  'Kestrel',
  'Larch',
  'Maple',
  'Nimbus',
  'Osprey',
]
const tails = [
  'Chain',
  'Swap',
  'Finance',
  'Network',
  'Protocol',
  'Games',
  'Storage',
  'Oracle',
  'Credits',
  'Index',
]
const categories = [
  'Layer 2 (L2)',
  'Decentralized Finance (DeFi)',
  'Gaming',
  'Storage',
  'Oracle',
  'Meme',
  'Exchange-based Tokens',
]

const nameKey = 1_000_003

/**
 * Creates invented coins. Every sixth is listed within the last two years, every eleventh is delisted (some
 * are both), and every seventh has hours without a price. A few share a symbol, because symbols are not
 * unique.
 */
export function inventedCoins(count: number): Invented[] {
  return Array.from({ length: count }, (_, i) => {
    const head = heads[i % heads.length]!
    const tail = tails[Math.floor(i / heads.length) % tails.length]!
    const name = `${head} ${tail}`
    const levelUsd = Number((10 ** (uniform(nameKey, i) * 6 - 4)).toPrecision(4))
    const marketCapUsd = 10 ** (9.3 - 2.8 * (i / count) + uniform(nameKey, i + 5000) * 0.2)
    const circulatingSupply = Math.round(marketCapUsd / levelUsd)
    const listedDaysBefore = i % 6 === 1 ? 40 + (hash32(nameKey, i) % 660) : null
    return [
      name.toLowerCase().replace(' ', '-'),
      (head.slice(0, 3) + (i % 20 === 3 ? '' : tail.slice(0, 2))).toLowerCase(),
      name,
      levelUsd,
      circulatingSupply,
      {
        dailyVolatility: 0.02 + uniform(nameKey, i + 9000) * 0.05,
        beta: 0.4 + uniform(nameKey, i + 7000) * 1.2,
        maxSupply: i % 2 === 0 ? circulatingSupply * 2 : null,
        categories: [categories[i % categories.length]!],
        listedDaysBefore,
        delistedDaysBefore:
          i % 11 === 4 ? 10 + (hash32(nameKey, i) % (listedDaysBefore === null ? 500 : 30)) : null,
        hasGaps: i % 7 === 2,
      },
    ]
  })
}
