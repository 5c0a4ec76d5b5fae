import { z } from 'zod'
import { isoField } from '../../fields.ts'
import { parseRows } from '../../parse-rows.ts'
import { plainText } from '../../plain-text.ts'
import type { EventRow, MarketRow, MarketStatus, VenuePage } from '../venue-data.ts'
import { UNSTATED } from '../venue-data.ts'
import { amountField, nameField, probabilityField, slugOf, textField, timeField } from '../venue-fields.ts'

const SITE = 'https://limitless.exchange/markets'
const LONGEST_TEXT = 20_000

/** Milliseconds since 1970, as text or number; null: absent. */
const msField = z
  .union([z.string().regex(/^\d{12,14}$/), z.int().min(1e11).max(1e14)])
  .nullish()
  .transform((value) => (value == null ? null : new Date(Number(value))))

const names = z
  .array(z.string())
  .nullish()
  .transform((list) => list ?? [])

const common = {
  slug: nameField,
  title: nameField,
  description: textField,
  categories: names,
  tags: names,
  expirationTimestamp: msField,
  createdAt: isoField,
  updatedAt: timeField,
  imageUrl: textField,
  logo: textField,
  negRiskRequestId: z.string().nullish(),
}

const marketRow = z.object({
  ...common,
  conditionId: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/)
    .nullish(),
  status: nameField,
  expired: z.boolean().nullish(),
  collateralToken: z.object({ symbol: z.string() }),
  volumeFormatted: amountField,
  liquidityFormatted: amountField,
  tokens: z.object({ yes: nameField, no: nameField }),
  prices: z.tuple([probabilityField, probabilityField]),
  winningOutcomeIndex: z.union([z.literal(0), z.literal(1)]).nullish(),
})
type LimitlessMarket = z.infer<typeof marketRow>

const groupRow = z.object({ ...common, markets: z.array(z.unknown()).min(1) })
type Described = Pick<
  z.infer<typeof groupRow>,
  | 'slug'
  | 'title'
  | 'description'
  | 'categories'
  | 'tags'
  | 'expirationTimestamp'
  | 'createdAt'
  | 'updatedAt'
  | 'imageUrl'
  | 'logo'
>

/** Tags of the venue itself say nothing about a market. */
const tagsOf = ({ categories, tags }: Described) =>
  [...new Map([...categories, ...tags].map((label) => [slugOf(label), label]))]
    .filter(([slug]) => slug !== '' && slug !== 'limitless')
    .map(([slug, label]) => ({ slug, label }))

const toEvent = (row: Described, isGroup: boolean): EventRow => ({
  venueEventId: row.slug,
  slug: row.slug,
  title: row.title,
  url: `${SITE}/${row.slug}`,
  description: plainText(row.description, LONGEST_TEXT),
  imageUrl: row.imageUrl ?? row.logo,
  category: row.categories[0] ?? null,
  tags: tagsOf(row),
  // The markets of a group share their collateral, because one of them wins.
  mutuallyExclusive: isGroup,
  resolutionSource: null,
  startAt: row.createdAt,
  endAt: row.expirationTimestamp,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

function toMarket(row: LimitlessMarket, group: EventRow | null): MarketRow {
  const winner = row.winningOutcomeIndex ?? null
  const payout = (position: number): string | null =>
    winner === null ? null : winner === position ? '1' : '0'
  const status = statusOf(row)
  return {
    ...UNSTATED,
    venueMarketId: row.slug,
    conditionId: row.conditionId ?? null,
    venueEventId: group?.venueEventId ?? null,
    slug: row.slug,
    question: group && group.title !== row.title ? `${group.title} ${row.title}` : row.title,
    label: group && group.title !== row.title ? row.title : null,
    url: `${SITE}/${group?.slug ?? row.slug}`,
    description: plainText(row.description, LONGEST_TEXT) ?? group?.description ?? null,
    imageUrl: row.imageUrl ?? row.logo ?? group?.imageUrl ?? null,
    category: row.categories[0] ?? group?.category ?? null,
    tags: tagsOf(row),
    status,
    volumeTotalUsd: row.volumeFormatted,
    liquidityUsd: row.liquidityFormatted,
    startAt: row.createdAt,
    endAt: row.expirationTimestamp,
    // No field has the instant of the resolution.
    resolvedAt: status === 'resolved' ? (row.expirationTimestamp ?? row.updatedAt) : null,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    outcomes: [
      {
        venueOutcomeId: row.tokens.yes,
        name: 'Yes',
        price: payout(0) ?? row.prices[0],
        payout: payout(0),
      },
      {
        venueOutcomeId: row.tokens.no,
        name: 'No',
        price: payout(1) ?? row.prices[1],
        payout: payout(1),
      },
    ],
  }
}

function statusOf({ status, expired, winningOutcomeIndex }: LimitlessMarket): MarketStatus {
  if (winningOutcomeIndex != null) return 'resolved'
  return status === 'FUNDED' && expired !== true ? 'open' : 'closed'
}

/**
 * Markets and groups of them, each as an event with its markets. Markets in another collateral than USDC are left out:
 * their money is no USD.
 */
export function readLimitlessRows(rows: readonly unknown[]): Omit<VenuePage, 'next'> {
  const page: Omit<VenuePage, 'next'> = { events: [], markets: [], quarantined: [] }
  const parse = <T>(schema: z.ZodType<T>, some: readonly unknown[]): T[] => {
    const { rows: good, quarantined } = parseRows(schema, some)
    page.quarantined.push(...quarantined)
    return good
  }
  const inUsd = (some: readonly unknown[]) =>
    parse(marketRow, some).filter(({ collateralToken }) => collateralToken.symbol === 'USDC')
  for (const raw of rows) {
    if (!Array.isArray((raw as { markets?: unknown } | null)?.markets)) {
      for (const row of inUsd([raw])) {
        // A market of a group, asked for by its name, does not say which event it belongs to.
        const event = row.negRiskRequestId ? null : toEvent(row, false)
        if (event) page.events.push(event)
        page.markets.push(toMarket(row, event))
      }
      continue
    }
    for (const group of parse(groupRow, [raw])) {
      const event = toEvent(group, true)
      const markets = inUsd(group.markets)
      if (markets.length > 0) page.events.push(event)
      page.markets.push(...markets.map((row) => toMarket(row, event)))
    }
  }
  return page
}
