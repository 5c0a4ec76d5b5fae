import { beforeAll, describe, expect, test } from 'vitest'
import { createExchangesActivities } from '../../activities/exchanges/index.ts'
import { openDb } from '../../db/connect.ts'
import { storePage } from '../../db/exchanges/cursors.ts'
import { deriveLegs } from '../../db/exchanges/derive-legs.ts'
import { type AccountEvent, createAccount, statusOf, unitText } from '../../sandbox/exchanges/account.ts'
import { binanceKeys, krakenKeys } from '../../sandbox/exchanges/keys.ts'
import { binanceRules, krakenRules } from '../../sandbox/exchanges/rules.ts'
import { failingPool, Killed } from '../chain/failing-pool.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { whileUncommitted } from '../setup/while-uncommitted.ts'
import { connectAccount, syncDirectly } from './connect.ts'
import { exchangeDeps, SEED, startExchanges } from './exchange-world.ts'

// From the exchange's bytes to legs, on two exchanges with a wrong clock and small pages.

const database = await testDatabase()
const exchanges = await startExchanges({ clockOffsetMs: -9_000 })
const { deps, publicKey } = exchangeDeps(database, exchanges)
const activities = createExchangesActivities(deps)
const EXCHANGES = { binance: binanceKeys[0]!, kraken: krakenKeys[0]! }
type ExchangeName = keyof typeof EXCHANGES
const connections = {} as Record<ExchangeName, string>
const rows = (sql: string, exchange: ExchangeName) =>
  query<any>(database.ownerUrl, sql, [connections[exchange]])

function story(exchange: ExchangeName): AccountEvent[] {
  const rules = exchange === 'binance' ? binanceRules : krakenRules(SEED)
  const account = createAccount({
    seed: SEED,
    name: 'first',
    anchor: exchanges.anchor,
    rules,
    priceUsd: exchanges.market.priceUsd,
  })
  return account.eventsUntil(exchanges.clock.nowMs() - 9_000)
}

/** The expected row of an event: kind, time, signed amounts, fee. */
function expected(event: AccountEvent): string {
  const number = (units: bigint) => String(Number(unitText(units)))
  const line = (...parts: (string | number)[]) => parts.join(' ')
  if (event.kind === 'fill') {
    const sign = event.side === 'buy' ? 1n : -1n
    const legs = [event.base, number(sign * event.amount), event.quote, number(-sign * event.cost)]
    return line('fill', event.at, ...legs, event.fee.asset, number(event.fee.amount))
  }
  if (event.kind === 'dust')
    return line(
      'dust',
      event.at,
      event.asset,
      number(-event.amount),
      'BNB',
      number(event.received),
      'BNB',
      number(event.charge),
    )
  const amount = event.kind === 'deposit' ? event.amount : -event.amount
  const fee = event.fee > 0n ? [event.asset, number(event.fee)] : ['-', '-']
  return line(event.kind, event.at, event.asset, number(amount), '-', '-', ...fee)
}

function stored(row: any): string {
  const number = (text: string | null) => (text === null ? '-' : String(Number(text)))
  let legs = [row.asset, number(row.amount), row.quote_asset ?? '-', number(row.quote_amount)]
  // CCXT names the market of a conversion to BNB from either side.
  if (row.kind === 'dust' && row.asset === 'BNB') legs = [...legs.slice(2), ...legs.slice(0, 2)]
  return [row.kind, row.at.getTime(), ...legs, row.fee_asset ?? '-', number(row.fee_amount)].join(' ')
}

beforeAll(async () => {
  for (const exchange of Object.keys(EXCHANGES) as ExchangeName[]) {
    const { connectionId, accepted } = await connectAccount(database, {
      activities,
      exchange,
      publicKey,
      key: EXCHANGES[exchange],
    })
    expect(accepted).toBe(true)
    connections[exchange] = connectionId
    await syncDirectly(activities, connectionId)
  }
})

test('credentials become active only together with identified balances', async () => {
  const waitingFor = (table: string) =>
    query(database.ownerUrl, `select from pg_locks where relation = '${table}'::regclass and not granted`)
  const newest = async () =>
    (
      await query(
        database.ownerUrl,
        'select version, active_version from exchange_connections order by id desc limit 1',
      )
    )[0]
  // A client that waits for the acceptance reads the assets at once, so it must not see it before them.
  const holder = await deps.pool.connect()
  try {
    await holder.query('begin')
    await holder.query('lock table exchange_assets in share mode')
    const connecting = connectAccount(database, {
      activities,
      exchange: 'kraken',
      publicKey,
      key: EXCHANGES.kraken,
    })
    await expect.poll(async () => (await waitingFor('exchange_assets')).length).toBeGreaterThan(0)
    expect(await newest()).toEqual({ version: 1, active_version: null })
    await holder.query('rollback')
    expect((await connecting).accepted).toBe(true)
    expect(await newest()).toEqual({ version: 1, active_version: 1 })
  } finally {
    holder.release()
  }
})

describe.each(['binance', 'kraken'] as const)('sync of %s', (exchange) => {
  test('stores every event once, with exact amounts and fees', async () => {
    // Binance rounds times of withdrawals to seconds; Kraken's ledger has only successful transfers.
    const events = story(exchange)
      .filter((event) => exchange === 'binance' || event.kind !== 'withdrawal' || !event.failed)
      .map((event) =>
        exchange === 'binance' && event.kind === 'withdrawal'
          ? { ...event, at: Math.floor(event.at / 1_000) * 1_000 }
          : event,
      )
    const found = await rows('select * from exchange_transactions where connection_id = $1', exchange)
    expect(found.map(stored).sort()).toEqual(events.map(expected).sort())
    expect(found.length).toBeGreaterThan(200)
  })

  test('a failed or pending transfer has no legs', async () => {
    const nowMs = exchanges.clock.nowMs() - 9_000
    const unsettled = story(exchange).filter(
      (event) => (event.kind === 'deposit' || event.kind === 'withdrawal') && statusOf(event, nowMs) !== 'ok',
    )
    const found = await rows(
      `select t.status, count(l.kind)::int as legs from exchange_transactions t left join exchange_legs l
       using (connection_id, kind, key) where connection_id = $1 and t.status <> 'ok' group by t.kind, t.key, t.status`,
      exchange,
    )
    expect(found.every(({ legs }) => legs === 0)).toBe(true)
    if (exchange === 'binance') expect(found).toHaveLength(unsettled.length)
  })

  test('legs of each asset add up to its balance, with correct running totals', async () => {
    const found = await rows(
      `select coalesce(b.asset, l.asset) as asset, coalesce(b.amount, 0)::text as held, coalesce(sum(l.delta), 0)::text as moved,
         (select total::text from exchange_legs n where n.connection_id = $1 and n.asset = l.asset
          order by at desc, kind desc, key desc, role desc limit 1) as total
       from (select * from exchange_balances where connection_id = $1) b
       full join (select * from exchange_legs where connection_id = $1) l using (asset)
       group by b.asset, l.asset, b.amount`,
      exchange,
    )
    expect(found.length).toBeGreaterThan(3)
    for (const { asset, held, moved, total } of found) {
      expect(Number(held), asset).toBe(Number(moved))
      expect(Number(total), asset).toBe(Number(moved))
    }
    const wrong = await rows(
      `select * from (select total, sum(delta) over (partition by asset order by at, kind, key, role) as expected
       from exchange_legs where connection_id = $1) sums where total <> expected`,
      exchange,
    )
    expect(wrong).toEqual([])
  })

  test('a second sync reads only the ends of the lists and changes nothing', async () => {
    const before = await rows(
      'select * from exchange_transactions where connection_id = $1 order by kind, key',
      exchange,
    )
    const legs = await rows(
      'select * from exchange_legs where connection_id = $1 order by kind, key, role',
      exchange,
    )
    const pages = await syncDirectly(activities, connections[exchange])
    expect(pages).toBeLessThan(15)
    expect(
      await rows('select * from exchange_transactions where connection_id = $1 order by kind, key', exchange),
    ).toEqual(before)
    expect(
      await rows('select * from exchange_legs where connection_id = $1 order by kind, key, role', exchange),
    ).toEqual(legs)
  })

  test('legs that are derived anew from a later instant go on from the totals before it', async () => {
    const legs = 'select * from exchange_legs where connection_id = $1 order by kind, key, role'
    const before = await rows(legs, exchange)
    const changed = await rows(
      `update exchange_transactions set derived = false where connection_id = $1 and at >= (
         select percentile_disc(0.5) within group (order by at) from exchange_transactions where connection_id = $1)
       returning key`,
      exchange,
    )
    expect(changed.length).toBeGreaterThan(100)
    const statedAt = new Date(exchanges.clock.nowMs())
    const { legs: written } = await deriveLegs(deps.pool, { connectionId: connections[exchange], statedAt })
    expect(written).toBeGreaterThan(changed.length)
    expect(await rows(legs, exchange)).toEqual(before)
  })
})

test('credentials accepted after newer ones change nothing', async () => {
  const offered = await connectAccount(database, {
    activities,
    exchange: 'kraken',
    publicKey,
    key: EXCHANGES.kraken,
  })
  const { connectionId } = offered
  await query(database.ownerUrl, 'update exchange_connections set active_version = 2 where id = $1', [
    connectionId,
  ])
  await query(database.ownerUrl, 'delete from exchange_balances where connection_id = $1', [connectionId])
  expect(await activities.tryExchangeCredentials(offered)).toEqual({ accepted: false })
  expect(
    await query(database.ownerUrl, 'select from exchange_balances where connection_id = $1', [connectionId]),
  ).toEqual([])
})

test('identifying an asset recomputes figures, whenever the worker is killed', async () => {
  const connectionId = connections.binance
  const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
  await insertCoin(owner.db, { id: 'tether', name: 'Tether', symbol: 'USDT', rank: 3, at: new Date() })
  await owner.close()
  const dirty = () =>
    query<{ dirty_from: Date | null }>(
      database.ownerUrl,
      'select dirty_from from pl_states join books on id = book_id where connection_id = $1',
      [connectionId],
    )
  for (let failAt = 1; failAt <= 5; failAt++) {
    await query(
      database.ownerUrl,
      `update pl_states set dirty_from = null where book_id in (select id from books where connection_id = '${connectionId}')`,
    )
    await query(
      database.ownerUrl,
      `update exchange_assets set coin_id = null, currency = null where venue = 'binance' and asset = 'USDT'`,
    )
    const killed = createExchangesActivities({ ...deps, pool: failingPool(deps.pool, failAt) })
    await expect(killed.identifyExchangeAssets({ connectionId })).rejects.toThrow(Killed)
    await activities.identifyExchangeAssets({ connectionId })
    expect({ failAt, dirty: await dirty() }).toEqual({ failAt, dirty: [{ dirty_from: expect.any(Date) }] })
  }
})

test('a page of transactions waits while the legs of its account are derived', async () => {
  const connectionId = connections.kraken
  const store = () =>
    storePage(deps.pool, {
      connectionId,
      source: 'kraken',
      fetchedAt: new Date(),
      rows: [],
      cursor: { stream: 'none', symbol: '', position: {}, completeAt: null },
      before: null,
    })
  await store()
  await whileUncommitted(
    database.ownerUrl,
    `select from exchange_connections where id = '${connectionId}' for update`,
    store,
  )
})
