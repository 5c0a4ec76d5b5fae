import { z } from 'zod'
import { COIN_SORTS, countCoins, readCoins } from '../../db/prices/read-coins.ts'
import { networkNamed } from '../../db/values/networks.ts'
import { readNewestQuoteAt } from '../../db/prices/read-current-price.ts'
import {
  booleanParam,
  currencyParam,
  enumParam,
  identifierListParam,
  limit,
  listParam,
  page,
  textParam,
} from '../params.ts'
import { currentRate } from './current-rate.ts'
import { defineRoute } from '../route.ts'
import { oldest, pageMeta, pageMetaSchema } from '../shapes.ts'
import { coinSchema, toCoins } from './coin.ts'
import { coinFilterShape, coinFiltersOf } from './coin-filters.ts'

/** Contract addresses of any chain; some contain colons between module and name. */
const CONTRACT = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,199}$/
const CATEGORY = /^[^\p{C}\uFFFD]{1,100}$/u

const query = z
  .object({
    page: page(),
    limit: limit(),
    coinIds: identifierListParam('Coin ids')
      .meta({ example: ['bitcoin', 'ethereum'] })
      .optional(),
    currency: currencyParam(),
    name: textParam({ maxLength: 100, description: 'Part of the name, any case' })
      .meta({ example: 'coin' })
      .optional(),
    symbol: textParam({ maxLength: 50, description: 'Symbol, any case' }).meta({ example: 'BTC' }).optional(),
    contractAddresses: listParam({
      readItem: (text) => (CONTRACT.test(text) ? text : undefined),
      item: {
        type: 'string',
        pattern: CONTRACT.source,
        reason:
          '1 to 200 letters, digits, dots, colons, dashes and underscores, and start with a letter or digit',
      },
      description: 'Contract addresses, any case',
    })
      .meta({ example: ['0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'] })
      .optional(),
    blockchains: identifierListParam(
      'Blockchains on which the coin has a contract. Names in /wallet/blockchains and codes of CCXT are accepted too',
      { known: (text) => networkNamed(text)?.blockchain },
    )
      .meta({ example: ['ethereum', 'base'] })
      .optional(),
    categories: listParam({
      readItem: (text) => (CATEGORY.test(text) ? text.normalize('NFC') : undefined),
      item: {
        type: 'string',
        minLength: 1,
        maxLength: 100,
        reason: '1 to 100 characters without control characters',
      },
      description:
        'Names or ids of categories, any case, such as `Layer 1 (L1)`, `layer-1`, `defi` or `memecoins`; returns coins in at least one of them',
    })
      .meta({ example: ['layer-1', 'defi'] })
      .optional(),
    includeRiskScore: booleanParam({
      default: false,
      description: 'Adds risk scores to coins that have them',
    }),
    sortBy: enumParam(COIN_SORTS).default('rank'),
    sortDir: enumParam(['asc', 'desc']).default('asc'),
  })
  .extend(coinFilterShape as Record<never, z.ZodType>)
  .transform((parsed, context) => {
    const filters = coinFiltersOf(parsed)
    if (!parsed.includeRiskScore && filters.some(({ field }) => field === 'riskScore'))
      context.addIssue({
        code: 'custom',
        message: 'It must be true for a filter by riskScore',
        path: ['includeRiskScore'],
      })
    return { ...parsed, filters }
  })

export const getCoins = defineRoute({
  method: 'GET',
  path: '/coins',
  tag: 'Coins',
  summary: 'Coins with their market data',
  description:
    'Filters are `<field>~<operator>` or `<field>-<operator>` with greaterThan, equals or lessThan. Money is in the requested currency; `priceChange7d` filters the response field `priceChange1w`. Filters compare what the answer shows, so an unknown amount or change is 0; a coin without a rank passes no filter of ranks. Coins without a value for the sort field come last. Risk scores are derived from volume, daily closes and market capitalisation; coins with less than two weeks of closes have none.',
  query,
  response: z.object({ meta: pageMetaSchema, result: z.array(coinSchema) }),
  credits: 2,
  plan: 'any',
  x402: '0.001',
  mayLag: true,
  shared: {
    reads: [
      'coins',
      'coin_contracts',
      'coin_listings',
      'coin_quotes',
      'coin_risks',
      'fx_rates',
      'price_days',
      'price_hours',
    ],
    byMinute: true,
  },
  async handler({ query: options }, { db, now }) {
    const { currency } = options
    const perUsd = await currentRate(db, { currency, now: now() })
    const matching = { ...options, perUsd }
    const [rows, itemCount] = await Promise.all([
      readCoins(db, { ...matching, offset: (options.page - 1) * options.limit }),
      countCoins(db, matching),
    ])
    const priceAsOf = oldest(rows.map(({ at }) => at))
    return {
      body: {
        meta: pageMeta({ page: options.page, limit: options.limit, itemCount }),
        result: await toCoins(db, { rows, currency, perUsd, withRisks: options.includeRiskScore }),
      },
      asOf: priceAsOf ?? (await readNewestQuoteAt(db)),
      priceAsOf,
    }
  },
})
