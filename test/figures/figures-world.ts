import { foldScope } from '../../activities/pnl/fold-scope.ts'
import { recomputeBook } from '../../activities/pnl/recompute-books.ts'
import { settleScopes } from '../../activities/pnl/settle-scopes.ts'
import type { Connection } from '../../db/connect.ts'
import { type BookKey, markBookDirty, markWalletsDirty, openBook } from '../../db/pnl/books.ts'
import { dirtyFolds } from '../../db/pnl/lots/folds.ts'
import { lockScopes } from '../../db/pnl/scopes.ts'
import { noteChanges } from '../../db/pnl/valuation/price-changes.ts'
import { deriveLegs } from '../../db/exchanges/derive-legs.ts'
import { writeDefiRead } from '../../db/defi/write-positions.ts'
import { lockPortfolio } from '../../db/portfolios/lock-portfolio.ts'
import { renamePortfolio, setAccountCostMethod, setCostMethod } from '../../db/portfolios/operator.ts'
import { priceTransactions } from '../../db/portfolios/price-transactions.ts'
import { treatRole } from '../../db/portfolios/treat-role.ts'
import type { Db } from '../../db/schema.ts'
import { transact } from '../../db/transact.ts'
import { HOUR_MS } from '../../db/values/periods.ts'
import { insertMovements, putPrice } from '../pnl/world.ts'
import type { TestDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { hash } from '../setup/wallet-factories.ts'

/** The portfolios of an account whose data changes. */
export interface Changing {
  accountId: string
  walletIds: readonly string[]
  ids: { wallet: string; exchange: string; manual: string }
}

/** One change of the data, by its name and a number that varies it. */
export type Change = { what: string; n: number }

/**
 * Tables and views of wallets and portfolios, for which the rows of `figure-states.ts` stand. Networks, protocols and
 * deployments change with a release, or with the settings of a worker that starts.
 */
export const OF_HOLDERS = `
  portfolios portfolio_books books scopes folds uncomputed_figures
  pl_states pl_days balance_days coin_folds coin_fold_days coin_moves
  transfer_matches movements manual_transactions exchange_connections exchange_transactions exchange_legs
  exchange_assets transaction_parts role_treatments exchange_sync_requests sync_requests wallets
  wallet_syncs wallet_coverage networks defi_reads defi_marks defi_positions
  defi_assets defi_protocols defi_deployments`
  .trim()
  .split(/\s+/)

/** Those of them that an answer does not need again while the state of its holders stays the same. */
export const READ_ONCE = [
  'pl_days',
  'balance_days',
  'coin_folds',
  'coin_fold_days',
  'coin_moves',
  'transfer_matches',
  'movements',
  'exchange_legs',
]

const COINS = ['ethereum', 'bitcoin', 'tether'] as const
const METHODS = ['average', 'fifo', 'lifo', 'hifo'] as const

/** What the service writes below figures, each as one of its steps does. */
export function changesOf(
  database: TestDatabase,
  ingest: Pick<Connection<Db>, 'db' | 'pool'>,
  { owner, world, nowMs }: { owner: Db; world: Changing; nowMs: () => number },
) {
  const { db, pool } = ingest
  const { ids, walletIds, accountId } = world
  const run = (text: string, values: unknown[] = []) => query(database.ownerUrl, text, values)
  const books: readonly BookKey[] = [
    ...walletIds.map((walletId) => ({ walletId, networkId: 'ethereum' })),
    { connectionId: ids.exchange },
    { portfolioId: ids.manual },
  ]
  const pick = <T>(list: readonly T[], n: number): T => list[n % list.length]!
  const instant = (n: number) => new Date(nowMs() - 1 - (n % 200) * HOUR_MS)
  let made = 0

  const changes: Record<string, (n: number) => Promise<unknown>> = {
    'a movement': (n) =>
      transact(pool, async ({ db, client }) => {
        const walletId = pick(walletIds, n)
        const at = instant(n)
        await insertMovements(client as unknown as typeof pool, [
          {
            walletId,
            networkId: 'ethereum',
            atMs: at.getTime(),
            txHash: hash(1_000 + ++made),
            seq: 0,
            role: n % 5 === 0 ? 'reward' : 'transfer',
            coinId: pick(COINS, n),
            raw: BigInt(n % 3 === 0 ? -1 : 1) * 10n ** 17n,
            priceUsd: '100',
          },
        ])
        await markWalletsDirty(db, { networkId: 'ethereum', changes: [{ walletId, from: at, to: at }] })
      }),
    'a reorganisation': (n) =>
      transact(pool, async ({ db, client }) => {
        const walletId = pick(walletIds, n)
        const { rows } = await client.query<{ at: Date }>(
          `delete from movements where (wallet_id, tx_hash) = (
             select wallet_id, tx_hash from movements where wallet_id = $1 and block_hash <> '' order by at desc limit 1)
           returning at`,
          [walletId],
        )
        const at = rows[0]?.at
        if (at)
          await markWalletsDirty(db, { networkId: 'ethereum', changes: [{ walletId, from: at, to: at }] })
      }),
    'a deposit at the exchange': (n) =>
      run(
        `insert into exchange_transactions (connection_id, kind, key, at, status, type, asset, amount, source, fetched_at)
         values ($1, 'deposit', $2, $3, 'ok', 'deposit', 'ETH', 0.25, 'test', now())`,
        [ids.exchange, `new ${++made}`, instant(n)],
      ),
    'legs of the exchange': () =>
      deriveLegs(pool, { connectionId: ids.exchange, statedAt: new Date('2026-03-01T00:00:00Z') }),
    'a stated transaction': (n) =>
      run(
        `insert into manual_transactions (id, portfolio_id, at, coin_id, count, price, currency, price_usd, source, fetched_at)
         values (uuidv7(), $1, $2, $3, 0.75, 2000, 'USD', 2000, 'owner', now())`,
        [ids.manual, instant(n), pick(COINS, n)],
      ),
    'prices of stated transactions': () =>
      transact(pool, async ({ db }) => {
        const book = { portfolioId: ids.manual }
        await lockPortfolio(db, book)
        const from = await priceTransactions(db, book)
        if (from) await markBookDirty({ db, book, from })
      }),
    'a deleted statement': () =>
      transact(pool, async ({ db, client }) => {
        const { rows } = await client.query<{ at: Date }>(
          `delete from manual_transactions where id = (
             select id from manual_transactions where portfolio_id = $1 order by at desc limit 1) returning at`,
          [ids.manual],
        )
        if (rows[0]) await markBookDirty({ db, book: { portfolioId: ids.manual }, from: rows[0].at })
      }),
    'days of a book': (n) => recomputeBook({ pool, book: pick(books, n), nowMs: nowMs() }),
    'coins of a book': async (n) => {
      const { id } = await openBook(db, pick(books, n))
      const [foldId] = await dirtyFolds(db, { bookId: id })
      if (foldId !== undefined) await foldScope({ pool, foldId, nowMs: nowMs() })
    },
    'own transfers of the account': () =>
      transact(pool, async ({ db }) =>
        settleScopes({ db, scopes: await lockScopes(db, { accountId }), fromMs: Infinity }),
      ),
    'everything computed': async () => {
      for (const book of books) {
        await recomputeBook({ pool, book, nowMs: nowMs() })
        const { id } = await openBook(db, book)
        for (const foldId of await dirtyFolds(db, { bookId: id }))
          await foldScope({ pool, foldId, nowMs: nowMs() })
      }
      await changes['own transfers of the account']!(0)
      for (const foldId of await dirtyFolds(db, { accountId }))
        await foldScope({ pool, foldId, nowMs: nowMs() })
    },
    'a cost method': (n) =>
      setCostMethod(owner, { id: pick(Object.values(ids), n), method: pick(METHODS, n) }),
    'the cost method of the account': (n) =>
      setAccountCostMethod(owner, { accountId, method: pick(METHODS, n) }),
    'a treatment of rewards': (n) =>
      treatRole(owner, {
        id: ids.wallet,
        role: 'reward',
        treatment: n % 2 === 0 ? 'flow' : null,
        askedBy: 'test',
        now: new Date(nowMs()),
      }),
    'a name': (n) => renamePortfolio(owner, { id: pick(Object.values(ids), n), name: `Name ${n}` }),
    'a quote': (n) =>
      run('update coin_quotes set price_usd = price_usd * 1.01, at = $2 where coin_id = $1', [
        pick(COINS, n),
        new Date(nowMs() - (n % 7) * 60_000),
      ]),
    'an hourly price': async (n) => {
      const atMs = Math.floor(instant(n).getTime() / HOUR_MS) * HOUR_MS
      const coinId = pick(COINS, n)
      await transact(pool, async ({ db }) => {
        await putPrice(db, { table: 'price_hours', coinId, atMs, usd: String(100 + n) })
        await noteChanges({ db, changes: [{ coinId, from: new Date(atMs) }] })
      })
    },
    'a rate': (n) =>
      run(`update fx_rates set per_usd = per_usd * 1.01 where currency = 'EUR' and $1::int >= 0`, [n]),
    'a description': (n) => run(`update coins set name = $2 where id = $1`, [pick(COINS, n), `Coin ${n}`]),
    'a risk': (n) =>
      run(
        `insert into coin_risks (coin_id, liquidity_score, volatility_score, market_cap_score, risk_score, avg_change, source, fetched_at)
         values ($1, $2, 1, 1, 1, 1, 'test', now()) on conflict (coin_id) do update set liquidity_score = excluded.liquidity_score`,
        [pick(COINS, n), n],
      ),
    'a sync of a wallet': (n) =>
      run('update wallet_syncs set synced_at = $2 where wallet_id = $1', [
        pick(walletIds, n),
        new Date(nowMs()),
      ]),
    'a sync that begins anew': (n) =>
      run(
        'update wallet_syncs set synced_at = case when synced_at is null then $2::timestamptz end where wallet_id = $1',
        [pick(walletIds, n), new Date(nowMs())],
      ),
    'a sync of the exchange': () =>
      run('update exchange_connections set synced_at = $2, covered_to = $2 where id = $1', [
        ids.exchange,
        new Date(nowMs()),
      ]),
    positions: (n) =>
      transact(pool, ({ client }) =>
        writeDefiRead(client, {
          walletId: walletIds[0]!,
          networkId: 'ethereum',
          positions:
            n % 3 === 0
              ? []
              : [
                  {
                    protocolId: 'aave-v3',
                    id: 'position',
                    name: 'Lending',
                    poolAddress: '0x1',
                    healthRate: null,
                    unlockAt: null,
                    endAt: null,
                    assets: [{ role: 'supplied', token: null, raw: BigInt(n + 1) * 10n ** 16n }],
                  },
                ],
          block: { number: 1 + made++, hash: hash(1), at: new Date(nowMs()) },
          source: 'test',
          fetchedAt: new Date(nowMs()),
          answered: ['aave-v3'],
          unknown: [],
          failure: null,
        }),
      ),
    'positions that are not read': () => run('delete from defi_reads where wallet_id = $1', [walletIds[0]]),
  }
  return changes
}

/**
 * Refuses each commit that writes rows below figures without the row that stands for them: that of the state of
 * their book, or of their fold. Kept answers look only at those. With that row, what is below it may be deleted.
 */
export const GUARD = `
  create function refuse_unmarked() returns trigger language plpgsql as $guard$
  declare
    changed jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
    own bigint := pg_current_xact_id()::text::bigint & 4294967295;
    marked boolean;
  begin
    execute format('select coalesce(bool_or(x.xmin::text::bigint = $2), $3) from %s', tg_argv[0])
      into marked using changed, own, tg_op = 'DELETE';
    if not marked then
      raise exception '% of % is not marked', tg_op, tg_table_name;
    end if;
    return null;
  end $guard$;
  ${Object.entries({
    movements: `pl_states x join books b on b.id = x.book_id
      where b.wallet_id = ($1->>''wallet_id'')::bigint and b.network_id = $1->>''network_id''`,
    exchange_legs: `pl_states x join books b on b.id = x.book_id where b.connection_id = ($1->>''connection_id'')::uuid`,
    role_treatments: `pl_states x where x.book_id = ($1->>''book_id'')::bigint`,
    pl_days: `pl_states x where x.book_id = ($1->>''book_id'')::bigint`,
    balance_days: `pl_states x where x.book_id = ($1->>''book_id'')::bigint`,
    transfer_matches: `folds x where x.scope_id = ($1->>''scope_id'')::bigint`,
    coin_folds: `folds x where x.id = ($1->>''fold_id'')::bigint`,
    coin_fold_days: `folds x where x.id = ($1->>''fold_id'')::bigint`,
    coin_moves: `folds x where x.id = ($1->>''fold_id'')::bigint`,
    defi_positions: `defi_reads x where x.wallet_id = ($1->>''wallet_id'')::bigint and x.network_id = $1->>''network_id''`,
    defi_assets: `defi_reads x where x.wallet_id = ($1->>''wallet_id'')::bigint and x.network_id = $1->>''network_id''`,
  })
    .map(
      ([
        table,
        condition,
      ]) => `create constraint trigger refuse_unmarked after insert or update or delete on ${table}
        deferrable initially deferred for each row execute function refuse_unmarked('${condition}');`,
    )
    .join('\n')}`
