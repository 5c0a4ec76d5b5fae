import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { LEARNT } from '../../activities/drift/look.ts'
import { watchAnswers } from '../../activities/drift/watch-answers.ts'
import { createHttpClient } from '../../activities/http.ts'
import { measureIngest } from '../../activities/measure-ingest.ts'
import { createCoinPaprika } from '../../activities/prices/sources/coinpaprika.ts'
import type { Fixture } from '../../activities/record-fixture.ts'
import { walletHider } from '../../cli/hide-wallets.ts'
import { openDb } from '../../db/connect.ts'
import { runCommand } from '../cli/run-command.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { readFixtures, startReplay } from '../setup/replay.ts'
import { stopLater } from '../upstreams/actors.ts'
import { createClock, startDouble } from '../upstreams/double.ts'
import { startCoinPaprika } from '../upstreams/prices/coinpaprika.ts'
import { createMarket } from '../upstreams/prices/market.ts'

// The strict double of CoinPaprika, with answers that change on their way to the adapter.

const KEY = 'k3y-of-the-operator'
const OPEN_GATE = { admit: async () => {}, succeeded: async () => {}, failed: async () => {} }
const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const folder = await mkdtemp(join(tmpdir(), 'sluice-drift-'))
const log = pino({ level: 'silent' })
const rows = <T extends object>(text: string) => query<T>(database.ownerUrl, text)

vi.stubEnv('DATABASE_URL', database.ownerUrl)
beforeEach(() => rows('truncate source_shapes'))
afterAll(async () => {
  vi.unstubAllEnvs()
  await close()
  await rm(folder, { recursive: true })
})

type Ticker = { quotes: { USD: Record<string, unknown> } } & Record<string, unknown>

/** A worker that asks the double for all coins once a minute, each time with what `change` makes of the answer. */
async function world() {
  const clock = createClock()
  const vendor = stopLater(await startCoinPaprika({ clock, coins: createMarket(20) }))
  let change: (tickers: Ticker[]) => unknown = (tickers) => tickers
  const between = stopLater(
    await startDouble(async ({ path, query: asked }) => {
      const answer = await fetch(`${vendor.url}${path}?${asked.toString()}`)
      return { status: answer.status, body: change((await answer.json()) as Ticker[]) }
    }),
  )
  const url = `${between.url}/v1`
  const watch = watchAnswers({ pool, now: () => new Date(clock.now()), log })
  const http = createHttpClient({
    gate: OPEN_GATE,
    sources: { coinpaprika: { url } },
    random: () => 0,
    watch: watch.note,
  })
  onTestFinished(() => http.close())
  const { tickers } = createCoinPaprika({ http, url, key: KEY, now: () => new Date(clock.now()) })

  async function minutes(n: number, changed: typeof change = (unchanged) => unchanged): Promise<void> {
    change = changed
    for (let i = 0; i < n; i++) {
      await tickers().catch(() => null)
      await watch.idle()
      clock.advance(60_000)
    }
  }
  await minutes(LEARNT)
  return { minutes, tickers, watch, clock }
}

const changes = () =>
  rows<{ text: string }>(
    `select concat_ws(' ', source, operation, change, field, was, "is") as text from operations.source_changes order by text`,
  ).then((found) => found.map(({ text }) => text))

/** What the adapter reads of recordings, without a key. */
async function replayed<T>(
  fixtures: readonly Fixture[],
  ask: (adapter: ReturnType<typeof createCoinPaprika>) => Promise<T>,
): Promise<T> {
  const replay = await startReplay(fixtures)
  const url = `${replay.url}/v1`
  const http = createHttpClient({ gate: OPEN_GATE, sources: { coinpaprika: { url } }, random: () => 0 })
  const answer = await ask(createCoinPaprika({ http, url, key: null, now: () => new Date() }))
  await http.close()
  replay.close()
  return answer
}

async function run(...args: [string, ...string[]]): Promise<string> {
  const printed: unknown[] = []
  const spy = vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(line))
  try {
    await runCommand(...args)
  } finally {
    spy.mockRestore()
  }
  return printed.join('\n')
}

const each = (edit: (ticker: Ticker) => void) => (tickers: Ticker[]) => {
  for (const ticker of tickers) edit(ticker)
  return tickers
}
const dropped = each((ticker) => delete ticker['rank'])

test('a field that vanishes is shown by command and metric with the answer, which is replayed through the adapter', async () => {
  const { minutes } = await world()
  await minutes(4, dropped)
  expect(await changes()).toEqual([])
  await minutes(1, dropped)
  expect(await changes()).toEqual(['coinpaprika /tickers vanished [].rank number'])

  expect(await run('sources', 'drift')).toMatch(
    /^coinpaprika +\/tickers +\[\]\.rank +vanished \(was number\) +5 /m,
  )
  expect(JSON.parse(await run('sources', 'drift', 'coinpaprika', '--json'))).toMatchObject([
    { field: '[].rank', change: 'vanished', was: 'number', is: null, answers: 5 },
  ])
  expect(await run('sources')).toContain('Answers that have changed')
  expect(await run('sources', 'drift', 'opensea')).toBe('none')

  const registry = new Registry()
  await measureIngest({ db, registry, sources: () => [], now: () => new Date() })()
  expect(await registry.metrics()).toContain(
    'sluice_source_changes{source="coinpaprika",change="vanished"} 1',
  )

  const file = await run('sources', 'drift', 'coinpaprika', '--save', folder)
  expect(file).toContain(folder)
  const fixtures = await readFixtures(folder)
  expect(fixtures).toMatchObject([{ source: 'coinpaprika', path: '/v1/tickers?quotes=USD', status: 200 }])
  expect(JSON.stringify(await rows('select * from source_shapes'))).not.toContain(KEY)
  const again = await replayed(fixtures, ({ tickers }) => tickers())
  expect([again.size, again.rows[0]!.rank]).toEqual([20, null])
})

test('a change of type or a new field is an alarm, which ends when it was accepted or is over', async () => {
  const { minutes } = await world()
  const changed = each((ticker) => {
    ticker.quotes.USD['ath_price'] = String(ticker.quotes.USD['ath_price'])
    ticker['chain'] = { name: 'x' }
  })
  await minutes(5, changed)
  expect(await changes()).toEqual([
    'coinpaprika /tickers appeared [].chain object',
    'coinpaprika /tickers type [].quotes.*.ath_price number string',
  ])
  await minutes(3)
  expect(await changes()).toEqual([])
  await minutes(
    5,
    each((ticker) => (ticker.symbol = 1)),
  )
  expect(await changes()).toEqual(['coinpaprika /tickers type [].symbol string number'])
  expect(JSON.parse(await run('sources', 'accept', 'coinpaprika', '--json'))).toEqual({
    source: 'coinpaprika',
    operations: 1,
    accepted: 1,
  })
  await minutes(
    6,
    each((ticker) => (ticker.symbol = 1)),
  )
  expect(await changes()).toEqual([])
  expect(await rows('select answer from source_shapes')).toEqual([{ answer: null }])
  await expect(run('sources', 'accept', 'coinpaprika')).rejects.toThrow('have no changes')
})

test('an answer that the adapter refuses is an alarm at once, and other coins are none', async () => {
  const { minutes } = await world()
  await minutes(6, (tickers) => tickers.slice(0, 7).map((ticker, i) => ({ ...ticker, id: `new-${i}` })))
  expect(await changes()).toEqual([])
  await minutes(1, (tickers) => ({ data: tickers }))
  expect(await changes()).toEqual(['coinpaprika /tickers type the whole answer array object'])
})

test('looks at one answer a minute of all workers or fewer, and ingestion does not wait for it', async () => {
  const { tickers, watch, clock } = await world()
  const learnt = () => rows<{ xmin: string }>('select xmin::text from source_shapes')
  const before = await learnt()
  await tickers()
  await watch.idle()
  expect(await learnt()).toEqual(before)

  const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
  const client = await owner.pool.connect()
  await client.query('begin')
  await client.query('select from source_shapes for update')
  clock.advance(60_000)
  expect((await tickers()).size).toBe(20)
  await client.query('commit')
  client.release()
  await owner.close()
  await watch.idle()
})

test('a source whose shapes cannot be stored is read all the same', async () => {
  const { tickers, watch, clock } = await world()
  await rows('alter table source_shapes rename to away')
  clock.advance(60_000)
  expect((await tickers()).size).toBe(20)
  await watch.idle()
  await rows('alter table away rename to source_shapes')
})

test('sluice record saves an answer without the key, which is replayed through the adapter', async () => {
  const clock = createClock()
  const vendor = stopLater(await startCoinPaprika({ clock, coins: createMarket(20) }))
  vi.stubEnv('COINPAPRIKA_URL', vendor.apiUrl)
  vi.stubEnv('COINPAPRIKA_API_KEY', KEY)
  const to = join(folder, 'recorded')
  await run('record', 'coinpaprika', '--to', to, '--hide-wallets')
  const fixtures = await readFixtures(to)
  expect(fixtures).toMatchObject([{ source: 'coinpaprika', path: '/v1/global', status: 200 }])
  expect(JSON.stringify(fixtures)).not.toContain(KEY)
  const given = await replayed(fixtures, ({ marketTotals }) => marketTotals())
  expect(given.rows).toMatchObject([{ btcDominance: '58.1', volume24hUsd: '100000000000' }])
  // The request of the operator is no ingestion: its answer is not looked at.
  expect(await rows('select operation from source_shapes')).toEqual([])
})

test('wallets of the installation can be hidden in recordings, the same by the same, and others stay', async () => {
  const own = {
    evm: '0x52908400098527886e0f7030069857d2e4169ee7',
    bitcoin: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    solana: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
  }
  const other = '0x8617e340b3d01fa5f11f306f4090fd50e238070d'
  const account = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU'
  for (const address of Object.values(own)) await rows(`insert into wallets (address) values ('${address}')`)
  await rows(
    `insert into wallet_accounts (wallet_id, network_id, account, role, source, fetched_at)
     select id, 'solana', '${account}', 'token', 'test', now() from wallets where address = '${own.solana}'`,
  )
  const padded = own.evm.replace('0x', `0x${'0'.repeat(24)}`)
  const mixed = '0x52908400098527886E0F7030069857D2E4169EE7'
  const answer = JSON.stringify({
    text: JSON.stringify([own, other, account, padded, mixed]),
    path: `/address/${own.evm}/txs`,
  })
  const hidden = (await walletHider(db))(answer)
  for (const address of [...Object.values(own), account, mixed, own.evm.slice(2)])
    expect(hidden).not.toContain(address)
  expect(hidden).toContain(other)
  expect(hidden).toHaveLength(answer.length)
  const [, invented] = /"evm\\":\\"(0x[0-9a-f]{40})/.exec(hidden)!
  expect(hidden.split(invented!.slice(2))).toHaveLength(5)
  expect(hidden).toMatch(/\\"bc1q[0-9a-z]{38}\\"/)
})
