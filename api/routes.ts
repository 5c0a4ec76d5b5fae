import * as areas from './areas.ts'
import { getQuote } from './quote/get-quote.ts'
import type { Route } from './route.ts'
import { getStatus } from './status/get-status.ts'
import { getCredits } from './usage/get-credits.ts'

/** Order of tags in the documentation. Other tags follow. */
const FIRST = [
  'Status',
  'Usage',
  'Coins',
  'Markets',
  'Currencies',
  'News',
  'Insights',
  'Token risk',
  'NFTs',
  'Wallets',
  'Exchanges',
  'Portfolios',
  'Events',
  'Webhooks',
]
const rankOf = ({ tag }: Route) => (FIRST.includes(tag) ? FIRST.indexOf(tag) : FIRST.length)

/** Every endpoint. The order of paths does not matter: the router prefers literals. */
export const routes: readonly Route[] = [
  getStatus,
  getCredits,
  getQuote,
  ...Object.values(areas).flat(),
].toSorted((a, b) => rankOf(a) - rankOf(b))
