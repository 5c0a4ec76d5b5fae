import { z } from 'zod'
import { readMarketMatches } from '../../db/prediction/read-matches.ts'
import { readPredictionAsOf } from '../../db/prediction/read-as-of.ts'
import { readMarket, readMarketsById, type ServedMarket } from '../../db/prediction/read-markets.ts'
import { PREDICTION_VENUES } from '../../db/values/prediction-venues.ts'
import { defineRoute } from '../route.ts'
import { toNumber } from '../shapes.ts'
import { claimPrices, countedPrices, priceGap } from './claim.ts'
import { dataSchema, wrapped } from './envelope.ts'
import { isoOrNull, numberOrNull } from './market.ts'
import {
  isPlayMoney,
  marketNotFound,
  minScoreParam,
  playMoneySchema,
  slugParam,
} from './prediction-params.ts'
import { MARKETS } from './shared-tables.ts'

const venue = z.enum(PREDICTION_VENUES)
const venueSchema = z.object({
  venue,
  playMoney: playMoneySchema,
  marketSlug: z.string(),
  question: z.string(),
  url: z.string(),
  matchScore: z
    .number()
    .describe('0 to 1; 1 for the market itself and for matches that an operator confirmed'),
  yesPrice: z.number().describe('Price of the outcome that the requested market claims'),
  bestBid: z.number().nullable(),
  bestAsk: z.number().nullable(),
  volume24h: z
    .number()
    .nullable()
    .describe('Price times size, USD; null while the trades of the market are not read, and for play money'),
  liquidity: z.number().describe('USD; 0 for play money'),
  endDate: z.string().nullable(),
})
type VenuePrices = z.infer<typeof venueSchema>
const quote = z.object({ venue, price: z.number() }).meta({ title: 'PredictionQuote' }).nullable()
const schema = z.object({
  slug: z.string(),
  question: z.string(),
  venues: z.array(venueSchema).describe('The market itself first, then its matches, highest score first'),
  summary: z
    .object({
      venuesCount: z.number().int().describe('With those of play money'),
      averagePrice: z
        .number()
        .describe('Mean of one market for each venue and event, the one with the most 24-hour volume'),
      weightedPrice: z
        .number()
        .describe('The same, weighted by 24-hour volume; the plain average without volume'),
      priceGap: z.number().describe('Highest minus lowest `yesPrice`'),
      lowestAsk: quote,
      highestBid: quote,
      arbitrage: z.boolean().describe('Whether the best bid of one venue is above the best ask of another'),
    })
    .describe('Prices in play money count only where no market in real money matches'),
})

export const getMarketCrossVenue = defineRoute({
  method: 'GET',
  path: '/prediction/markets/{slug}/cross-venue',
  tag: 'Prediction markets',
  summary: 'The same question at other venues',
  description:
    'Markets match when entity, threshold, comparator, deadline and source of resolution agree; a difference in one of them rules out a match. For a market that asks the opposite, the prices are those of the opposite outcome.',
  pathParams: z.object({ slug: slugParam('Slug of the market') }),
  query: z.object({ minScore: minScoreParam() }),
  response: dataSchema(schema),
  credits: 10,
  plan: 'any',
  x402: null,
  mayLag: true,
  shared: { reads: [...MARKETS, 'prediction_matches'], stamped: true },
  async handler({ path: { slug }, query: { minScore } }, { db, now }) {
    const market = await readMarket(db, slug)
    if (!market) throw marketNotFound()
    const matches = await readMarketMatches(db, { ids: [market.id], minScore })
    const others = await readMarketsById(
      db,
      matches.map(({ otherId }) => otherId),
    )
    const venues = [
      toVenue(market, { score: 1, inverted: false }),
      ...others.map((other, i) => toVenue(other, { ...matches[i]!, score: toNumber(matches[i]!.score) })),
    ]
    const events = [market, ...others].map((one) => one.event_slug)
    const votes = votesOf(venues.map((row, i) => ({ row, event: events[i] ?? null })))
    const data = { slug, question: market.question, venues, summary: summaryOf(venues, countedPrices(votes)) }
    const asOf = await readPredictionAsOf(db, others.length === 0 ? market.venue : undefined)
    return { body: wrapped(data, now()), asOf }
  },
})

function toVenue(
  market: ServedMarket,
  { score, inverted }: { score: number; inverted: boolean },
): VenuePrices {
  return {
    venue: market.venue,
    playMoney: isPlayMoney(market.venue),
    marketSlug: market.slug,
    question: market.question,
    url: market.url,
    matchScore: score,
    ...claimPrices(market, { inverted }),
    volume24h: numberOrNull(market.volume_24h_usd),
    liquidity: toNumber(market.liquidity_usd),
    endDate: isoOrNull(market.end_at),
  }
}

/**
 * One market for each venue and event, so that an event whose sides are markets of their own, as the teams of a
 * game are at Kalshi, counts once. Of equal volumes the first, with the highest score.
 */
function votesOf(markets: readonly { row: VenuePrices; event: string | null }[]): VenuePrices[] {
  const votes = new Map<string, VenuePrices>()
  for (const { row, event } of markets) {
    const key = `${row.venue} ${event ?? row.marketSlug}`
    const other = votes.get(key)
    if (!other || (row.volume24h ?? 0) > (other.volume24h ?? 0)) votes.set(key, row)
  }
  return [...votes.values()]
}

function summaryOf(
  venues: readonly VenuePrices[],
  votes: readonly VenuePrices[],
): z.infer<typeof schema>['summary'] {
  const counted = countedPrices(venues)
  const weights = votes.map(({ volume24h }) => volume24h ?? 0)
  const averagePrice = meanPrice(
    votes,
    votes.map(() => 1),
  )
  const bids = quotesOf(counted, 'bestBid').toSorted((a, b) => b.price - a.price)
  const asks = quotesOf(counted, 'bestAsk').toSorted((a, b) => a.price - b.price)
  return {
    venuesCount: new Set(venues.map((row) => row.venue)).size,
    averagePrice,
    weightedPrice: weights.some((weight) => weight > 0) ? meanPrice(votes, weights) : averagePrice,
    priceGap: priceGap(counted.map(({ yesPrice }) => yesPrice)),
    lowestAsk: asks[0] ?? null,
    highestBid: bids[0] ?? null,
    arbitrage: bids.some((bid) => asks.some((ask) => ask.venue !== bid.venue && bid.price > ask.price)),
  }
}

function meanPrice(votes: readonly VenuePrices[], weights: readonly number[]): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const weighted = votes.reduce((sum, { yesPrice }, i) => sum + yesPrice * weights[i]!, 0)
  return Number((weighted / total).toFixed(6))
}

const quotesOf = (venues: readonly VenuePrices[], side: 'bestBid' | 'bestAsk') =>
  venues.flatMap((row) => (row[side] === null ? [] : [{ venue: row.venue, price: row[side] }]))
