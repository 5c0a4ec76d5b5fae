import { binanceKeys } from '../../sandbox/exchanges/keys.ts'
import type { JsonSchema } from '../../api/json-schema.ts'
import { resolved } from '../../api/openapi-components.ts'
import type { OpenApiDocument } from '../../api/openapi.ts'
import { query } from '../setup/query.ts'

/** Schemas for parameters of the matching paths. */
type Known = [path: RegExp, values: Record<string, object | typeof NOT_ASKED>]

/** Removes a parameter that conflicts with most others, so that random combinations are not refused. */
const NOT_ASKED = null

/** Parameters of which one is required, although OpenAPI can only call each of them optional. */
const ALWAYS: Record<string, readonly string[]> = {
  '/wallet/explain': ['connectionId', 'coinId'],
  '/portfolio/pl/history': ['range'],
}

const DAY_S = 86_400

export interface KnownPortfolios {
  exchange: string
  manual: string
  all: readonly string[]
  toDelete: readonly string[]
}

/** What each operation uses up. */
export interface Spare {
  alerts: readonly string[]
  connectCodes: readonly string[]
  /** Webhook endpoints. */
  endpoints: readonly string[]
}

/** Restricts the parameters of an OpenAPI document to values for which data is stored. */
export async function narrowToKnown(document: OpenApiDocument, world: World): Promise<void> {
  const known = await knownValues(world)
  for (const [path, operations] of Object.entries(document.paths))
    for (const operation of Object.values(operations)) {
      const valuesOf = (name: string) =>
        known.find(([paths, named]) => paths.test(path) && name in named)?.[1][name]
      operation.parameters = operation.parameters.filter(({ name }) => valuesOf(name) !== NOT_ASKED)
      for (const parameter of operation.parameters) {
        const values = valuesOf(parameter.name)
        if (values) parameter.schema = values as typeof parameter.schema
        if (ALWAYS[path]?.includes(parameter.name)) parameter.required = true
      }
    }
  const { apiKey, apiSecret } = binanceKeys[0]!
  const account = { connectionId: one(['binance']), connectionFields: { enum: [{ apiKey, apiSecret }] } }
  const bodies = {
    '/exchange/balance': account,
    '/portfolio/exchange': account,
    '/portfolio/wallet': { address: one(world.wallets), connectionId: one(['ethereum', 'base-wallet']) },
    '/portfolio/transaction': {
      portfolioId: one([world.portfolios.manual]),
      coinId: one(['bitcoin', 'FiatCoinEUR']),
      currency: one(['USD', 'EUR', 'BTC']),
      date: milliseconds(700),
    },
    '/connect/redeem': { code: one(world.spare.connectCodes) },
    '/webhooks/{id}/replay': { fromSeq: one(['0', '1']), from: NOT_ASKED },
  }
  for (const [path, values] of Object.entries(bodies)) {
    const body = document.paths[path]?.['post']?.requestBody as
      | { content: { 'application/json': { schema: JsonSchema } } }
      | undefined
    if (!body) continue
    const schema = resolved(body.content['application/json'].schema, document.components) as {
      properties: Record<string, object | typeof NOT_ASKED>
      required?: string[]
    }
    const { properties, required = [] } = schema
    Object.assign(properties, values)
    for (const [name, value] of Object.entries(properties)) if (value === NOT_ASKED) delete properties[name]
    schema.required = Object.keys(properties).filter((name) => name in values || required.includes(name))
  }
}

interface World {
  ownerUrl: string
  wallets: readonly string[]
  portfolios: KnownPortfolios
  spare: Spare
}

/** The start of the month `before` months ago. */
const month = (before: number) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - before)).toISOString()
}

const milliseconds = (days: number) => {
  const maximum = Date.now() - DAY_S * 1_000
  return { type: 'integer', minimum: maximum - days * DAY_S * 1_000, maximum }
}

const one = (values: readonly unknown[]) => ({ type: 'string', enum: values })
const some = (values: readonly string[]) => ({
  type: 'array',
  items: { enum: values },
  minItems: 1,
  maxItems: 3,
})

/** The first match wins. */
async function knownValues(world: World): Promise<Known[]> {
  /** Up to 30 values in a fixed random order. */
  const stored = async (value: string, from: string) => {
    const sql = `select value from (select distinct (${value})::text as value from ${from}) t order by md5(value) limit 30`
    const values = (await query<{ value: string }>(world.ownerUrl, sql)).map((row) => row.value)
    if (values.length === 0) throw new Error(`nothing is stored: ${sql}`)
    return values
  }
  const nowMs = Date.now()
  const isoOf = (daysAgo: number) => new Date(nowMs - daysAgo * DAY_S * 1_000).toISOString()
  const nowS = Math.floor(nowMs / 1_000)
  const seconds = (days: number) => ({ type: 'integer', minimum: nowS - days * DAY_S, maximum: nowS })
  const [collection] = await stored('address', 'nft_assets group by address having count(*) > 50')
  const coins = [
    'bitcoin',
    'ethereum',
    'usd-coin',
    'dai',
    ...(await stored(
      'coin_id',
      'coin_contracts where address in (select address from token_risks where known)',
    )),
  ]
  return [
    [/^\/nft\/.*\/asset\//, { collectionAddress: one([collection]) }],
    [
      /^\/nft/,
      {
        collectionAddress: one(await stored('address', 'nft_assets')),
        tokenId: one(await stored('token_id', `nft_assets where address = '${collection}'`)),
      },
    ],
    [/^\/news/, { id: one(await stored('id', 'news_items')) }],
    [
      /^\/prediction\/markets/,
      {
        slug: one([
          ...(await stored('m.slug', 'prediction_markets m join prediction_trades t on t.market_id = m.id')),
          ...(await stored(
            'm.slug',
            'prediction_markets m join prediction_matches x on m.id in (x.polymarket_id, x.kalshi_id)',
          )),
        ]),
      },
    ],
    [/^\/prediction\/events/, { slug: one(await stored('slug', 'prediction_events')) }],
    [
      /^\/prediction\/traders/,
      {
        address: one(await stored('address', 'prediction_traders')),
        marketSlug: one(await stored('slug', 'prediction_markets')),
      },
    ],
    [/^\/prediction\/(markets|events)$/, { eventSlug: one(await stored('slug', 'prediction_events')) }],
    [
      /^\/prediction/,
      { search: one(['bitcoin', 'will', 'the price of', '2026']), q: one(['bitcoin', 'fed', 'win']) },
    ],
    [
      /^\/coins\/price\/exchange/,
      {
        exchange: one(['Binance']),
        from: one(['BTC', 'ETH', 'btc']),
        to: one(['USDT', 'USDC']),
        timestamp: seconds(20),
      },
    ],
    [/^\/portfolio\/transaction\//, { id: one(await stored('id', 'manual_transactions')) }],
    [/\{portfolioId\}$/, { portfolioId: one(world.portfolios.toDelete) }],
    [/^\/alerts$/, { ids: some(world.spare.alerts) }],
    [/^\/webhooks\/\{id\}\/replay$/, { id: one(world.spare.endpoints) }],
    [
      /^\/wallet\/explain$/,
      {
        date: NOT_ASKED,
        interval: NOT_ASKED,
        range: NOT_ASKED,
        from: NOT_ASKED,
        to: NOT_ASKED,
        blockchain: NOT_ASKED,
        coinId: one(['ethereum', 'usd-coin', 'dai']),
      },
    ],
    [
      /^\/portfolio\/pl\/history$/,
      { from: NOT_ASKED, to: NOT_ASKED, interval: one(['daily']), range: one(['1w', '1m']) },
    ],
    [
      /^\/portfolio/,
      { shareToken: NOT_ASKED, sharetoken: NOT_ASKED, passcode: NOT_ASKED, asOf: one([isoOf(0.0001)]) },
    ],
    [
      /explain$/,
      {
        date: one([month(0), month(1), month(2)]),
        interval: one(['monthly']),
        range: one(['1y']),
        coinId: one(['bitcoin', 'ethereum']),
        month: one([month(1).slice(0, 7)]),
        entry: one([1]),
      },
    ],
    [/^\/exchange/, { portfolioId: one([world.portfolios.exchange]) }],
    [
      /./,
      {
        address: one(world.wallets),
        coinId: one(coins),
        coinIds: some(coins),
        timestamp: seconds(700),
        currency: one(['USD', 'EUR', 'BTC']),
        portfolioId: one(world.portfolios.all),
        connectionId: some(['ethereum', 'base-wallet']),
        blockchain: some(['ethereum', 'base']),
        wallets: some(world.wallets.flatMap((wallet) => [`ethereum:${wallet}`, `base-wallet:${wallet}`])),
        exchange: one(await stored('exchange_id', 'tickers')),
        from: one([isoOf(700), isoOf(40), isoOf(6).slice(0, 10)]),
        to: one([isoOf(5), isoOf(0.5), isoOf(0).slice(0, 10)]),
      },
    ],
  ]
}
