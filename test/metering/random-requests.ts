import fc from 'fast-check'
import type { JsonSchema } from '../../api/json-schema.ts'
import { type OpenApiDocument, type Parameter } from '../../api/openapi.ts'
import type { Route } from '../../api/route.ts'
import { NETWORKS } from '../../db/values/networks.ts'
import { NEEDED } from '../api/well-spelled-requests.ts'

export interface RandomRequest {
  method: Route['method']
  /** Below /v1, with its query string. */
  path: string
  body: string | undefined
}

const EVM = [1, 2, 3].map((n) => `0x${String(n).repeat(40)}`)
const WALLETS = [
  ...EVM,
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
]
const NETWORK_NAMES = ['all', 'all', ...NETWORKS.flatMap(({ id, blockchain }) => [id, blockchain])]
const PAIRS = NETWORK_NAMES.flatMap((network) => WALLETS.map((address) => `${network}:${address}`))
const OTHERS = [
  '7',
  '1700000000',
  '2026-03-01',
  '2026-03',
  'bitcoin',
  'usd',
  'EUR',
  'ab'.repeat(32),
  '123456',
  `evk_${'a'.repeat(43)}`,
]
const PATHS = ['/coins', '/v1/news', `/wallet/status?address=${EVM[0]}&connectionId=all,ethereum`]
const POOL = [...WALLETS, ...PAIRS, ...OTHERS, ...PATHS, 'a'.repeat(30), `0x${'ab'.repeat(32)}`]

/** Values of the parameter's schema. Most are valid; some break rules that a schema cannot express. */
function texts(schema: JsonSchema): fc.Arbitrary<string> {
  const { type, anyOf, format, items, pattern, minimum, maximum } = schema
  const values = schema['enum'] as string[] | undefined
  if (values) return fc.constantFrom(...values, ...(values.includes('all') ? ['all', 'all'] : []))
  if (type === 'array')
    return fc.array(texts(items as JsonSchema), { minLength: 1, maxLength: 5 }).map((list) => list.join(','))
  if (type === 'integer')
    return fc.integer({ min: Number(minimum), max: Math.min(Number(maximum), 2_000_000_000) }).map(String)
  if (type === 'number') return fc.constantFrom('1.5', '-3', '0')
  if (anyOf || format === 'date') return fc.constantFrom('2026-03-01', '2026-02-01T10:00:00Z', '2026-03-09')
  if (typeof pattern !== 'string') return fc.constantFrom('bitcoin', 'ether', '{}')
  const fitting = POOL.filter((text) => new RegExp(pattern).test(text))
  return fc.constantFrom(...fitting)
}

const wallet = fc
  .record({
    address: fc.constantFrom(...WALLETS),
    network: fc.constantFrom('all', 'ethereum', 'base-wallet', 'bitcoin'),
  })
  .map(({ address, network }) => ({ address, connectionId: network }))

/** Bodies of writes. They are valid where the price is fixed, because a quote does not read those. */
const BODIES: Record<string, fc.Arbitrary<unknown>> = {
  'PATCH /wallet/transactions': fc.option(
    fc.record({ wallets: fc.array(wallet, { minLength: 1, maxLength: 6 }) }),
    { nil: undefined },
  ),
  'POST /exchange/balance': fc.constant({
    connectionId: 'binance',
    connectionFields: { apiKey: 'k', apiSecret: 's' },
  }),
  'POST /portfolio/exchange': fc.constant({
    connectionId: 'kraken',
    connectionFields: { apiKey: 'k', apiSecret: 's' },
  }),
  'POST /connect/redeem': fc.constant({ code: 'a'.repeat(40) }),
  'POST /portfolio/wallet': fc.constant({ address: EVM[0], connectionId: 'ethereum' }),
  'POST /portfolio/transaction': fc.constant({ coinId: 'bitcoin', count: 1, portfolioId: 'mine' }),
  'PATCH /portfolio/transaction/{id}': fc.constant({ count: 2 }),
  'POST /alerts': fc.constant({ type: 'coin.price', coinId: 'bitcoin', above: 70_000 }),
  'POST /webhooks': fc.constant({ url: 'https://a.example', types: ['test.ping'], wallets: 'all' }),
  'PATCH /webhooks/{id}': fc.constant({ state: 'paused' }),
  'PUT /webhooks/{id}/wallets': fc.constant({ wallets: 'all' }),
  'DELETE /webhooks/{id}/wallets': fc.constant({ wallets: 'all' }),
  'POST /webhooks/{id}/replay': fc.constant({ fromSeq: '1' }),
}

/** Requests of one route: all required parameters, any of the optional ones, in any order. */
export function requestsOf(document: OpenApiDocument, route: Route): fc.Arbitrary<RandomRequest> {
  const name = `${route.method} ${route.path}`
  const all = document.paths[route.path]![route.method.toLowerCase()]!.parameters
  const parameters = all.filter((one) => one.in !== 'header')
  const needed = NEEDED[route.path] ?? {}
  const oneOf = (parameter: Parameter) => {
    const usual = needed[parameter.name]
    const text = texts(parameter.schema).map(encodeURIComponent)
    if (parameter.required) return text
    if (usual !== undefined)
      return fc.oneof({ weight: 2, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: text })
    return fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: text })
  }
  const values = fc.record(Object.fromEntries(parameters.map((one) => [one.name, oneOf(one)])))
  const body = BODIES[name] ?? fc.constant(undefined)
  return fc.tuple(values, body, fc.boolean()).map(([given, content, reversed]) => {
    const inPath = new Set(parameters.filter((one) => one.in === 'path').map((one) => one.name))
    const pairs = Object.entries(given)
      // A PATCH with a body takes no query parameters.
      .filter(
        ([key, text]) =>
          text !== null && !inPath.has(key) && (content === undefined || route.method !== 'PATCH'),
      )
      .map(([key, text]) => `${key}=${text}`)
    if (reversed) pairs.reverse()
    const path = route.path.replace(/\{(\w+)\}/g, (_all, key: string) => given[key]!)
    return {
      method: route.method,
      path: pairs.length > 0 ? `${path}?${pairs.join('&')}` : path,
      body: content === undefined ? undefined : JSON.stringify(content),
    }
  })
}
