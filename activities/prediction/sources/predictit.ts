import { z } from 'zod'
import type { HttpClient } from '../../http-client.ts'
import { parseRows } from '../../parse-rows.ts'
import type { EventRow, MarketRow, VenuePage } from '../venue-data.ts'
import { UNSTATED } from '../venue-data.ts'
import {
  complement,
  halfway,
  looseProbability,
  nameField,
  slugOf,
  textField,
  timeField,
} from '../venue-fields.ts'

export const PREDICTIT = 'predictit'

const idField = z.int().positive().transform(String)

const contractRow = z.object({
  id: idField,
  name: nameField,
  image: textField,
  status: nameField,
  dateEnd: timeField,
  lastTradePrice: looseProbability,
  lastClosePrice: looseProbability,
  bestBuyYesCost: looseProbability,
  bestSellYesCost: looseProbability,
})
type Contract = z.infer<typeof contractRow>

const marketRow = z.object({
  id: idField,
  name: nameField,
  url: nameField,
  image: textField,
  contracts: z.array(z.unknown()),
})

/**
 * PredictIt's market data (www.predictit.org/api/marketdata/all/): all open markets in one answer, which the venue makes
 * once a minute. A market there is an event here, and each of its contracts a market with yes and no. Volumes, trades,
 * order books, histories and results are not public.
 */
export function createPredictIt({ http, url }: { http: HttpClient; url: string }) {
  return {
    async allMarkets(): Promise<VenuePage> {
      const { markets } = await http.fetchJson({
        source: PREDICTIT,
        url: `${url}/marketdata/all/`,
        schema: z.object({ markets: z.array(z.unknown()) }),
      })
      const page: VenuePage = { events: [], markets: [], quarantined: [], next: null, isWhole: true }
      const { rows, quarantined } = parseRows(marketRow, markets)
      page.quarantined.push(...quarantined)
      for (const row of rows) {
        const contracts = parseRows(contractRow, row.contracts)
        page.quarantined.push(...contracts.quarantined)
        const event = toEvent(row)
        page.events.push(event)
        page.markets.push(...contracts.rows.map((contract) => toMarket(contract, event)))
      }
      return page
    },
  }
}

const toEvent = (row: z.infer<typeof marketRow>): EventRow => ({
  venueEventId: row.id,
  slug: `predictit-${row.id}-${slugOf(row.name)}`,
  title: row.name,
  url: row.url,
  description: null,
  imageUrl: row.image,
  category: null,
  tags: [],
  mutuallyExclusive: false,
  resolutionSource: null,
  startAt: null,
  endAt: null,
  createdAt: null,
  updatedAt: null,
})

function toMarket(row: Contract, event: EventRow): MarketRow {
  // A market with one contract names it like itself.
  const label = row.name === event.title ? null : row.name
  const price = currentPrice(row)
  return {
    ...UNSTATED,
    venueMarketId: row.id,
    venueEventId: event.venueEventId,
    slug: `predictit-contract-${row.id}-${slugOf(row.name)}`,
    question: label === null ? event.title : `${event.title} ${label}`,
    label,
    url: event.url,
    description: null,
    imageUrl: row.image,
    category: null,
    tags: [],
    status: row.status === 'Open' ? 'open' : 'closed',
    tickSize: '0.01',
    lastTradePrice: row.lastTradePrice,
    // Who sells gets the best bid, and who buys pays the best offer.
    bestBid: row.bestSellYesCost,
    bestAsk: row.bestBuyYesCost,
    startAt: null,
    endAt: row.dateEnd,
    resolvedAt: null,
    createdAt: null,
    updatedAt: null,
    outcomes: [
      { venueOutcomeId: 'yes', name: 'Yes', price, payout: null },
      { venueOutcomeId: 'no', name: 'No', price: complement(price), payout: null },
    ],
  }
}

const currentPrice = ({
  lastTradePrice,
  lastClosePrice,
  bestSellYesCost,
  bestBuyYesCost,
}: Contract): string =>
  lastTradePrice ?? lastClosePrice ?? halfway(bestSellYesCost ?? '0', bestBuyYesCost ?? '1')
