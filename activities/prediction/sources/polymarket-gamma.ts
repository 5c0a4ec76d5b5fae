import { z } from 'zod'
import type { HttpClient } from '../../http-client.ts'
import { parseRows, type QuarantinedRow } from '../../parse-rows.ts'
import type { EventRow, MarketRow, MarketStatus, VenuePage } from '../venue-data.ts'
import {
  amountField,
  jsonListField,
  looseProbability,
  nameField,
  optionalDecimal,
  probabilityField,
  slugOf,
  textField,
  timeField,
} from '../venue-fields.ts'

export const POLYMARKET_GAMMA = 'polymarket-gamma'
const SITE = 'https://polymarket.com'
/** The server's real limit, which differs from the documentation. */
export const PAGE_SIZE = 100

const id = z.union([z.string().min(1), z.number()]).transform(String)
const tagField = z.object({ slug: nameField, label: nameField })
const tags = z
  .unknown()
  .optional()
  .transform((value) => (Array.isArray(value) ? parseRows(tagField, value).rows : []))

const eventRow = z
  .object({
    id,
    slug: nameField,
    title: nameField,
    description: textField,
    resolutionSource: textField,
    startDate: timeField,
    endDate: timeField,
    createdAt: timeField,
    creationDate: timeField,
    updatedAt: timeField,
    image: textField,
    category: textField,
    tags,
    negRisk: z.boolean().nullish(),
  })
  .transform((row): EventRow => ({
    venueEventId: row.id,
    slug: row.slug,
    title: row.title,
    url: `${SITE}/event/${row.slug}`,
    description: row.description,
    imageUrl: row.image,
    category: row.category ?? row.tags.find(({ slug }) => slug !== 'all')?.label ?? null,
    tags: row.tags
      .map(({ slug, label }) => ({ slug: slugOf(slug), label }))
      .filter(({ slug }) => slug !== ''),
    mutuallyExclusive: row.negRisk ?? false,
    resolutionSource: row.resolutionSource,
    startAt: row.startDate,
    endAt: row.endDate,
    createdAt: row.createdAt ?? row.creationDate,
    updatedAt: row.updatedAt,
  }))

const marketRow = z
  .object({
    id,
    question: nameField,
    conditionId: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
    slug: nameField,
    resolutionSource: textField,
    endDate: timeField,
    startDate: timeField,
    createdAt: timeField,
    updatedAt: timeField,
    closedTime: timeField,
    umaEndDate: timeField,
    image: textField,
    description: textField,
    outcomes: jsonListField,
    outcomePrices: jsonListField,
    version: z.enum(['v1', 'v2']).nullish(),
    clobTokenIds: jsonListField,
    positionIds: jsonListField,
    closed: z.boolean().nullish(),
    umaResolutionStatus: textField,
    groupItemTitle: textField,
    category: textField,
    orderPriceMinTickSize: optionalDecimal,
    volumeNum: amountField,
    volume: amountField,
    volume24hr: amountField,
    volume1wk: optionalDecimal,
    liquidityNum: amountField,
    lastTradePrice: looseProbability,
    bestBid: looseProbability,
    bestAsk: looseProbability,
    events: z.array(z.unknown()).nullish(),
    tags,
  })
  // A market may have both lists of ids, and its version says which one is in use.
  .transform(({ version, clobTokenIds, positionIds, ...row }) => ({
    ...row,
    outcomeIds: version === 'v2' ? positionIds : clobTokenIds,
  }))
  .refine(({ outcomes }) => outcomes.length >= 2, 'fewer than two outcomes')
  .refine(
    ({ outcomes, outcomeIds: ids }) => ids.length === 0 || ids.length === outcomes.length,
    'tokens and outcomes differ in number',
  )

type GammaMarket = z.infer<typeof marketRow>

/** `active` is useless here: ended markets keep it. */
function statusOf(row: GammaMarket, prices: readonly string[]): MarketStatus {
  if (!row.closed) return 'open'
  if (row.umaResolutionStatus !== 'resolved') return 'closed'
  return prices.some((price) => price === '1') ? 'resolved' : 'cancelled'
}

function toMarket(row: GammaMarket, event: EventRow | null): MarketRow {
  const even = String(1 / row.outcomes.length)
  // A market without trades has no prices yet.
  const prices = row.outcomes.map((_, index) => {
    const price = probabilityField.safeParse(row.outcomePrices[index])
    return price.success ? price.data : even
  })
  const status = statusOf(row, prices)
  const over = status === 'resolved' || status === 'cancelled'
  return {
    venueMarketId: row.id,
    conditionId: row.conditionId.toLowerCase(),
    venueEventId: event?.venueEventId ?? null,
    slug: row.slug,
    question: row.question,
    label: row.groupItemTitle,
    url: event ? `${event.url}/${row.slug}` : `${SITE}/market/${row.slug}`,
    description: row.description,
    imageUrl: row.image ?? event?.imageUrl ?? null,
    category: row.category ?? event?.category ?? null,
    tags: event?.tags ?? row.tags,
    status,
    resolutionSource: row.resolutionSource ?? event?.resolutionSource ?? null,
    strikeType: null,
    floorStrike: null,
    capStrike: null,
    tickSize: row.orderPriceMinTickSize,
    lastTradePrice: row.lastTradePrice,
    bestBid: row.bestBid,
    bestAsk: row.bestAsk,
    volume24hUsd: row.volume24hr,
    volume7dUsd: row.volume1wk,
    volumeTotalUsd: row.volumeNum === '0' ? row.volume : row.volumeNum,
    notional24hUsd: null,
    notionalTotalUsd: null,
    liquidityUsd: row.liquidityNum,
    openInterestUsd: null,
    startAt: row.startDate,
    endAt: row.endDate,
    resolvedAt: over ? (row.closedTime ?? row.umaEndDate) : null,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    outcomes: row.outcomes.map((name, index) => ({
      venueOutcomeId: row.outcomeIds[index] ?? `${row.conditionId}-${index}`,
      name,
      price: prices[index]!,
      payout: over ? prices[index]! : null,
    })),
  }
}

/** Events and the markets inside them; an invalid market does not stop its event. */
function readEvents(rows: readonly unknown[]): Omit<VenuePage, 'next'> {
  const page: Omit<VenuePage, 'next'> = { events: [], markets: [], quarantined: [] }
  for (const raw of rows) {
    const parsed = parseRows(eventRow, [raw])
    page.quarantined.push(...parsed.quarantined)
    const event = parsed.rows[0] ?? null
    if (event) page.events.push(event)
    const inside = (raw as { markets?: unknown } | null)?.markets
    const markets = readMarkets(Array.isArray(inside) ? inside : [], event)
    page.markets.push(...markets.rows)
    page.quarantined.push(...markets.quarantined)
  }
  return page
}

function readMarkets(
  rows: readonly unknown[],
  event: EventRow | null,
): { rows: MarketRow[]; quarantined: QuarantinedRow[] } {
  const { rows: good, quarantined } = parseRows(marketRow, rows)
  return { rows: good.map((row) => toMarket(row, event ?? ownEvent(row))), quarantined }
}

/** A market that is requested alone contains its event. */
function ownEvent(row: GammaMarket): EventRow | null {
  return parseRows(eventRow, (row.events ?? []).slice(0, 1)).rows[0] ?? null
}

const cursor = z.string().nullish()
const eventPage = z.object({ events: z.array(z.unknown()), next_cursor: cursor })
const marketPage = z.object({ markets: z.array(z.unknown()), next_cursor: cursor })

/** Polymarket's Gamma API: events, markets and tags, paged by a cursor. */
export function createPolymarketGamma({ http, url }: { http: HttpClient; url: string }) {
  const get = <T>(path: string, schema: z.ZodType<T>): Promise<T> =>
    http.fetchJson({ source: POLYMARKET_GAMMA, url: url + path, schema })

  return {
    /** One page of events. `closed` is always sent, because its default differs from the documentation. */
    async events(options: { closed: boolean; cursor: string | null }): Promise<VenuePage> {
      const query = new URLSearchParams({ closed: String(options.closed), limit: String(PAGE_SIZE) })
      if (options.cursor !== null) query.set('after_cursor', options.cursor)
      const page = await get(`/events/keyset?${query.toString()}`, eventPage)
      return { ...readEvents(page.events), next: page.next_cursor || null }
    },

    /** Up to a hundred ended markets by their condition ids. */
    async closedMarkets(conditionIds: readonly string[]): Promise<VenuePage> {
      const query = new URLSearchParams({ closed: 'true', limit: String(PAGE_SIZE) })
      for (const conditionId of conditionIds) query.append('condition_ids', conditionId)
      const page = await get(`/markets/keyset?${query.toString()}`, marketPage)
      const { rows, quarantined } = readMarkets(page.markets, null)
      return { events: [], markets: rows, quarantined, next: null }
    },
  }
}
