import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { createAccount } from '../../db/metering/write.ts'
import { readFirstHoldings } from '../../db/portfolios/first-holdings.ts'
import { removeHistory } from '../../db/portfolios/give-up.ts'
import { portfolioValues } from '../../db/portfolios/portfolio-values.ts'
import { readPortfolio, readPortfolios } from '../../db/portfolios/read-portfolios.ts'
import { formatDecimal as format } from '../../db/values/decimal.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { insertWallet } from '../setup/wallet-factories.ts'
import { at, insertMarket, NOW } from './portfolio-world.ts'

// What is read of one portfolio, beside others of its account and those of another account with the same wallet.

const database = await testDatabase()
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 1, applicationName: 'test' })
const readonly = openReadonlyDb({ url: database.apiUrl, maxConnections: 1, applicationName: 'test' })
afterAll(() => Promise.all([owner.close(), ingest.close(), readonly.close()]))
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)

const ids: Record<string, string> = {}
const nameOf = (id: string) => Object.entries(ids).find(([, one]) => one === id)?.[0] ?? id
const books: Record<string, string> = {}
let [ann, bob, wallet, empty] = ['', '', '', '']

async function portfolio(name: string, rest: Record<string, unknown>): Promise<string> {
  const row = {
    id: (ids[name] = randomUUID()),
    created_at: NOW,
    recorded_at: NOW,
    cost_method: 'average',
    ...rest,
  }
  await ask('insert into portfolios select * from jsonb_populate_record(null::portfolios, $1)', [row])
  return row.id
}
async function exchange(name: string, accountId: string, venue: string): Promise<void> {
  const id = await portfolio(name, { account_id: accountId, kind: 'exchange' })
  await ask(
    `insert into exchange_connections (id, account_id, venue, fingerprint, version, synced_at, covered_to)
     values ($1, $2, $3, $4, 1, $5, $5)`,
    [id, accountId, venue, createHash('sha256').update(id).digest(), at('09T00:00:00')],
  )
}
/** Adds the book of a portfolio with figures of one cost method. Returns its fold. */
async function book(name: string, columns: Record<string, unknown>, method = 'average'): Promise<string> {
  const [row] = await ask<{ id: string; fold: string }>(
    `with book as (
       insert into books (${Object.keys(columns).join()}) values (${Object.keys(columns)
         .map((_, i) => `$${i + 2}`)
         .join()})
       returning id
     ), scope as (insert into scopes (book_id, dirty_from) select id, null from book returning id)
     insert into folds (scope_id, method, dirty_from, folded_at) select id, $1, null, now() from scope
     returning id as fold, (select id from book) as id`,
    [method, ...Object.values(columns)],
  )
  books[name] = row!.id
  await ask('insert into pl_states (book_id, computed_to) values ($1, $2)', [row!.id, NOW])
  return row!.fold
}
/** Holdings of a coin at the end of a month. */
async function holding(fold: string, coinId: string, quantity: number, rest: Record<string, unknown> = {}) {
  const columns = await ask<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = 'coin_folds'::regclass and attnum > 0 and attnotnull
       and atttypid = 'numeric'::regtype`,
  )
  const row = {
    ...Object.fromEntries(columns.map(({ name }) => [name, 0])),
    fold_id: fold,
    coin_id: coinId,
    month: at('01T00:00:00'),
    recorded_at: NOW,
    quantity,
    ...rest,
  }
  await ask('insert into coin_folds select * from jsonb_populate_record(null::coin_folds, $1)', [row])
}

beforeAll(async () => {
  await insertMarket(owner.db, database.ownerUrl)
  const deployments = await ask('delete from defi_deployments returning *')
  expect(deployments.length).toBeGreaterThan(0)
  ann = (await createAccount(owner.db, { name: 'Ann', plan: 'pro' })).accountId
  bob = (await createAccount(owner.db, { name: 'Bob', plan: 'pro' })).accountId
  wallet = await insertWallet(owner.db, {
    address: '0x1',
    syncs: { ethereum: at('09T00:00:00'), 'base-wallet': null },
  })
  empty = await insertWallet(owner.db, { address: '0x2', syncs: { ethereum: at('09T00:00:00') } })
  const of = (accountId: string, networkId: string, address = '0x1') => ({
    account_id: accountId,
    kind: 'wallet',
    address,
    network_id: networkId,
  })
  await portfolio('ethereum', of(ann, 'ethereum'))
  await portfolio('base', of(ann, 'base-wallet'))
  await portfolio('empty', of(ann, 'ethereum', '0x2'))
  await portfolio('unknown', of(ann, 'base-wallet', '0x3'))
  await exchange('kraken', ann, 'kraken')
  await portfolio('cash', { account_id: ann, kind: 'manual', cost_method: 'fifo' })
  await portfolio('of Bob', of(bob, 'ethereum'))
  await exchange('kraken of Bob', bob, 'kraken')
  await portfolio('cash of Bob', { account_id: bob, kind: 'manual' })
})

describe('what an account is told of its portfolios', () => {
  const shown = async (accountId: string) => {
    const rows = await readPortfolios(readonly.db, { accountId })
    return Object.fromEntries(
      rows.map((row) => {
        const flags = (
          ['isRequested', 'isCurrent', 'isComputed', 'isAccountComputed', 'lacksPositions'] as const
        )
          .filter((flag) => row[flag])
          .map((flag) => flag.replace(/^is/, ''))
        return [nameOf(row.id), flags.join(' ')]
      }),
    )
  }
  const [known, current] = ['Computed AccountComputed', 'Current Computed AccountComputed']
  const ofAnn = {
    ethereum: current,
    base: known,
    unknown: known,
    empty: current,
    kraken: current,
    cash: current,
  }
  const ofBob = { 'of Bob': current, 'kraken of Bob': current, 'cash of Bob': current }
  const expectShown = async (changed: Record<string, string>) => {
    const only = (all: object) =>
      Object.fromEntries(Object.entries({ ...all, ...changed }).filter(([name]) => name in all))
    expect([await shown(ann), await shown(bob)]).toEqual([only(ofAnn), only(ofBob)])
  }

  test('their books belong to them alone, and one of another account is unknown', async () => {
    await expectShown({})
    await book('ethereum', { wallet_id: wallet, network_id: 'ethereum' })
    await book('base', { wallet_id: wallet, network_id: 'base-wallet' })
    await book('empty', { wallet_id: empty, network_id: 'ethereum' })
    await book('kraken', { connection_id: ids['kraken'] })
    await book('cash', { portfolio_id: ids['cash'] }, 'fifo')
    await book('cash of Bob', { portfolio_id: ids['cash of Bob'] })
    await expectShown({})
    expect(
      await readPortfolio(readonly.db, { accountId: ann, portfolioId: ids['kraken of Bob']! }),
    ).toBeUndefined()
    expect(await readPortfolio(readonly.db, { accountId: ann, portfolioId: ids['unknown']! })).toMatchObject({
      walletId: null,
      isFollowed: false,
    })
    expect(await readPortfolio(readonly.db, { accountId: ann, portfolioId: ids['kraken']! })).toMatchObject({
      kind: 'exchange',
      venue: 'kraken',
      syncedAt: at('09T00:00:00'),
    })
  })

  test('a sync is requested of one of them, until it is done', async () => {
    const request = (workflow: string, id: string, time: Date) =>
      ask(`insert into outbox (workflow, workflow_id, input, created_at) values ($1, $2, '{}', $3)`, [
        workflow,
        id,
        time,
      ])
    await request('syncWallet', 'sync:0x1:ethereum', at('08T00:00:00'))
    await request('syncExchange', `exchange:${ids['kraken']}`, at('08T00:00:00'))
    await expectShown({})
    await request('syncWallet', 'sync:0x1:ethereum', at('09T01:00:00'))
    await expectShown({ ethereum: `Requested ${current}`, 'of Bob': `Requested ${current}` })
    await request('syncExchange', `exchange:${ids['kraken']}`, at('09T01:00:00'))
    await request('syncWallet', 'sync:0x1:base-wallet', at('01T00:00:00'))
    await expectShown({
      ethereum: `Requested ${current}`,
      'of Bob': `Requested ${current}`,
      base: `Requested ${known}`,
      kraken: `Requested ${current}`,
    })
    await ask('truncate outbox')
  })

  test.each<[what: string, change: string, names: string[]]>([
    ['the legs of a book', 'update pl_states set legs_changed = true where book_id = $1', ['cash']],
    [
      'the coins of a book',
      `update folds set dirty_from = now() from scopes s where s.id = scope_id and s.book_id = $1`,
      ['kraken'],
    ],
    [
      'the first coins of a book',
      'update folds set folded_at = null from scopes s where s.id = scope_id and s.book_id = $1',
      ['cash'],
    ],
    [
      'a newly chosen cost method',
      `update folds set method = 'lifo' from scopes s where s.id = scope_id and s.book_id = $1`,
      ['cash'],
    ],
    [
      'the legs of a wallet',
      'update pl_states set legs_changed = true where book_id = $1',
      ['ethereum', 'of Bob'],
    ],
  ])('figures of a portfolio lack %s, and those of others do not', async (_, change, names) => {
    await ask('create table if not exists kept_folds as select id, folded_at, method from folds')
    await ask(change, [books[names[0]!]])
    await expectShown(Object.fromEntries(names.map((name) => [name, 'Current AccountComputed'])))
    await ask('update pl_states set legs_changed = false')
    await ask(
      `update folds f set dirty_from = null, folded_at = k.folded_at, method = k.method from kept_folds k where k.id = f.id`,
    )
  })

  test('transactions that are not derived yet are missing in their own portfolio', async () => {
    await ask(
      `insert into manual_transactions (id, portfolio_id, at, coin_id, count, currency, source, fetched_at, derived)
       values ($1, $2, $3, 'bitcoin', 1, 'USD', 'owner', $3, false)`,
      [randomUUID(), ids['cash'], NOW],
    )
    await expectShown({ cash: 'Current AccountComputed' })
    await ask('delete from manual_transactions')
  })

  test('what changed the account concerns its combined figures', async () => {
    await ask(`insert into scopes (account_id, dirty_from) values ($1, now())`, [ann])
    const alone = Object.fromEntries(
      Object.entries(ofAnn).map(([name, flags]) => [name, flags.replace(' AccountComputed', '')]),
    )
    await expectShown(alone)
    await ask('delete from scopes where account_id = $1', [ann])
  })

  test('positions are missing where the network has protocols and nobody has read them', async () => {
    await ask(
      `insert into defi_deployments (protocol_id, network_id) select min(id), 'ethereum' from defi_protocols`,
    )
    const lacking = `${current} lacksPositions`
    await expectShown({ ethereum: lacking, empty: lacking, 'of Bob': lacking })
    const read = (walletId: string, networkId: string) =>
      ask(`insert into defi_reads (wallet_id, network_id, source) values ($1, $2, 'test')`, [
        walletId,
        networkId,
      ])
    await read(wallet, 'base-wallet')
    await expectShown({ ethereum: lacking, empty: lacking, 'of Bob': lacking })
    await read(wallet, 'ethereum')
    await expectShown({ empty: lacking })
  })
})

describe('the figures of a portfolio', () => {
  beforeAll(async () => {
    const foldOf = async (name: string) =>
      (
        await ask<{ id: string }>(
          'select f.id from folds f join scopes s on s.id = f.scope_id where s.book_id = $1',
          [books[name]],
        )
      )[0]!.id
    await holding(await foldOf('ethereum'), 'bitcoin', 5)
    await holding(await foldOf('ethereum'), 'bitcoin', 2, { month: at('09T00:00:00'), unvalued_quantity: 1 })
    await holding(await foldOf('ethereum'), 'unpriced', 2, { paid_usd: 7 })
    await holding(await foldOf('base'), 'bitcoin', 1)
    await holding(await foldOf('kraken'), 'ethereum', 2)
    await holding(await foldOf('cash'), 'ethereum', 3)
    const [other] = await ask<{ id: string }>(
      `insert into folds (scope_id, method, dirty_from, folded_at) select id, 'average', null, now() from scopes
       where book_id = $1 returning id`,
      [books['cash']],
    )
    await holding(other!.id, 'ethereum', 99)
  })
  const values = async (...names: string[]) => {
    const found = await portfolioValues(readonly.db, {
      portfolioIds: names.map((name) => ids[name]!),
      nowMs: NOW.getTime(),
    })
    return Object.fromEntries([...found].map(([id, value]) => [nameOf(id), format(value)]))
  }

  test('are worth its coins by its own cost method, and nothing without complete figures', async () => {
    const all = ['ethereum', 'base', 'empty', 'kraken', 'cash', 'of Bob', 'kraken of Bob']
    const bitcoins = '177007'
    expect(await values(...all)).toEqual({
      ethereum: bitcoins,
      empty: '0',
      kraken: '4000',
      cash: '6000',
      'of Bob': bitcoins,
    })
    expect(await values('cash')).toEqual({ cash: '6000' })
    await ask('update exchange_connections set synced_at = null where id = $1', [ids['kraken']])
    await ask(
      `update folds f set folded_at = null from scopes s where s.id = f.scope_id and s.book_id = $1`,
      [books['cash']],
    )
    expect(await values(...all)).toEqual({ ethereum: bitcoins, empty: '0', 'of Bob': bitcoins })
  })

  test('are its balances before its history is complete, without spam and what is not known', async () => {
    const balance = (
      walletId: string,
      networkId: string,
      coinId: string,
      token: string | null,
      raw: number,
      decimals: number | null = 2,
    ) =>
      ask(
        `insert into balances (wallet_id, network_id, coin_id, token_address, raw, decimals, block_number, block_hash, source, fetched_at)
         values ($1, $2, $3, $4, $5, $6, 1, '0x', 'test', now())`,
        [walletId, networkId, coinId, token, raw, decimals],
      )
    const token = (networkId: string, address: string, spam: string | null) =>
      ask(
        `insert into tokens (network_id, address, symbol, name, decimals, coin_id, spam_reason, source, fetched_at)
         values ($1, $2, 'T', 'T', 2, 'x', $3, 'test', now())`,
        [networkId, address, spam],
      )
    await token('ethereum', '0xgood', null)
    await token('ethereum', '0xbad', 'spam')
    await token('base-wallet', '0xgood', 'spam')
    await balance(wallet, 'ethereum', 'good', '0xgood', 150)
    await balance(wallet, 'ethereum', 'bad', '0xbad', 100)
    await balance(wallet, 'ethereum', 'native', null, 250)
    await balance(wallet, 'ethereum', 'none', null, 0)
    await balance(wallet, 'ethereum', 'unknown', null, 100, null)
    await balance(wallet, 'base-wallet', 'native', null, 50)
    await balance(empty, 'ethereum', 'native', null, 7)
    await ask(
      `insert into exchange_assets (venue, asset, coin_id, currency, source, fetched_at) values
         ('kraken', 'XBT', 'bitcoin', null, 'symbol', now()), ('kraken', 'ETH', 'ethereum', null, 'symbol', now()),
         ('kraken', 'ZEUR', null, 'EUR', 'symbol', now()), ('kraken', 'ODD', null, null, 'symbol', now()),
         ('coinbase', 'XBT', 'tether', null, 'symbol', now())`,
    )
    for (const [name, asset, amount] of [
      ['kraken', 'XBT', 2],
      ['kraken', 'ETH', 0],
      ['kraken', 'ZEUR', 5],
      ['kraken', 'ODD', 9],
      ['kraken of Bob', 'ETH', 4],
    ] as const)
      await ask(
        `insert into exchange_balances (connection_id, asset, amount, source, fetched_at) values ($1, $2, $3, 'test', now())`,
        [ids[name], asset, amount],
      )
    const first = async (...names: string[]) =>
      Object.fromEntries(
        [
          ...(await readFirstHoldings(
            readonly.db,
            names.map((name) => ids[name]!),
          )),
        ].map(([id, count]) => [id, format(count)]),
      )
    expect(await first()).toEqual({})
    expect(await first('ethereum')).toEqual({ good: '1.5', native: '2.5' })
    expect(await first('base')).toEqual({ native: '0.5' })
    expect(await first('kraken', 'cash')).toEqual({ bitcoin: '2', FiatCoinEUR: '5' })
    expect(await first('ethereum', 'base', 'empty', 'kraken of Bob')).toEqual({
      good: '1.5',
      native: '3.07',
      ethereum: '4',
    })
  })
})

test('the history of a removed exchange account goes, with its legs, and that of others stays', async () => {
  const own = [ids['kraken'], ids['kraken of Bob']]
  for (const id of own)
    for (const [kind, key] of [
      ['fill', '1'],
      ['fill', '2'],
      ['deposit', '1'],
    ])
      await ask(
        `with t as (
           insert into exchange_transactions (connection_id, kind, key, at, status, type, asset, amount, source, fetched_at)
           values ($1, $2, $3, now(), 'ok', 'executed', 'XBT', 1, 'test', now()))
         insert into exchange_legs select * from jsonb_populate_record(null::exchange_legs, $4)`,
        [id, kind, key, { ...LEG, connection_id: id, kind, key }],
      )
  const left = async () =>
    (
      await ask<{ line: string }>(
        `select connection_id || ' ' || count(*) as line from
           (select connection_id from exchange_transactions union all select connection_id from exchange_legs) as of
         group by connection_id`,
      )
    )
      .map(({ line }) => nameOf(line.split(' ')[0]!) + ' ' + line.split(' ')[1]!)
      .toSorted()
  const remove = () => removeHistory(ingest.pool, { portfolioId: ids['kraken']! })
  expect([await remove(), await left()]).toEqual([false, ['kraken 6', 'kraken of Bob 6']])
  await ask('update portfolios set account_id = null where id = any($1)', [own])
  expect([await remove(), await left(), await remove()]).toEqual([true, ['kraken of Bob 6'], false])
})
const LEG = { at: NOW, role: 'base', asset: 'XBT', delta: 1, total: 1, source: 'test', fetched_at: NOW }
