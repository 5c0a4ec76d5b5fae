import type { Exchange } from 'ccxt'
import { afterAll, describe, expect, test } from 'vitest'
import { openClient } from '../../activities/exchanges/ccxt-client.ts'
import { balancesOf } from '../../activities/exchanges/connect.ts'
import type { StreamSpec } from '../../activities/exchanges/exchange.ts'
import { EXCHANGE_SPECS, exchangeSpec } from '../../activities/exchanges/exchanges.ts'
import {
  firstPosition,
  nextPosition,
  type Paging,
  type Position,
  requestOf,
} from '../../activities/exchanges/paging.ts'
import { streamsOf } from '../../activities/exchanges/streams.ts'
import { createHttpClient } from '../../activities/http.ts'
import { WIRES as wires } from './wires/all.ts'
import { serveWires } from './wires/serve.ts'
import { type AccountRow, DAY_MS } from './wires/wire.ts'

// The class of CCXT of each exchange reads accounts from doubles in the exchange's own format. An account has more rows
// than a page, rows at one instant at the borders of pages, empty windows, and rows that arrive late.

const served = await serveWires(wires)
const OPEN_GATE = { admit: async () => {}, succeeded: async () => {}, failed: async () => {} }
const sources = Object.fromEntries(
  Object.keys(wires).map((name) => [
    name,
    { url: `${served.url}/${name}`, key: null, requestsPerSecond: 1_000, burst: 1_000 },
  ]),
)
const http = createHttpClient({ gate: OPEN_GATE, sources, random: () => 0 })
afterAll(async () => {
  await http.close()
  served.close()
})

async function clientOf(name: string): Promise<Exchange> {
  const { market, marketInfo = {}, apiKey = 'key', options = {} } = wires[name]!
  // As long as a key of Ed25519, which some exchanges sign with.
  const secret = Buffer.from('secret'.padEnd(32, '.')).toString('base64')
  const credentials = { apiKey, apiSecret: secret, passphrase: 'pass' }
  const client = await openClient({ http, config: { sources } as never }, exchangeSpec(name), credentials)
  Object.assign(client.options, options)
  const [id, symbol] = market
  const of = (marketId: string, pair: string) => {
    const [base, quote] = pair.split('/')
    const ids = { baseId: idOf(name, base!), quoteId: idOf(name, quote!) }
    const kind = { type: 'spot', spot: true, contract: false, active: true }
    return {
      id: marketId,
      symbol: pair,
      base,
      quote,
      ...ids,
      ...kind,
      altname: marketId,
      precision: {},
      limits: {},
      info: marketInfo,
    }
  }
  // Small balances at Binance become BNB.
  client.setMarkets([of(id, symbol), ...(name === 'binance' ? [of('BNBETH', 'BNB/ETH')] : [])] as never)
  return client
}

/** Some exchanges write their assets in small letters. */
const idOf = (name: string, asset: string) =>
  ['htx', 'xt', 'bitstamp'].includes(name) ? asset.toLowerCase() : asset

/** What a list has read: rows by key. */
type Read = Map<string, { amount: string; at: number; status: string }>

async function readUntil(
  { stream, client, list }: { stream: StreamSpec; client: Exchange; list: string | undefined },
  options: { targetMs: number; from?: Position; read: Read },
): Promise<{ position: Position; requests: number }> {
  const { paging } = stream
  const { targetMs, read } = options
  let position = options.from ?? firstPosition(paging, targetMs)
  for (let requests = 1; requests < 2_000; requests++) {
    const page = await stream.read(client, {
      ...requestOf(paging, position, targetMs),
      ...(list && { list }),
    })
    expect(page.quarantined.slice(0, 2)).toEqual([])
    for (const { kind, key, amount, at, status, asset, quote_amount } of page.rows) {
      // Small balances are told by what was sold.
      const told = asset === 'BNB' ? quote_amount! : amount
      read.set(`${kind} ${key}`, { amount: told.replace('-', ''), at: at.getTime(), status })
    }
    const next = nextPosition({ paging, position, page, targetMs })
    position = next.position
    if (next.complete) return { position, requests }
  }
  throw new Error('no end')
}

const KINDS: Record<string, readonly AccountRow['kind'][]> = {
  fills: ['fill'],
  deposits: ['deposit'],
  withdrawals: ['withdrawal'],
  dust: ['dust'],
}
const kindsOf = (exchange: string, list: string): readonly AccountRow['kind'][] =>
  exchange === 'bitfinex' && list === 'ledger' ? ['reward'] : (KINDS[list] ?? ['deposit', 'withdrawal'])

let lastId = 1_000
interface Cluster {
  startMs: number
  count: number
  kinds: readonly AccountRow['kind'][]
  /** How exact the exchange's times are. */
  tickMs: number
  stepMs: number
}

/** Rows in threes at one instant, so that they lie across the borders of pages. */
function rowsOf({ startMs, count, kinds, tickMs, stepMs }: Cluster): AccountRow[] {
  return Array.from({ length: count }, (_, index) => {
    const id = ++lastId
    const at = Math.floor(startMs) + Math.floor(index / 3) * stepMs
    const kind = kinds[index % kinds.length]!
    return { id, at: at - (at % tickMs), amount: `1.${String(id).padStart(6, '0')}7`, kind, isPending: false }
  })
}

/** Rows that are missing, and keys that are no row or the second of one. The first ones stand for the rest. */
function differences(read: Read, rows: readonly AccountRow[]) {
  const wanted = new Set(
    rows.map(({ amount, at, isPending }) => textOf(amount, at, isPending ? 'pending' : 'ok')),
  )
  const missing = new Set(wanted)
  const surplus: string[] = []
  for (const [key, { amount, at, status }] of read)
    if (!missing.delete(textOf(amount, at, status))) surplus.push(`${key} ${textOf(amount, at, status)}`)
  return {
    missing: [missing.size, ...[...missing].slice(0, 3)],
    surplus: [surplus.length, ...surplus.slice(0, 3)],
  }
}
const NONE = { missing: [0], surplus: [0] }
const textOf = (amount: string, at: number, status: string) =>
  `${amount} ${new Date(at).toISOString()} ${status}`

/** A border between two windows, or the start of a list with one window, and a time in between. */
function placesIn(paging: Paging, targetMs: number) {
  const first = firstPosition(paging, targetMs)
  const listMs = 'fromMs' in first ? first.fromMs : 0
  const startMs = Math.max(listMs, targetMs - 400 * DAY_MS) + 60_000
  const windowMs = 'windowMs' in paging ? (paging.windowMs ?? Infinity) : Infinity
  const borderMs = listMs + Math.ceil((startMs - listMs) / windowMs) * windowMs
  const aroundMs = borderMs < targetMs - DAY_MS ? borderMs : startMs + 3_600_000
  return { border: aroundMs, middle: (aroundMs + targetMs) / 2 }
}

const cases = Object.entries(wires).flatMap(([name]) =>
  exchangeSpec(name).lists.map((list) => [name, list.name] as const),
)

test('every exchange has a double', () => {
  expect(Object.keys(wires).sort()).toEqual(EXCHANGE_SPECS.map(({ source }) => source.name).sort())
})

describe.each(cases)('%s: %s', (name, listName) => {
  test('reads each row once: full pages, one instant, empty windows, late rows, changed rows', async () => {
    const client = await clientOf(name)
    const stream = streamsOf(exchangeSpec(name), client).find((one) => one.name === listName)!
    const { paging } = stream
    const list =
      stream.lists === 'one' ? undefined : stream.lists === 'symbols' ? wires[name]!.market[1] : '123'
    const kinds = kindsOf(name, listName)
    const tickMs = Math.max(...kinds.map((kind) => wires[name]!.tickMs?.[kind] ?? 1))
    const size = Number.isFinite(paging.page) ? paging.page : 50
    const targetMs = Date.now() - (Date.now() % 1_000) - 3_600_000 + 345
    const { border, middle } = placesIn(paging, targetMs)
    const few = Math.ceil(size / 3) + 1
    const cluster = (startMs: number, count: number, stepMs = 130) =>
      rowsOf({ startMs, count: Math.ceil(count), kinds, tickMs, stepMs })
    const rows = [
      // In full seconds, of which some exchanges leave out the end.
      ...rowsOf({
        startMs: border - Math.floor(few / 3) * 2_000,
        count: Math.ceil(size * 1.4),
        kinds,
        tickMs: 1_000,
        stepMs: 2_000,
      }),
      ...cluster(middle, 4),
      ...cluster(targetMs - size * 130, few),
    ]
    // Other kinds of rows of the same account, which some exchanges send in the same list.
    const others = (['fill', 'margin', 'deposit', 'withdrawal'] as const).filter(
      (kind) => !kinds.includes(kind),
    )
    const mixed = rowsOf({
      startMs: border,
      count: Math.ceil(size * 0.7),
      kinds: others,
      tickMs: 1_000,
      stepMs: 1_700,
    })
    const isFinal = wires[name]!.lists.some((one) => one.isFinal === true && one.kinds.includes(kinds[0]!))
    const changes = !['fill', 'dust', 'reward'].includes(kinds[0]!) && paging.kind !== 'id' && !isFinal
    if (changes) rows.at(-1)!.isPending = true
    served.rows.set(name, [...rows, ...mixed])
    served.refusals.length = 0
    const read: Read = new Map()
    const where = { stream, client, list }

    const first = await readUntil(where, { targetMs, read }).catch(orRefusals)
    expect(served.refusals).toEqual([])
    expect(differences(read, rows)).toEqual(NONE)
    expect(first.requests).toBeGreaterThan(1)

    const lateMs = targetMs - (changes ? 10 * DAY_MS : 5 * 60_000)
    const later = cluster(lateMs, 2)
    const fresh = cluster(targetMs + 1_000, size * 2.2)
    for (const row of rows) row.isPending = false
    served.rows.get(name)!.push(...later, ...fresh)
    await readUntil(where, { targetMs: targetMs + 3_600_000, from: first.position, read }).catch(orRefusals)
    expect(served.refusals).toEqual([])
    expect(differences(read, [...rows, ...later, ...fresh])).toEqual(NONE)
  })
})

test('balances of all wallets of an account add up', async () => {
  const balances = await balancesOf(await clientOf('whitebit'), exchangeSpec('whitebit'))
  expect(balances).toEqual([{ asset: 'BTC', amount: '1.875' }])
})

/** What the double refused says more than what CCXT makes of it. */
function orRefusals(error: unknown): never {
  throw served.refusals.length > 0 ? new Error(served.refusals.join('\n')) : error
}
