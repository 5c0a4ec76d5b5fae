import { beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

// What the views and functions of profit and loss return for one book, scope or fold lacks the rows of others.

const database = await testDatabase()
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)
/** The values of the first column. */
const list = async (text: string, values: unknown[] = []) =>
  (await ask(text, values)).map((row): unknown => Object.values(row)[0])

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
const [ONE, TWO] = [id(1), id(2)]
const [MANUAL, EMPTY_MANUAL, EXCHANGE, OTHER_EXCHANGE] = [id(3), id(4), id(5), id(6)]
const [WALLET, OTHER_WALLET] = [id(7), id(8)]
/** Names of books. */
const NAME = `coalesce((select address from wallets where id = b.wallet_id) || ' ' || b.network_id,
  right(coalesce(b.portfolio_id, b.connection_id)::text, 1))`

// Two accounts with a portfolio of each kind, and two wallets on two networks.
await ask(
  `insert into accounts (id, name, plan, cost_method) values ($1, 'one', 'free', 'fifo'), ($2, 'two', 'free', 'lifo')`,
  [ONE, TWO],
)
await ask(`insert into wallets (address) values ('w1'), ('w2')`)
await ask(
  `insert into portfolios (id, account_id, kind, address, network_id, cost_method) values
     ($1, $7, 'manual', null, null, 'hifo'), ($2, $8, 'manual', null, null, 'average'),
     ($3, $7, 'exchange', null, null, 'lifo'), ($4, $8, 'exchange', null, null, 'average'),
     ($5, $7, 'wallet', 'w1', 'ethereum', 'fifo'), ($6, $8, 'wallet', 'w2', 'base-wallet', 'lifo')`,
  [MANUAL, EMPTY_MANUAL, EXCHANGE, OTHER_EXCHANGE, WALLET, OTHER_WALLET, ONE, TWO],
)
await ask(
  `insert into exchange_connections (id, account_id, venue, fingerprint, version)
   select id, account_id, 'kraken', sha256(id::text::bytea), 1 from portfolios where kind = 'exchange'`,
)
await ask(
  `insert into books (wallet_id, network_id) select id, network from wallets, unnest(array['ethereum', 'base-wallet']) network
   order by id, network desc`,
)
await ask(`insert into books (connection_id) select id from portfolios where kind = 'exchange' order by id`)
await ask(`insert into books (portfolio_id) select id from portfolios where kind = 'manual' order by id`)
await ask('insert into scopes (book_id, dirty_from) select id, null from books order by id')
await ask('insert into scopes (wallet_id, dirty_from) select id, null from wallets order by id')
await ask('insert into scopes (account_id, dirty_from) select id, null from accounts order by id')
await ask(
  `insert into folds (scope_id, method, dirty_from) select id, method, null from scopes, unnest(array['average', 'fifo']) method
   order by id, method`,
)

/** The only id that a query finds. */
const one = async (text: string, values: unknown[] = []) => {
  const found = await list(text, values)
  expect(found).toHaveLength(1)
  return String(found[0])
}
const scopeOf = (of: { book: string } | { wallet: string } | { account: string }) =>
  'book' in of
    ? one(`select s.id from scopes s join books b on b.id = s.book_id where ${NAME} = $1`, [of.book])
    : 'wallet' in of
      ? one('select s.id from scopes s join wallets w on w.id = s.wallet_id where address = $1', [of.wallet])
      : one('select id from scopes where account_id = $1', [of.account])
const foldOf = async (method: string, of: Parameters<typeof scopeOf>[0]) =>
  one('select id from folds where scope_id = $1 and method = $2', [await scopeOf(of), method])

beforeEach(async () => {
  await ask(
    'truncate pl_states, coin_folds, past.coin_folds, lot_uses, exchange_transactions, manual_transactions cascade',
  )
  await ask('insert into pl_states (book_id, computed_to) select id, now() from books')
})

test('books of portfolios are of the kind of the portfolio, those of wallets on its network', async () => {
  const rows = await ask<{ id: string; account: string; name: string; method: string }>(
    `select right(p.portfolio_id::text, 1) as id, right(p.account_id::text, 1) as account, ${NAME} as name, cost_method as method
     from portfolio_books p join books b on b.id = p.book_id order by 1`,
  )
  expect(rows.map((row) => Object.values(row).join(', '))).toEqual([
    '3, 1, 3, hifo',
    '4, 2, 4, average',
    '5, 1, 5, lifo',
    '6, 2, 6, average',
    '7, 1, w1 ethereum, fifo',
    '8, 2, w2 base-wallet, lifo',
  ])
})

test('scopes have the computed books of their book, wallet or account', async () => {
  const books = async (of: Parameters<typeof scopeOf>[0]) =>
    list(
      `select ${NAME} from scope_books s join books b on b.id = s.book_id where scope_id = $1 order by b.id`,
      [await scopeOf(of)],
    )
  expect(await books({ book: 'w1 ethereum' })).toEqual(['w1 ethereum'])
  expect(await books({ wallet: 'w1' })).toEqual(['w1 ethereum', 'w1 base-wallet'])
  expect(await books({ account: ONE })).toEqual(['w1 ethereum', '5', '3'])
  await ask('update pl_states set computed_to = null where book_id = (select min(id) from books)')
  expect(await books({ book: 'w1 ethereum' })).toEqual([])
  expect(await books({ wallet: 'w1' })).toEqual(['w1 base-wallet'])
  expect(await books({ account: ONE })).toEqual(['5', '3'])
})

test('a book has coin rows by average and by the methods of its portfolios, a wallet by average, an account by its method', async () => {
  const methods = async (of: Parameters<typeof scopeOf>[0]) =>
    list('select method from scope_methods($1) as method order by 1', [await scopeOf(of)])
  expect(await methods({ book: 'w1 ethereum' })).toEqual(['average', 'fifo'])
  expect(await methods({ book: 'w1 base-wallet' })).toEqual(['average'])
  expect(await methods({ book: '3' })).toEqual(['average', 'hifo'])
  expect(await methods({ wallet: 'w1' })).toEqual(['average'])
  expect(await methods({ account: TWO })).toEqual(['lifo'])
})

test('a manual portfolio is marked from its earliest change on, and no other is', async () => {
  await ask(`delete from pl_states where book_id in (select id from books where portfolio_id = $1)`, [MANUAL])
  const mark = (day: number) => ask('select mark_manual_dirty($1, $2)', [MANUAL, `2026-01-0${day}Z`])
  const marks = () =>
    ask(
      `select ${NAME} as name, to_char(dirty_from at time zone 'UTC', 'DD') as day, legs_changed
       from pl_states join books b on id = book_id where dirty_from is not null`,
    )
  await mark(5)
  expect(await marks()).toEqual([{ name: '3', day: '05', legs_changed: true }])
  await ask('update pl_states set legs_changed = false')
  await mark(3)
  expect(await marks()).toEqual([{ name: '3', day: '03', legs_changed: true }])
  await mark(7)
  expect(await marks()).toEqual([{ name: '3', day: '03', legs_changed: true }])
})

test('figures are uncomputed of exactly the books, portfolios and accounts to which something happened', async () => {
  const uncomputed = async (...changes: [text: string, values?: unknown[]][]) => {
    for (const [text, values] of changes) await ask(text, values)
    const found = await list(
      `select distinct coalesce(${NAME}, 'portfolio ' || right(u.portfolio_id::text, 1), 'account ' || right(u.account_id::text, 1))
       from uncomputed_figures u left join books b on b.id = u.book_id order by 1`,
    )
    await ask('update folds set dirty_from = null')
    await ask('update scopes set dirty_from = null')
    await ask('update pl_states set legs_changed = false, computed_to = now()')
    return found
  }
  expect(await uncomputed()).toEqual([])
  const OF_BOOK = `where book_id = (select id from books b where ${NAME} = $1)`
  expect(await uncomputed([`update pl_states set legs_changed = true ${OF_BOOK}`, ['3']])).toEqual(['3'])
  expect(await uncomputed([`update pl_states set computed_to = null ${OF_BOOK}`, ['w1 ethereum']])).toEqual([
    'w1 ethereum',
  ])
  const fold = 'update folds set dirty_from = now() where id = $1'
  expect(await uncomputed([fold, [await foldOf('fifo', { book: '5' })]])).toEqual(['5'])
  expect(await uncomputed([fold, [await foldOf('average', { account: ONE })]])).toEqual(['account 1'])
  expect(await uncomputed([fold, [await foldOf('average', { wallet: 'w2' })]])).toEqual([
    'w2 base-wallet',
    'w2 ethereum',
  ])
  const scope = 'update scopes set dirty_from = now() where id = $1'
  expect(await uncomputed([scope, [await scopeOf({ account: TWO })]])).toEqual(['account 2'])
  // What changes of the transfers of a book or a wallet shows in its folds.
  expect(await uncomputed([scope, [await scopeOf({ wallet: 'w1' })]])).toEqual([])
  const transaction = `insert into exchange_transactions (connection_id, kind, key, at, status, type, asset, amount, source, fetched_at)
    values ($1, 'deposit', 'k', now(), 'ok', 'deposit', 'BTC', 1, 'test', now())`
  const record = `insert into manual_transactions (id, portfolio_id, at, coin_id, count, currency, source, fetched_at)
    values ($1, $1, now(), 'bitcoin', 1, 'USD', 'test', now())`
  expect(await uncomputed([transaction, [EXCHANGE]], [record, [EMPTY_MANUAL]])).toEqual([
    'portfolio 4',
    'portfolio 5',
  ])
  const derived = (table: string) => `update ${table} set derived = true`
  expect(await uncomputed([derived('exchange_transactions')], [derived('manual_transactions')])).toEqual([])
  expect(await list('select count(*)::integer from as_of.uncomputed_figures')).toEqual([0])
})

const coinRow = (row: Readonly<Record<string, unknown>>) =>
  ask(
    `insert into coin_folds select (jsonb_populate_record(null::coin_folds, jsonb_object_agg(column_name, 0)
       || jsonb_build_object('recorded_at', now()) || $1)).*
     from information_schema.columns
     where table_schema = 'public' and table_name = 'coin_folds' and is_nullable = 'NO' and data_type = 'numeric'`,
    [JSON.stringify(row)],
  )

test('coins of a fold: each once, at a past instant also those that it has no more', async () => {
  const own = await foldOf('fifo', { book: '3' })
  const other = await foldOf('fifo', { book: '5' })
  for (const [fold_id, coins] of [
    [own, ['b', 'd', 'f']],
    [other, ['a', 'c', 'e', 'g']],
  ] as const)
    for (const coin_id of coins)
      for (const month of ['2026-01-01Z', '2026-02-01Z']) await coinRow({ fold_id, coin_id, month })
  const coins = (schema: string, fold = own) => list(`select ${schema}.fold_coins($1)`, [fold])
  expect(await coins('public')).toEqual(['b', 'd', 'f'])
  expect(await coins('public', other)).toEqual(['a', 'c', 'e', 'g'])
  expect(await coins('public', await foldOf('average', { book: '5' }))).toEqual([])
  await ask(
    `insert into past.coin_folds (fold_id, coin_id, recorded_at, replaced_at)
     select fold, coin, now(), now() from (values ($1::bigint, 'b'), ($1, 'h'), ($1, 'h'), ($1, 'j'), ($2, 'i'), ($2, 'z')) _ (fold, coin)`,
    [own, other],
  )
  expect(new Set(await coins('as_of'))).toEqual(new Set(['b', 'd', 'f', 'h', 'j']))
})

const DAY = 86_400_000
const at = (day: number) => Date.UTC(2026, 0, day)

/**
 * Two folds with alike uses: lots that were acquired at the same instant, and at another with the same number; and a
 * disposal of one lot of income, of what was bought and of what was never acquired.
 */
async function storeUses(own: string, other: string) {
  const acquired = (name: string) => [
    ['coin', at(1), 1, 'income', 11, `${name} reward`, '4', '0', '8', 'reward'],
    ['coin', at(1), 2, 'trade', 11, `${name} purchase`, '3', '30', '29'],
    ['coin', at(2), 1, 'receipt', 12, `${name} receipt`, '5', '55', '55'],
  ]
  const lots = [
    [at(1), 1, '2', '26', '0', '1'],
    [at(1), 2, '1', '13', '10', '0.5'],
    [null, null, '1', '13', null],
  ]
  const disposed = (name: string) => [
    ['coin', at(4) + DAY / 2, 1, 'send', 13, `${name} send`, lots],
    ['coin', at(4) + DAY / 2, 2, 'trade', 13, `${name} sale`, [[at(2), 1, '1', '9', '11']]],
  ]
  for (const [fold, name] of [
    [own, 'own'],
    [other, 'other'],
  ])
    await ask(`insert into lot_uses values ($1, '2026-01-01Z', $2, $3)`, [
      fold,
      JSON.stringify(acquired(name!)),
      JSON.stringify(disposed(name!)),
    ])
}

test('disposals by lot: with the acquisition in the same fold, its age, the gain and what the income was worth', async () => {
  const own = await foldOf('fifo', { book: '3' })
  await storeUses(own, await foldOf('fifo', { book: '5' }))
  const rows = await ask(
    `select concat_ws(' ', (extract(epoch from disposed_at) * 1000)::bigint, seq, position, tx_id) as disposal,
       concat_ws(' ', (extract(epoch from acquired_at) * 1000)::bigint, acquired_book_id, acquired_tx_id) as acquisition,
       quantity::float8, gain_usd::float8 as gain, fee_usd::float8 as fee, holding_days as days, uncovered,
       income_usd::float8 as income
     from disposals where fold_id = $1 order by seq, position`,
    [own],
  )
  const of = (disposal: string, acquisition: string, figures: object) => ({
    disposal: `${at(4) + DAY / 2} ${disposal}`,
    acquisition,
    ...figures,
  })
  expect(rows).toEqual([
    of('1 1 own send', `${at(1)} 11 own reward`, {
      quantity: 2,
      gain: 26,
      fee: 1,
      days: 3,
      uncovered: false,
      income: 4,
    }),
    of('1 2 own send', `${at(1)} 11 own purchase`, {
      quantity: 1,
      gain: 3,
      fee: 0.5,
      days: 3,
      uncovered: false,
      income: null,
    }),
    of('1 3 own send', '', { quantity: 1, gain: 13, fee: 0, days: null, uncovered: true, income: null }),
    of('2 1 own sale', `${at(2)} 12 own receipt`, {
      quantity: 1,
      gain: -2,
      fee: 0,
      days: 2,
      uncovered: false,
      income: null,
    }),
  ])
})

test('flows are receipts, and sends as a whole', async () => {
  const own = await foldOf('fifo', { book: '3' })
  await storeUses(own, await foldOf('fifo', { book: '5' }))
  const rows = await ask<object>(
    `select (extract(epoch from at) * 1000)::bigint as at, tx_id, quantity::float8, flow_usd::float8 from flows
     where fold_id = $1 order by at`,
    [own],
  )
  expect(rows.map((row) => Object.values(row).join(' '))).toEqual([
    `${at(2)} own receipt 5 55`,
    `${at(4) + DAY / 2} own send -4 -52`,
  ])
})

test('open lots are those of the last month of each coin, with their acquisition in the same fold', async () => {
  const own = await foldOf('fifo', { book: '3' })
  const [other, average] = [await foldOf('fifo', { book: '5' }), await foldOf('average', { book: '3' })]
  await storeUses(own, other)
  const lots = [
    [at(1), 1, '2', '0', '0'],
    [at(2), 1, '4', '44', '11'],
  ]
  const row = (fold_id: string, coin_id: string, month: number, rest: object) =>
    coinRow({ fold_id, coin_id, month: `2026-0${month}-01Z`, ...rest })
  await row(own, 'coin', 1, { quantity: 9, lots_usd: [[at(1), 1, '9', '9', '1']] })
  await row(own, 'coin', 2, { quantity: 6, cost_usd: 44, lots_usd: lots })
  await row(own, 'sold', 2, { lots_usd: [] })
  await row(other, 'coin', 3, { quantity: 1, lots_usd: [[at(1), 2, '1', '7', '7']] })
  await row(average, 'coin', 2, { quantity: 6, cost_usd: 50 })
  await row(average, 'sold', 2, {})
  const open = async (fold: string) =>
    (
      await ask<object>(
        `select coin_id, position, (extract(epoch from acquired_at) * 1000)::bigint as at, quantity::float8, cost_usd::float8,
           acquired_book_id, acquired_tx_id
         from open_lots where fold_id = $1 order by coin_id, position`,
        [fold],
      )
    ).map((lot) => Object.values(lot).join(' '))
  expect(await open(own)).toEqual([
    `coin 1 ${at(1)} 2 0 11 own reward`,
    `coin 2 ${at(2)} 4 44 12 own receipt`,
  ])
  expect(await open(other)).toEqual([`coin 1 ${at(1)} 1 7 11 other purchase`])
  expect(await open(average)).toEqual(['coin 1  6 50  '])
})
