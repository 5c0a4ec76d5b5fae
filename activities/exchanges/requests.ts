import { countAccounts, type PlanAccounts } from '../../db/exchanges/count-for-plan.ts'
import { exchangeOf } from '../../db/values/exchanges.ts'
import { type AreaRequests, type Asking, pacedSeconds, type PlanSettings, regular } from '../requests.ts'
import { exchangeSpec } from './exchanges.ts'

/** Markets, currencies and the clock, which all accounts of an exchange share for an hour. */
const CALLS_OF_MARKETS = 3
const MARKETS_SECONDS = 3_600

/** What a household has, as docs/live.md assumes it. */
const ASSUMED = ['binance', 'coinbase', 'kraken'].map((exchange): PlanAccounts => ({
  exchange,
  accounts: 1,
  lists: exchangeSpec(exchange).lists.length,
}))

/** What accounts at exchanges ask for: their balances and the end of each list, while nothing happens there. */
export const exchangeRequests: AreaRequests = async (db, settings) => {
  const counted = (db ? await countAccounts(db) : ASSUMED).filter(
    ({ exchange }) => settings.planOf(exchange) !== null,
  )
  return {
    counts: Object.fromEntries(counted.map((one) => [nameOf(one), one.accounts])),
    askings: counted.flatMap((one) => askingsOf(one, settings)),
  }
}

const nameOf = ({ exchange }: PlanAccounts) => `accounts at ${exchangeOf(exchange)?.name ?? exchange}`

function askingsOf(of: PlanAccounts, { schedule }: PlanSettings): Asking[] {
  const { exchange: source, accounts, lists } = of
  const { everySeconds, input } = schedule('refresh-exchanges')
  const seconds = pacedSeconds(everySeconds, (input as { olderThanSeconds: number }).olderThanSeconds * 1_000)
  const balances = exchangeSpec(source).wallets?.length ?? 1
  return [
    { ...regular({ source, what: nameOf(of), each: balances * accounts + lists, seconds }), items: accounts },
    regular({ source, what: 'markets', each: CALLS_OF_MARKETS, seconds: MARKETS_SECONDS }),
  ]
}
