import { countForPlan } from '../../db/prices/count-for-plan.ts'
import { COINGECKO } from '../coingecko.ts'
import { COINPAPRIKA } from '../coinpaprika.ts'
import { type Asking, countedRequests, pacedSeconds, type PlanInput, regular } from '../requests.ts'
import { FREE_QUOTES_PACE_MS, MOST_PAGES } from './refresh-quotes.ts'
import { MOST_DESCRIBED } from './refresh-listings.ts'
import { FREE_TOTALS_PACE_MS } from './refresh-totals.ts'
import { KEYS_PER_CALL, DEFILLAMA } from './sources/defillama.ts'
import { ECB } from './sources/ecb.ts'
import { EUROFXREF } from './sources/eurofxref.ts'
import { FRANKFURTER } from './sources/frankfurter.ts'
import { MOST_FOLLOWED } from './store-markets.ts'

/** Calls of DefiLlama for the past of a coin: two of its days, one of its hours. */
const CALLS_OF_PAST = 3

type Input = PlanInput<
  'coins' | 'tokens priced by contract' | 'coins without a description' | 'coins without a past'
>

export const priceRequests = countedRequests({
  assumed: {
    coins: MOST_FOLLOWED,
    'tokens priced by contract': 0,
    'coins without a description': MOST_FOLLOWED,
    'coins without a past': MOST_FOLLOWED,
  },
  count: (db) => countForPlan(db, { describer: COINGECKO, pricer: DEFILLAMA }),
  askings: (input: Input) => [...quotes(input), ...totals(input), ...listings(input), ...currencies(input)],
})

function quotes({ counts, planOf, schedule }: Input): Asking[] {
  const every = schedule('refresh-coins').everySeconds
  const gecko = planOf(COINGECKO)
  const isFirst = gecko === 'free' || gecko === 'full'
  const seconds = gecko === 'free' ? pacedSeconds(every, FREE_QUOTES_PACE_MS) : every
  const reading = { what: 'quotes', work: 'heads', seconds } as const
  const isSecond = planOf(COINPAPRIKA) !== null
  const tokens = Math.ceil(counts['tokens priced by contract'] / KEYS_PER_CALL)
  const llama = { source: DEFILLAMA, work: 'heads', seconds: every } as const
  return [
    ...(isFirst ? [regular({ ...reading, source: COINGECKO, each: MOST_PAGES })] : []),
    ...(isSecond ? [regular({ ...reading, source: COINPAPRIKA, each: 1 })] : []),
    ...(isFirst || isSecond
      ? []
      : [
          regular({
            ...llama,
            what: 'quotes',
            each: Math.ceil(Math.min(counts.coins, MOST_FOLLOWED) / KEYS_PER_CALL),
          }),
        ]),
    regular({ ...llama, what: 'prices of tokens', each: tokens }),
    {
      source: DEFILLAMA,
      what: 'pasts of coins',
      work: 'history',
      requests: CALLS_OF_PAST * counts['coins without a past'],
      seconds: null,
    },
  ]
}

function totals({ planOf, schedule }: Input): Asking[] {
  const every = schedule('refresh-coins').everySeconds
  const gecko = planOf(COINGECKO)
  const usesPaprika = planOf(COINPAPRIKA) !== null && (gecko === null || gecko === 'keyless')
  return [
    regular({
      source: usesPaprika ? COINPAPRIKA : COINGECKO,
      what: 'market totals',
      work: 'heads',
      each: 1,
      seconds: gecko === 'free' ? pacedSeconds(every, FREE_TOTALS_PACE_MS) : every,
    }),
  ]
}

function listings({ counts, planOf, schedule }: Input): Asking[] {
  const gecko = planOf(COINGECKO)
  if (gecko === null) return []
  const missing = counts['coins without a description']
  // Each run reads some, and a day of them bounds how many.
  const runs =
    86_400 / schedule('refresh-listings').everySeconds + 86_400 / schedule('backfill-prices').everySeconds
  const most = MOST_DESCRIBED[gecko] * runs
  return [
    regular({
      source: COINGECKO,
      what: 'the list of all coins',
      each: 1,
      seconds: schedule('refresh-listings').everySeconds,
    }),
    {
      source: COINGECKO,
      what: 'descriptions of coins, until each has one',
      work: 'refresh',
      requests: Math.min(missing, most),
      seconds: (86_400 * missing) / Math.min(missing, most) || 86_400,
    },
  ]
}

function currencies({ planOf, schedule }: Input): Asking[] {
  const source = [FRANKFURTER, ECB, EUROFXREF].find((name) => planOf(name) !== null)
  if (source === undefined) return []
  return [
    regular({
      source,
      what: 'rates of currencies',
      each: 1,
      seconds: schedule('refresh-fiats').everySeconds,
    }),
  ]
}
