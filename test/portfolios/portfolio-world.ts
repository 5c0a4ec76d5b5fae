import { createHash, randomUUID } from 'node:crypto'
import { foldChanges } from '../../activities/pnl/fold-scope.ts'
import { recomputeBook } from '../../activities/pnl/recompute-books.ts'
import { settleScopes } from '../../activities/pnl/settle-scopes.ts'
import type { Connection } from '../../db/connect.ts'
import type { Db } from '../../db/schema.ts'
import { deriveLegs } from '../../db/exchanges/derive-legs.ts'
import type { BookKey } from '../../db/pnl/books.ts'
import { markBookDirty } from '../../db/pnl/books.ts'
import { type Change, lockScopes } from '../../db/pnl/scopes.ts'
import { lockPortfolio } from '../../db/portfolios/lock-portfolio.ts'
import { priceTransactions } from '../../db/portfolios/price-transactions.ts'
import { transact } from '../../db/transact.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import type { TestDatabase } from '../setup/database.ts'
import { insertCoin, insertPrices } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { insertTransactions, insertWallet } from '../setup/wallet-factories.ts'
import { insertMovements } from '../pnl/world.ts'

// Portfolios of March 2026 with figures that are easy to check: ETH stays at 2,000, BTC gains 1,000 a day
// from 50,000.

export const NOW = new Date('2026-03-10T12:00:00Z')
export const at = (text: string) => new Date(`2026-03-${text}Z`)

type Client = Pick<Connection<Db>, 'db' | 'pool'>

/** Coins, their daily prices and their names at the exchange. */
export async function insertMarket(owner: Db, ownerUrl: string): Promise<void> {
  const days = Array.from({ length: 10 }, (_, day) => new Date(at('01T00:00:00').getTime() + day * DAY_MS))
  const prices = { bitcoin: 50_000, ethereum: 2_000, tether: 1 }
  for (const [id, usd] of Object.entries(prices)) {
    const grown = (index: number) => String(id === 'bitcoin' ? usd + 1_000 * index : usd)
    await insertCoin(owner, {
      id,
      symbol: SYMBOLS[id]!,
      priceUsd: grown(9),
      at: NOW,
      isStable: id === 'tether',
    })
    const points = days.map((day, index) => [day, grown(index)] as const)
    await insertPrices(owner, { coinId: id, resolution: 'day', points })
  }
  await query(
    ownerUrl,
    `insert into exchange_assets (venue, asset, coin_id, source, fetched_at) values
     ('binance', 'BTC', 'bitcoin', 'symbol', now()), ('binance', 'USDT', 'tether', 'symbol', now()),
     ('binance', 'ETH', 'ethereum', 'symbol', now()), ('binance', 'LDETH', 'ethereum', 'symbol', now())`,
  )
}
const SYMBOLS: Record<string, string> = { bitcoin: 'btc', ethereum: 'eth', tether: 'usdt' }

/** One movement of a coin with 18 decimals, alone in its transaction. */
export interface Movement {
  at: Date
  coinId: string
  amount: number
  priceUsd: number
}

interface Stated {
  at: Date
  coinId: string
  count: number
  priceUsd: number | null
  note?: string
}

/** Stores portfolios and computes them, as the workflows do. */
export function portfolioWorld(
  database: TestDatabase,
  { db: owner }: { db: Db },
  ingest: Client,
  now: () => Date = () => NOW,
) {
  let made = 0
  const run = (text: string, values: unknown[] = []) => query(database.ownerUrl, text, values)

  const fold = (change: Change): Promise<void> => foldChanges({ ...ingest, change, nowMs: now().getTime() })

  async function compute(book: BookKey): Promise<void> {
    await recomputeBook({ pool: ingest.pool, book, nowMs: now().getTime() })
    const [row] = await query<{ id: string }>(
      database.ownerUrl,
      `select id from books where connection_id::text = $1 or portfolio_id::text = $1 or (wallet_id::text = $1 and network_id = $2)`,
      'walletId' in book ? [book.walletId, book.networkId] : [Object.values(book)[0], ''],
    )
    await fold({ bookId: row!.id })
  }

  /** Recomputes an account after its portfolios changed. */
  async function settle(accountId: string): Promise<void> {
    await transact(ingest.pool, async ({ db }) =>
      settleScopes({ db, scopes: await lockScopes(db, { accountId }), fromMs: Infinity }),
    )
    await fold({ accountId })
  }

  async function portfolio(row: {
    accountId: string
    kind: string
    id?: string
    name?: string
    address?: string
    networkId?: string
    costMethod?: string
  }): Promise<string> {
    const { accountId, kind, id = randomUUID() } = row
    await run(
      `insert into portfolios (id, account_id, kind, name, address, network_id, cost_method, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, timestamptz '2026-03-09' + $8 * interval '1 second')`,
      [
        id,
        accountId,
        kind,
        row.name ?? null,
        row.address ?? null,
        row.networkId ?? null,
        row.costMethod ?? 'average',
        ++made,
      ],
    )
    await run('select mark_account_dirty($1)', [accountId])
    await settle(accountId)
    return id
  }

  return {
    settle,
    compute,

    /** Prices and computes a manual portfolio after its transactions were corrected or deleted. */
    async recompute(portfolioId: string): Promise<void> {
      await transact(ingest.pool, async ({ db }) => {
        await lockPortfolio(db, { portfolioId })
        const from = await priceTransactions(db, { portfolioId })
        if (from) await markBookDirty({ db, book: { portfolioId }, from })
      })
      await compute({ portfolioId })
    },

    /** Creates a synced wallet with its movements. Returns its id. */
    async wallet(address: string, networkId: string, movements: readonly Movement[]): Promise<string> {
      const walletId = await insertWallet(owner, { address, syncs: { [networkId]: NOW } })
      const hashOf = (index: number) =>
        `0x${createHash('sha256').update(`${address} ${index}`).digest('hex')}`
      if (movements.length === 0) return walletId
      const unit = 10n ** 12n
      await insertMovements(
        ingest.pool,
        movements.map((one, index) => ({
          walletId,
          networkId,
          atMs: one.at.getTime(),
          txHash: hashOf(index),
          seq: 0,
          role: 'transfer',
          coinId: one.coinId,
          raw: BigInt(Math.round(one.amount * 1e6)) * unit,
          priceUsd: String(one.priceUsd),
        })),
      )
      await insertTransactions(owner, {
        walletId,
        transactions: movements.map((one, index) => ({
          networkId,
          at: one.at,
          hash: hashOf(index),
          type: one.amount < 0 ? 'withdraw' : 'deposit',
          main: {
            coinId: one.coinId,
            symbol: (SYMBOLS[one.coinId] ?? one.coinId).toUpperCase(),
            count: String(one.amount),
            valueUsd: String(Math.abs(one.amount * one.priceUsd)),
          },
        })),
      })
      await compute({ walletId, networkId })
      return walletId
    },

    walletPortfolio: (accountId: string, address: string, networkId: string, name?: string) =>
      portfolio({ accountId, kind: 'wallet', address, networkId, ...(name !== undefined && { name }) }),

    /** Creates a Binance account with its transactions. `synced` false: its first sync is not done. */
    async exchangePortfolio(
      accountId: string,
      rows: readonly [kind: string, at: Date, asset: string, amount: number, quote?: [string, number]][],
      synced = true,
    ): Promise<string> {
      const id = randomUUID()
      await run(
        `insert into exchange_connections (id, account_id, venue, fingerprint, version, active_version, synced_at, covered_to)
         values ($1, $2, 'binance', $3, 1, 1, $4, $4)`,
        [id, accountId, createHash('sha256').update(id).digest(), synced ? NOW : null],
      )
      for (const [index, [kind, time, asset, amount, quote]] of rows.entries())
        await run(
          `insert into exchange_transactions (connection_id, kind, key, at, status, type, asset, amount, quote_asset,
             quote_amount, source, fetched_at)
           values ($1, $2, $3, $4, 'ok', $5, $6, $7, $8, $9, 'test', now())`,
          [
            id,
            kind,
            String(index),
            time,
            kind === 'deposit' ? 'deposit' : 'executed',
            asset,
            amount,
            quote?.[0] ?? null,
            quote?.[1] ?? null,
          ],
        )
      await deriveLegs(ingest.pool, { connectionId: id, statedAt: at('01T00:00:00') })
      if (synced) await compute({ connectionId: id })
      return portfolio({ accountId, kind: 'exchange', id })
    },

    async manualPortfolio(
      accountId: string,
      stated: readonly Stated[],
      options: { name?: string; costMethod?: string } = {},
    ): Promise<string> {
      const id = await portfolio({ accountId, kind: 'manual', ...options })
      await this.state(id, stated)
      return id
    },

    /** Adds manual transactions and computes them. */
    async state(portfolioId: string, stated: readonly Stated[]): Promise<void> {
      await this.note(portfolioId, stated)
      if (stated.length > 0) await compute({ portfolioId })
    },

    /** Stores priced manual transactions and marks their figures dirty. */
    async note(portfolioId: string, stated: readonly Stated[]): Promise<void> {
      for (const one of stated) {
        await run(
          `insert into manual_transactions (id, portfolio_id, at, coin_id, count, price, currency, price_usd, note, derived,
             source, fetched_at)
           values (uuidv7(), $1, $2, $3, $4, $5, 'USD', $5, $6, true, 'test', $7)`,
          [portfolioId, one.at, one.coinId, one.count, one.priceUsd, one.note ?? null, at('09T00:00:00')],
        )
        await run('select mark_manual_dirty($1, $2)', [portfolioId, one.at])
      }
    },
  }
}
