import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { createAccount } from '../../db/metering/write.ts'
import {
  deleteTransaction,
  moveTransaction,
  splitTransaction,
} from '../../db/portfolios/correct-transactions.ts'
import { readWallet } from '../../db/portfolios/label-wallet.ts'
import { ledgersOf } from '../../db/portfolios/ledgers.ts'
import { coinsToPrice, priceTransactions } from '../../db/portfolios/price-transactions.ts'
import { readPortfolioGaps } from '../../db/portfolios/read-gaps.ts'
import {
  countEqualTransactions,
  knownTransactions,
  readCorrectableTransaction,
  readManualTransactions,
  readStatedTransactions,
} from '../../db/portfolios/read-manual-transactions.ts'
import type { Portfolio } from '../../db/portfolios/read-portfolios.ts'
import { readConnectionProblems } from '../../db/portfolios/read-problems.ts'
import { readSnapshotCoins, readSnapshotDates } from '../../db/portfolios/read-snapshots.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { insertWallet } from '../setup/wallet-factories.ts'
import { at, insertMarket, NOW } from './portfolio-world.ts'

// Rows of one portfolio, beside those of others of its account and of another account.

const database = await testDatabase()
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
const readonly = openReadonlyDb({ url: database.apiUrl, maxConnections: 1, applicationName: 'test' })
afterAll(() => Promise.all([owner.close(), readonly.close()]))
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)

const ids: Record<string, string> = {}
const nameOf = (id: string) => Object.entries(ids).find(([, one]) => one === id)?.[0] ?? id
const id = (name: string) => ids[name]!
let [ann, bob] = ['', '']

async function portfolio(name: string, account: string, kind: string, address?: string, networkId?: string) {
  ids[name] = randomUUID()
  await ask(
    'insert into portfolios (id, account_id, kind, address, network_id) values ($1, $2, $3, $4, $5)',
    [ids[name], account, kind, address, networkId],
  )
}
interface Stated {
  time?: string
  coinId?: string
  count?: number
  price?: number | null
  currency?: string
  derived?: boolean
}
async function state(name: string, of: string, rest: Stated = {}): Promise<void> {
  ids[name] = randomUUID()
  const {
    time = '05T06:00:00',
    coinId = 'bitcoin',
    count = 1,
    price = null,
    currency = 'USD',
    derived = true,
  } = rest
  await ask(
    `insert into manual_transactions (id, portfolio_id, at, coin_id, count, price, currency, source, fetched_at, derived)
     values ($1, $2, $3, $4, $5, $6, $7, 'owner', now(), $8)`,
    [ids[name], ids[of], at(time), coinId, count, price, currency, derived],
  )
}

beforeAll(async () => {
  await insertMarket(owner.db, database.ownerUrl)
  ann = (await createAccount(owner.db, { name: 'Ann', plan: 'pro' })).accountId
  bob = (await createAccount(owner.db, { name: 'Bob', plan: 'pro' })).accountId
  for (const [name, account] of [
    ['cash', ann],
    ['more', ann],
    ['of Bob', bob],
  ] as const)
    await portfolio(name, account, 'manual')
})

describe('manual transactions', () => {
  beforeAll(async () => {
    await state('one', 'cash')
    await state('two', 'cash', { time: '06T06:00:00' })
    await state('other coin', 'cash', { coinId: 'ethereum' })
    await state('half', 'cash', { count: 0.5 })
    await state('elsewhere', 'more')
    await state('his', 'of Bob')
  })

  test('are read by their ids, in whose order they come, and corrected by their owner', async () => {
    const read = async (...names: string[]) =>
      [
        ...(await readManualTransactions(
          readonly.db,
          names.map((name) => ids[name] ?? randomUUID()),
        )),
      ]
        .map(([index, row]) => `${index} ${nameOf(row.id)}`)
        .toSorted((a, b) => a.localeCompare(b))
    expect(await read('two', 'gone', 'one')).toEqual(['0 two', '2 one'])
    expect(await read()).toEqual([])
    const correctable = (accountId: string, name: string) =>
      readCorrectableTransaction(readonly.db, { accountId, id: id(name) })
    expect(await correctable(ann, 'two')).toMatchObject({ id: id('two'), portfolioId: id('cash') })
    expect([await correctable(bob, 'two'), await correctable(ann, 'his')]).toEqual([undefined, undefined])
    const known = await knownTransactions(readonly.db, {
      portfolioId: id('cash'),
      ids: ['two', 'elsewhere', 'his', 'one'].map(id),
    })
    expect([...known].map(nameOf).toSorted((a, b) => a.localeCompare(b))).toEqual(['one', 'two'])
  })

  test('are equal by instant, coin and count in one portfolio', async () => {
    const [one, two] = [at('05T06:00:00'), at('06T06:00:00')]
    const equal = (except: string[]) =>
      countEqualTransactions(readonly.db, {
        portfolioId: id('cash'),
        except: except.map(id),
        transactions: [
          { at: one, coinId: 'bitcoin', count: '1.0' },
          { at: at('07T06:00:00'), coinId: 'bitcoin', count: '1' },
          { at: two, coinId: 'bitcoin', count: '1' },
          { at: two, coinId: 'ethereum', count: '1' },
          { at: one, coinId: 'bitcoin', count: '0.5' },
        ],
      })
    expect(await equal([])).toEqual([1, 0, 1, 0, 1])
    expect(await equal(['two', 'his'])).toEqual([1, 0, 0, 0, 1])
  })

  test('come oldest first, from the one after another on', async () => {
    const page = async (after?: { id: string; at: Date }, limit = 9) =>
      (
        await readStatedTransactions(readonly.db, { portfolioId: id('cash'), after: after as never, limit })
      ).map((row) => row.id)
    const early = ['one', 'other coin', 'half'].map(id).toSorted((a, b) => a.localeCompare(b))
    expect(await page()).toEqual([...early, id('two')])
    expect(await page({ id: early[0]!, at: at('05T06:00:00') })).toEqual([early[1], early[2], id('two')])
    expect(await page({ id: early[2]!, at: at('05T06:00:00') }, 1)).toEqual([id('two')])
  })
})

describe('new transactions', () => {
  const prices = () =>
    ask<{ line: string }>(
      `select portfolio_id || ' ' || coin_id || ' ' || coalesce(price_usd::float8::text, '-') || ' ' || derived as line
       from manual_transactions where portfolio_id = any($1) order by portfolio_id = $2, at, coin_id`,
      [[id('new'), id('beside')], id('beside')],
    ).then((rows) =>
      rows.map(({ line }) =>
        line
          .split(' ')
          .with(0, nameOf(line.split(' ')[0]!))
          .join(' '),
      ),
    )

  beforeAll(async () => {
    for (const name of ['new', 'beside']) await portfolio(name, ann, 'manual')
    await state('derived', 'new', { time: '01T06:00:00', coinId: 'tether' })
    await state('later', 'new', { time: '04T00:00:00', coinId: 'ethereum', derived: false })
    await state('first', 'new', { time: '03T00:00:00', derived: false })
    await state('priced', 'new', { time: '05T00:00:00', price: 2, currency: 'ETH', derived: false })
    await state('not his', 'beside', { time: '02T00:00:00', derived: false })
  })

  test('need the prices of the coins of their portfolio from the first new one on', async () => {
    expect(await coinsToPrice(owner.db, { portfolioId: id('new') })).toEqual({
      coinIds: ['bitcoin', 'ethereum', 'tether'],
      from: at('03T00:00:00'),
    })
    expect(await coinsToPrice(owner.db, { portfolioId: id('cash') })).toBeNull()
  })

  test('get the price in force, or that which was stated, and others keep theirs', async () => {
    const price = () =>
      owner.db.transaction().execute((db) => priceTransactions(db, { portfolioId: id('new') }))
    expect(await price()).toEqual(at('03T00:00:00'))
    const beside = 'beside bitcoin - false'
    expect(await prices()).toEqual([
      'new tether - true',
      'new bitcoin 52000 true',
      'new ethereum 2000 true',
      'new bitcoin 4000 true',
      beside,
    ])
    expect(await price()).toBeNull()
  })

  test('at the newest quote are worth what it says, as long as it is in force', async () => {
    await ask(
      `update coin_quotes set price_usd = price_usd + 1, at = $1 where coin_id in ('bitcoin', 'ethereum')`,
      [NOW],
    )
    await portfolio('quoted', ann, 'manual')
    const later = new Date(NOW.getTime() + 60_000).toISOString().slice(8, 19)
    await state('now', 'quoted', { time: later, derived: false })
    await state('before', 'quoted', { time: '10T00:00:00', coinId: 'ethereum', derived: false })
    await owner.db.transaction().execute((db) => priceTransactions(db, { portfolioId: id('quoted') }))
    const found = await ask<{ usd: string }>(
      'select price_usd::float8::text as usd from manual_transactions where portfolio_id = $1 order by at',
      [id('quoted')],
    )
    expect(found.map(({ usd }) => usd)).toEqual(['2000', '59001'])
  })
})

test('an operator moves, splits and deletes one transaction, within manual portfolios of its account', async () => {
  await portfolio('from', ann, 'manual')
  await portfolio('to', ann, 'manual')
  await portfolio('exchange', ann, 'exchange')
  for (const name of ['moved', 'split', 'deleted', 'kept']) await state(name, 'from', { count: 4 })
  const rows = async () =>
    (
      await ask<{ id: string; line: string }>(
        `select id, concat_ws(' ', portfolio_id, count::float8, extract(day from at), derived) as line
         from manual_transactions where portfolio_id = any($1)`,
        [[id('from'), id('to')]],
      )
    )
      .map((row) => {
        const [of, ...rest] = row.line.split(' ')
        return `${nameOf(row.id) === row.id ? 'new' : nameOf(row.id)} in ${nameOf(of!)} ${rest.join(' ')}`
      })
      .toSorted((a, b) => a.localeCompare(b))
  const ordered = async () =>
    (await ask<{ of: string }>(`delete from outbox returning workflow_id as of`))
      .map(({ of }) => nameOf(of.split(':').at(-1)!))
      .toSorted((a, b) => a.localeCompare(b))
  const [deleted, kept, split] = ['deleted', 'kept', 'split'].map((name) => `${name} in from 4 5 t`)
  await ordered()
  for (const target of ['of Bob', 'exchange'])
    expect(await moveTransaction(owner.db, { id: id('moved'), portfolioId: id(target) })).toBe(false)
  expect(await moveTransaction(owner.db, { id: randomUUID(), at: NOW })).toBe(false)
  expect([await rows(), await ordered()]).toEqual([[deleted, kept, 'moved in from 4 5 t', split], []])
  expect(await moveTransaction(owner.db, { id: id('moved'), at: at('08T00:00:00') })).toBe(true)
  expect([await rows(), await ordered()]).toEqual([[deleted, kept, 'moved in from 4 8 f', split], ['from']])
  expect(await moveTransaction(owner.db, { id: id('moved'), portfolioId: id('to') })).toBe(true)
  expect([await rows(), await ordered()]).toEqual([
    [deleted, kept, 'moved in to 4 8 f', split],
    ['from', 'to'],
  ])
  const splitOff = (count: string) => splitTransaction(owner.db, { id: id('split'), count, now: NOW })
  expect([await splitOff('4'), await splitOff('-1'), await splitOff('0'), await splitOff('1')]).toEqual([
    false,
    false,
    false,
    true,
  ])
  expect([await rows(), await ordered()]).toEqual([
    [deleted, kept, 'moved in to 4 8 f', 'new in from 1 5 f', 'split in from 3 5 f'],
    ['from'],
  ])
  expect(await deleteTransaction(owner.db, { id: id('deleted') })).toBe(true)
  expect(await deleteTransaction(owner.db, { id: id('deleted') })).toBe(false)
  expect([(await rows())[0], await ordered()]).toEqual([kept, ['from']])
})

describe('wallets and exchange accounts', () => {
  beforeAll(async () => {
    const [one, two] = [
      await insertWallet(owner.db, {
        address: '0x1',
        syncs: { ethereum: at('05T00:00:00'), 'base-wallet': null },
      }),
      await insertWallet(owner.db, { address: '0x2', syncs: { ethereum: at('05T00:00:00') } }),
    ]
    await portfolio('ethereum', ann, 'wallet', '0x1', 'ethereum')
    await portfolio('base', ann, 'wallet', '0x1', 'base-wallet')
    await portfolio('second', ann, 'wallet', '0x2', 'ethereum')
    await portfolio('wallet of Bob', bob, 'wallet', '0x1', 'ethereum')
    const sync = (wallet: string, network: string, set: string, values: unknown[] = []) =>
      ask(`update wallet_syncs set ${set} where wallet_id = $1 and network_id = $2`, [
        wallet,
        network,
        ...values,
      ])
    await sync(
      one,
      'ethereum',
      `gap_from = 1, gap_to = 7, gap_reason = 'old', failed_at = $3, failure = 'down'`,
      [at('05T00:00:01')],
    )
    await sync(
      one,
      'base-wallet',
      `gap_from = 1, gap_to = 8, gap_reason = 'new', failed_at = $3, failure = 'away'`,
      [at('01T00:00:00')],
    )
    await sync(two, 'ethereum', `failed_at = $3, failure = 'earlier'`, [at('05T00:00:00')])
    for (const [network, number, day] of [
      ['ethereum', 7, '03'],
      ['ethereum', 8, '04'],
      ['base-wallet', 7, '02'],
    ] as const)
      await ask(
        `insert into blocks (network_id, number, hash, at, source, fetched_at) values ($1, $2, '0x', $3, 'test', now())`,
        [network, number, at(`${day}T00:00:00`)],
      )
    const connections: [string, string, number, number | null, string | null, string | null][] = [
      ['refused', ann, 2, 2, null, null],
      ['renewed', ann, 3, 2, null, null],
      ['failed', ann, 1, null, '05T00:00:00', '05T00:00:01'],
      ['recovered', ann, 1, null, '05T00:00:00', '05T00:00:00'],
      ['never', ann, 1, null, null, '01T00:00:00'],
      ['refused of Bob', bob, 2, 2, null, null],
    ]
    for (const [name, account, version, refused, synced, failed] of connections) {
      ids[name] = randomUUID()
      await ask(
        `insert into exchange_connections (id, account_id, venue, fingerprint, version, refused_version, refusal, synced_at,
           failed_at, failure) values ($1, $2, 'kraken', $3, $4, $5, 'refused', $6, $7, 'failed')`,
        [
          ids[name],
          account,
          createHash('sha256').update(name).digest(),
          version,
          refused,
          synced && at(synced),
          failed && at(failed),
        ],
      )
    }
  })
  const named = <T>(found: ReadonlyMap<string, T>) =>
    Object.fromEntries([...found].map(([of, value]) => [nameOf(of), value]))

  test('have gaps of their own wallet and network, with the time of the last missing block', async () => {
    const gap = { until: at('03T00:00:00'), reason: 'old' }
    expect(named(await readPortfolioGaps(readonly.db, { accountId: ann }))).toEqual({
      ethereum: gap,
      base: { until: null, reason: 'new' },
    })
    expect(named(await readPortfolioGaps(readonly.db, { accountId: bob }))).toEqual({ 'wallet of Bob': gap })
  })

  test('have a problem while their key is refused, or their last sync failed and nothing was read since', async () => {
    expect(named(await readConnectionProblems(readonly.db, { accountId: ann }))).toEqual({
      refused: 'refused',
      failed: 'failed',
      never: 'failed',
      ethereum: 'down',
      base: 'away',
    })
    expect(named(await readConnectionProblems(readonly.db, { accountId: bob }))).toEqual({
      'refused of Bob': 'refused',
      'wallet of Bob': 'down',
    })
  })

  test('an address and a network are those of a wallet', async () => {
    expect(await readWallet(owner.db, id('base'))).toEqual({ address: '0x1', networkId: 'base-wallet' })
    expect([await readWallet(owner.db, id('cash')), await readWallet(owner.db, randomUUID())]).toEqual([
      null,
      null,
    ])
  })

  test('list a coin under its names at each exchange, and under its own elsewhere', async () => {
    await ask('truncate exchange_assets')
    await ask(
      `insert into exchange_assets (venue, asset, coin_id, currency, source, fetched_at) values
         ('kraken', 'XXBT', 'bitcoin', null, 'symbol', now()), ('kraken', 'XBT', 'bitcoin', null, 'symbol', now()),
         ('binance', 'BTC', 'bitcoin', null, 'symbol', now()), ('kraken', 'ZEUR', null, 'EUR', 'symbol', now()),
         ('kraken', 'ODD', null, null, 'symbol', now()), ('binance', 'ODD', 'tether', null, 'symbol', now()),
         ('okx', 'ODD', null, 'USD', 'symbol', now())`,
    )
    const portfolios = [
      { id: 'k', kind: 'exchange', venue: 'kraken' },
      { id: 'b', kind: 'exchange', venue: 'binance' },
      { id: 'o', kind: 'exchange', venue: 'okx' },
      { id: 'm', kind: 'manual' },
      { id: 'w', kind: 'wallet', walletId: '7', networkId: 'ethereum' },
      { id: 'u', kind: 'wallet', walletId: null, networkId: 'ethereum' },
    ] as unknown as Portfolio[]
    const coins = async (coinId?: string) =>
      (await ledgersOf(readonly.db, { portfolios, coinId })).map((one) => one.coins.join())
    expect(await coins('bitcoin')).toEqual(['XBT,XXBT', 'BTC', '', 'bitcoin', 'bitcoin', ''])
    expect(await coins('FiatCoinEUR')).toEqual(['ZEUR', '', '', 'FiatCoinEUR', 'FiatCoinEUR', ''])
    expect((await coins('ODD')).slice(0, 3)).toEqual(['ODD', '', ''])
    const all = await ledgersOf(readonly.db, { portfolios })
    expect(all.map((one) => one.coins)).toEqual([[''], [''], [''], [''], [''], []])
    expect(
      all.map(({ connectionId, portfolioId, walletId }) => [connectionId, portfolioId, walletId]),
    ).toEqual([
      ['k', null, null],
      ['b', null, null],
      ['o', null, null],
      [null, 'm', null],
      [null, null, '7'],
      [null, null, null],
    ])
  })
})

test('snapshots are read of some portfolios, between two midnights, with one price of each coin', async () => {
  const days = ['03', '04', '05', '06'].map((day) => at(`${day}T00:00:00`))
  const write = (of: string, day: number, coins: [string, number, number | null][]) =>
    ask(`insert into portfolio_snapshots values ($1, $2, $3, $4, $5, 'test', now())`, [
      ids[of],
      days[day],
      coins.map(([coin]) => coin),
      coins.map(([, quantity]) => quantity),
      coins.map(([, , price]) => price),
    ])
  await write('cash', 0, [['bitcoin', 1, 10]])
  await write('cash', 1, [
    ['bitcoin', 2, 10],
    ['ethereum', 4, null],
  ])
  await write('more', 1, [
    ['bitcoin', 6, 20],
    ['tether', 3, 1],
  ])
  await write('more', 2, [['bitcoin', 5, 10]])
  await write('of Bob', 1, [['bitcoin', 100, 10]])
  await write('of Bob', 3, [['bitcoin', 100, 10]])
  const portfolioIds = [id('cash'), id('more')]
  const dates = (rest: object) =>
    readSnapshotDates(readonly.db, { portfolioIds, offset: 0, limit: 9, ...rest })
  expect(await dates({})).toEqual({ dates: days.slice(0, 3), previous: null })
  expect(await dates({ from: days[1], to: days[1] })).toEqual({ dates: [days[1]], previous: days[0] })
  expect(await dates({ offset: 2 })).toEqual({ dates: [days[2]], previous: days[1] })
  expect(await dates({ from: days[3] })).toEqual({ dates: [], previous: null })
  const coins = async (coinIds?: string[]) =>
    (await readSnapshotCoins(readonly.db, { portfolioIds, dates: [days[1]!], coinIds }))
      .map((row) => [
        row.coinId,
        Number(row.quantity),
        Number(row.balanceUsd),
        row.priceUsd && Number(row.priceUsd),
      ])
      .toSorted((a, b) => String(a[0]).localeCompare(String(b[0])))
  const [bitcoin, ethereum, tether] = [
    ['bitcoin', 8, 140, 17.5],
    ['ethereum', 4, 0, null],
    ['tether', 3, 3, 1],
  ]
  expect(await coins()).toEqual([bitcoin, ethereum, tether])
  expect(await coins(['ethereum', 'tether'])).toEqual([ethereum, tether])
})
