import { COINGECKO } from '../coingecko.ts'
import { type Asking, countedRequests, regular } from '../requests.ts'
import { ALTERNATIVE_ME } from './sources/alternative-me.ts'
import { COINMARKETCAP } from './sources/coinmarketcap.ts'

export const insightRequests = countedRequests({
  assumed: {},
  count: () => Promise.resolve({}),
  askings({ planOf, schedule }): Asking[] {
    const index = [ALTERNATIVE_ME, COINMARKETCAP].find((name) => planOf(name) !== null)
    const seconds = schedule('refresh-insights').everySeconds
    const each = { what: 'fear and greed', each: 1, seconds }
    const past = {
      source: COINGECKO,
      what: 'past market totals',
      each: 2,
      seconds: schedule('backfill-totals').everySeconds,
    }
    return [
      ...(index === undefined ? [] : [regular({ ...each, source: index })]),
      ...(planOf(COINGECKO) === 'full' ? [regular(past)] : []),
    ]
  },
})
