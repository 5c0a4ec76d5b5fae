import { z } from 'zod'
import type { ReadonlyDb } from '../../db/schema.ts'
import { readEventMatches, readMarketMatches } from '../../db/prediction/read-matches.ts'
import { readPredictionAsOf } from '../../db/prediction/read-as-of.ts'
import { readEvent, readEventsById, type ServedEvent } from '../../db/prediction/read-events.ts'
import { readEventMarkets, readMarketsById } from '../../db/prediction/read-markets.ts'
import { PREDICTION_VENUES } from '../../db/values/prediction-venues.ts'
import { defineRoute } from '../route.ts'
import { toNumber } from '../shapes.ts'
import { claimPrices, countedPrices, priceGap } from './claim.ts'
import { dataSchema, wrapped } from './envelope.ts'
import { eventNotFound, isPlayMoney, minScoreParam, playMoneySchema, slugParam } from './prediction-params.ts'
import { MARKETS } from './shared-tables.ts'

const venue = z.enum(PREDICTION_VENUES)
const outcomeSchema = z.object({
  label: z.string(),
  prices: z
    .array(
      z
        .object({ venue, playMoney: playMoneySchema, marketSlug: z.string(), yesPrice: z.number() })
        .meta({ title: 'PredictionYesPrice' }),
    )
    .describe('The market itself first, then its matches'),
  priceGap: z
    .number()
    .describe('Highest minus lowest price. Prices in play money count only where there are no others'),
})
const schema = z.object({
  slug: z.string(),
  title: z.string(),
  venues: z
    .array(
      z.object({
        venue,
        playMoney: playMoneySchema,
        eventSlug: z.string(),
        title: z.string(),
        url: z.string(),
        matchScore: z.number().describe('0 to 1; 1 for the event itself'),
        marketsCount: z.number().int(),
        volumeTotal: z.number().describe('USD; 0 for play money'),
      }),
    )
    .describe('The event itself first, then events with matching markets, highest score first'),
  outcomes: z.array(outcomeSchema).describe('Markets of the event; those with a match come first'),
  summary: z.object({
    venuesCount: z.number().int(),
    matchedOutcomes: z.number().int().describe('Outcomes with a match at another venue'),
    maxPriceGap: z.number(),
    totalVolume: z.number().describe('USD'),
  }),
})

export const getEventCrossVenue = defineRoute({
  method: 'GET',
  path: '/prediction/events/{slug}/cross-venue',
  tag: 'Prediction markets',
  summary: 'The same event at other venues, outcome by outcome',
  description: 'Two events match when they have matching markets.',
  pathParams: z.object({ slug: slugParam('Slug of the event') }),
  query: z.object({ minScore: minScoreParam() }),
  response: dataSchema(schema),
  credits: 10,
  plan: 'any',
  x402: null,
  mayLag: true,
  shared: { reads: [...MARKETS, 'prediction_event_matches', 'prediction_matches'], stamped: true },
  async handler({ path: { slug }, query: { minScore } }, { db, now }) {
    const event = await readEvent(db, slug)
    if (!event) throw eventNotFound()
    const matches = await readEventMatches(db, { id: event.id, minScore })
    const others = await readEventsById(
      db,
      matches.map(({ otherId }) => otherId),
    )
    const outcomes = await readOutcomes(db, { event, others, minScore })
    const events = [event, ...others]
    const data = {
      slug,
      title: event.title,
      venues: events.map((row, i) => ({
        venue: row.venue,
        playMoney: isPlayMoney(row.venue),
        eventSlug: row.slug,
        title: row.title,
        url: row.url,
        matchScore: i === 0 ? 1 : toNumber(matches[i - 1]!.score),
        marketsCount: row.markets_count,
        volumeTotal: toNumber(row.volume_total_usd),
      })),
      outcomes,
      summary: {
        venuesCount: new Set(events.map((row) => row.venue)).size,
        matchedOutcomes: outcomes.filter(({ prices }) => prices.length > 1).length,
        maxPriceGap: Math.max(0, ...outcomes.map((outcome) => outcome.priceGap)),
        totalVolume: Number(events.reduce((sum, row) => sum + toNumber(row.volume_total_usd), 0).toFixed(6)),
      },
    }
    const asOf = await readPredictionAsOf(db, others.length === 0 ? event.venue : undefined)
    return { body: wrapped(data, now()), asOf }
  },
})

/** Markets of an event, each with the prices of its matches in the other events. */
async function readOutcomes(
  db: ReadonlyDb,
  { event, others, minScore }: { event: ServedEvent; others: readonly ServedEvent[]; minScore: number },
): Promise<z.infer<typeof outcomeSchema>[]> {
  const own = await readEventMarkets(db, event.id)
  const matches = await readMarketMatches(db, { ids: own.map(({ id }) => id), minScore })
  const matched = await readMarketsById(db, [...new Set(matches.map(({ otherId }) => otherId))])
  const slugs = new Set(others.map(({ slug }) => slug))
  const inEvents = new Map(
    matched.filter((row) => slugs.has(row.event_slug ?? '')).map((row) => [row.id, row]),
  )
  const outcomes = own.map((market) => {
    const same = matches.flatMap(({ id, otherId, inverted }) => {
      const other = id === market.id ? inEvents.get(otherId) : undefined
      return other ? [{ market: other, inverted }] : []
    })
    const prices = [{ market, inverted: false }, ...same].map(({ market: row, inverted }) => ({
      venue: row.venue,
      playMoney: isPlayMoney(row.venue),
      marketSlug: row.slug,
      yesPrice: claimPrices(row, { inverted }).yesPrice,
    }))
    const gap = priceGap(countedPrices(prices).map(({ yesPrice }) => yesPrice))
    return { label: market.label ?? market.question, prices, priceGap: gap }
  })
  return [
    ...outcomes.filter(({ prices }) => prices.length > 1),
    ...outcomes.filter(({ prices }) => prices.length === 1),
  ]
}
