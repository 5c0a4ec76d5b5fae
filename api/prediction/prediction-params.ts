import { z } from 'zod'
import { invalidParameter, notFound } from '../errors.ts'
import type { PredictionVenue } from '../../db/prediction/tables.ts'
import { PLAY_MONEY_VENUES, PREDICTION_VENUES } from '../../db/values/prediction-venues.ts'
import { type Range, RANGES } from '../../db/values/periods.ts'
import { parseEvmAddress } from '../../db/values/wallet-address.ts'
import { type ServedTrader, readTrader } from '../../db/prediction/read-traders.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import {
  AN_ADDRESS,
  decimalParam,
  enumParam,
  instantParam,
  limit,
  listParam,
  page,
  param,
  textParam,
  WALLET_EXAMPLE,
} from '../params.ts'
import { NOT_AFTER_FROM } from '../reasons.ts'

export const playMoneySchema = z
  .boolean()
  .describe('Whether the venue trades play money, which nobody can pay out. No figure in USD has any of it')
export const isPlayMoney = (venue: PredictionVenue): boolean => PLAY_MONEY_VENUES.includes(venue)
const STATUSES = ['open', 'closed', 'resolved', 'all'] as const
const SLUG = '^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$'

const slug = (text: string) => (new RegExp(SLUG).test(text) ? text : undefined)
const A_SLUG = '1 to 200 letters, digits, dots, dashes and underscores, and start with a letter or digit'
export const slugParam = (description: string) =>
  param(slug, {
    pattern: SLUG,
    reason: A_SLUG,
    description,
    example: 'will-bitcoin-reach-150-000-by-december-31',
  })

export const venueParam = () => enumParam(PREDICTION_VENUES).optional()
export const statusParam = () => enumParam(STATUSES, '`resolved` includes `cancelled`').default('open')
export const paging = { page: page(), limit: limit(100) }
export const categoryParam = () =>
  textParam({ maxLength: 100, description: 'Category, any case' }).meta({ example: 'Crypto' }).optional()
const amountParam = (description: string) =>
  decimalParam(description)
    .refine((text) => !text.startsWith('-'), 'It must not be negative')
    .meta({ example: 1_000 })
    .optional()
export const minValueParam = () => amountParam('Minimum of price times size, USD')
export const minVolumeParam = () => amountParam('Minimum volume in the period, USD')
export const minScoreParam = () =>
  param((text) => (/^(?:0(?:\.\d{1,10})?|1(?:\.0{1,10})?)$/.test(text) ? Number(text) : undefined), {
    type: 'number',
    minimum: 0,
    maximum: 1,
    reason: 'a decimal number from 0 to 1',
    description: 'Minimum score of a match',
  }).default(0.8)

/** Query parameters of the lists of markets and of events. */
export const itemFilters = {
  ...paging,
  venue: venueParam(),
  status: statusParam(),
  category: categoryParam(),
  tag: listParam({
    readItem: slug,
    item: { type: 'string', pattern: SLUG, reason: A_SLUG },
    maxItems: 20,
    description: 'Slugs of tags; selects items with at least one of them',
  })
    .meta({ example: ['crypto', 'crypto-prices'] })
    .optional(),
  search: textParam({ maxLength: 100, description: 'Words in the question' })
    .meta({ example: 'bitcoin' })
    .optional(),
  minVolume24h: amountParam('Minimum 24-hour volume, USD'),
  minLiquidity: amountParam('Minimum liquidity, USD'),
  endsAfter: instantParam().optional(),
  endsBefore: instantParam().optional(),
  sortDir: enumParam(['asc', 'desc']).default('desc'),
}

export const fromTo = {
  from: instantParam('Inclusive start').optional(),
  to: instantParam('Exclusive end, after `from`').optional(),
}
export const rangeParam = (preset: Range) =>
  enumParam(RANGES, 'Preset that ends now and starts at 00:00 UTC').default(preset)

/** Throws 400 when the end is not after the start. */
export function checkWindow({ from, to }: { from?: Date | undefined; to?: Date | undefined }): void {
  if (from && to && from >= to) throw invalidParameter('to', NOT_AFTER_FROM)
}

export const marketNotFound = () => notFound('Market not found')
export const eventNotFound = () => notFound('Event not found')

/** The handler checks the address, so that a malformed one returns 400 instead of 404. */
export const addressPath = z.object({
  address: param((text) => text.slice(0, 200), {
    pattern: '^0x[0-9a-fA-F]{40}$',
    reason: AN_ADDRESS,
    description: 'Address of the account',
    example: WALLET_EXAMPLE,
  }),
})

/** Throws 400 for a malformed address, 404 for one without trades. */
export async function requireTrader(db: ReadonlyDb, text: string): Promise<ServedTrader> {
  const address = parseEvmAddress(text)
  if (address === null) throw invalidParameter('address', `It must be ${AN_ADDRESS}`)
  const trader = await readTrader(db, address)
  if (!trader) throw notFound('Trader not found')
  return trader
}
