import { createHash } from 'node:crypto'
import { insertOpenings } from './engine/insert-openings.ts'
import { recomputeBook } from '../../activities/pnl/recompute-books.ts'
import type { Connection } from '../../db/connect.ts'
import type { Db } from '../../db/schema.ts'
import type { BookKey } from '../../db/pnl/books.ts'
import type { Leg } from '../../db/pnl/legs/leg.ts'
import type { Role } from '../../db/pnl/legs/roles.ts'
import { markAccountDirty, markBookDirty } from '../../db/pnl/books.ts'
import type { PriceBook } from '../../db/pnl/valuation/price-book.ts'
import { decimal, formatDecimal, fromRaw } from '../../db/values/decimal.ts'
import { refreshAccount, foldBook } from './law-three.ts'
import { insertMovements } from './world.ts'

/** The portfolios of an account: a wallet on two networks, an exchange account and a manual portfolio. */
export const HOLDERS = ['ethereum', 'base-wallet', 'exchange', 'manual'] as const
export type Holder = (typeof HOLDERS)[number]

/** A leg of a test, with 18 decimals and a role that its holder can have. */
export interface TestLeg {
  holder: Holder
  tx: number
  atMs: number
  seq: number
  role: Role
  coinId: string
  raw: bigint
  /** stated with the transaction */
  priceUsd: string | null
}

const uuid = (part: number, n: number) => `0000000${part}-0000-4000-8000-${n.toString(16).padStart(12, '0')}`
const countOf = ({ raw }: TestLeg) => formatDecimal(fromRaw(raw, 18))

/** Creates an account whose transactions are stored as the areas store them. */
export async function createAccount(input: {
  connection: Pick<Connection<Db>, 'db' | 'pool'>
  number: number
  nowMs: number
}) {
  const { number, nowMs } = input
  const { db, pool } = input.connection
  const address = `0x${number.toString(16).padStart(40, '0')}`
  const text = (value: string) => pool.query<{ id: string }>(value, [address]).then(({ rows }) => rows[0]!.id)
  const accountId = await text(`insert into accounts (name, plan) values ($1, 'pro') returning id`)
  const walletId = await text(`insert into wallets (address) values ($1) returning id`)
  const ids = Object.fromEntries(HOLDERS.map((holder, index) => [holder, uuid(index, number)])) as Record<
    Holder,
    string
  >
  const keys: Record<Holder, BookKey> = {
    ethereum: { walletId, networkId: 'ethereum' },
    'base-wallet': { walletId, networkId: 'base-wallet' },
    exchange: { connectionId: ids.exchange },
    manual: { portfolioId: ids.manual },
  }
  await pool.query(
    `insert into exchange_connections (id, account_id, venue, fingerprint, version, active_version)
     values ($1, $2, 'binance', $3, 1, 1)`,
    [ids.exchange, accountId, createHash('sha256').update(address).digest()],
  )
  const held = new Set<Holder>()
  /** Wallets that have transactions, followed or not. */
  const withLegs = new Set<Holder>()
  let legs: TestLeg[] = []

  const isOf = (holder: Holder) => (leg: TestLeg) => leg.holder === holder
  const markDirty = async (changed: readonly TestLeg[]): Promise<void> => {
    for (const holder of HOLDERS) {
      const instants = changed.filter(isOf(holder)).map(({ atMs }) => atMs)
      if (instants.length > 0)
        await markBookDirty({ db, book: keys[holder], from: new Date(Math.min(...instants)) })
    }
  }
  return {
    accountId,
    walletId,
    ids,
    keys,
    held,
    legs: () => legs,

    async follow(holder: Holder, method = 'average'): Promise<void> {
      const kind = holder in { exchange: 1, manual: 1 } ? holder : 'wallet'
      await pool.query(
        `insert into portfolios (id, account_id, kind, address, network_id, cost_method) values ($1, $2, $3, $4, $5, $6)
         on conflict (id) do update set cost_method = excluded.cost_method`,
        [ids[holder], accountId, kind, ...(kind === 'wallet' ? [address, holder] : [null, null]), method],
      )
      held.add(holder)
      await markAccountDirty(db, accountId)
    },

    async leave(holder: Holder): Promise<void> {
      await pool.query('select forget_portfolio($1)', [ids[holder]])
      held.delete(holder)
      if (holder === 'exchange' || holder === 'manual') legs = legs.filter((leg) => leg.holder !== holder)
    },

    /** Stores legs, except those of deleted portfolios. */
    async store(offered: readonly TestLeg[]): Promise<void> {
      const added = offered.filter(
        ({ holder, atMs }) => atMs < nowMs && (held.has(holder) || 'walletId' in keys[holder]),
      )
      legs.push(...added)
      const chain = added.filter(({ holder }) => 'walletId' in keys[holder])
      for (const { holder } of chain) withLegs.add(holder)
      if (chain.length > 0)
        await insertMovements(
          pool,
          chain.map((leg) => ({ ...leg, walletId, networkId: leg.holder, txHash: `0x${hex(leg.tx)}` })),
        )
      for (const [tx, own] of Map.groupBy(added.filter(isOf('exchange')), (leg) => leg.tx))
        await storeExchange(db, { connectionId: ids.exchange, tx, legs: own })
      for (const leg of added.filter(isOf('manual')))
        await pool.query(
          `insert into manual_transactions (id, portfolio_id, at, coin_id, count, price, currency, price_usd, derived, source, fetched_at)
           values ($1, $2, $3, $4, $5, $6, 'USD', $6, true, 'test', now())`,
          [uuid(9, leg.tx), ids.manual, new Date(leg.atMs), leg.coinId, countOf(leg), leg.priceUsd],
        )
      await markDirty(added)
    },

    async remove(pick: number): Promise<void> {
      const tx = legs[pick % legs.length]?.tx
      const gone = legs.filter((leg) => leg.tx === tx)
      if (tx === undefined) return
      legs = legs.filter((leg) => leg.tx !== tx)
      await pool.query('delete from movements where wallet_id = $1 and tx_hash = $2', [
        walletId,
        `0x${hex(tx)}`,
      ])
      for (const table of ['exchange_legs', 'exchange_transactions'])
        await pool.query(`delete from ${table} where connection_id = $1 and key = $2`, [
          ids.exchange,
          hex(tx),
        ])
      await pool.query('delete from manual_transactions where id = $1', [uuid(9, tx)])
      await markDirty(gone)
    },

    /** Changes the role of a wallet transaction, as the operator's label does. */
    async relabel(pick: number, role: Role): Promise<void> {
      const chain = legs.filter(({ holder }) => 'walletId' in keys[holder])
      const tx = chain[pick % chain.length]?.tx
      if (tx === undefined) return
      const isIt = (leg: TestLeg) => leg.tx === tx
      legs = legs.map((leg) => (isIt(leg) ? { ...leg, role } : leg))
      await pool.query('update movements set role = $3 where wallet_id = $1 and tx_hash = $2', [
        walletId,
        `0x${hex(tx)}`,
        role,
      ])
      await markDirty(legs.filter(isIt))
    },

    /** Recomputes everything, as the workflows do after a change. */
    async compute(atMs = nowMs): Promise<void> {
      const books = HOLDERS.filter((holder) => held.has(holder) || withLegs.has(holder)).map(
        (holder) => keys[holder],
      )
      for (const book of books) await recomputeBook({ pool, book, nowMs: atMs })
      for (const book of books) await foldBook({ connection: input.connection, book, nowMs: atMs })
      await refreshAccount({ connection: input.connection, accountId, nowMs: atMs })
    },

    /** Marks everything as synced, so that the API serves it. */
    async markSynced(): Promise<void> {
      await pool.query(
        `insert into wallet_syncs (wallet_id, network_id, synced_at)
         select $1, network, $2 from unnest(array['ethereum', 'base-wallet']) as network`,
        [walletId, new Date(nowMs)],
      )
      await pool.query('update exchange_connections set synced_at = $2, covered_to = $2 where id = $1', [
        ids.exchange,
        new Date(nowMs),
      ])
    },

    /** The same legs for the pure engine, with holders as accounts. */
    pureLegs(prices: PriceBook): Leg[] {
      const pure = legs.map((leg): Leg => {
        const inForce = prices.at(leg.coinId, leg.atMs)
        return {
          account: leg.holder,
          txId: hex(leg.tx),
          seq: leg.seq,
          atMs: leg.atMs,
          role: leg.role,
          coinId: leg.coinId,
          quantity: fromRaw(leg.raw, 18),
          priceUsd: leg.priceUsd !== null ? decimal(leg.priceUsd) : inForce,
          isUnpriced: inForce === null,
        }
      })
      return insertOpenings(pure, (holder) => 'walletId' in keys[holder as Holder])
    },
  }
}

const hex = (tx: number) => tx.toString(16).padStart(8, '0')

async function storeExchange(
  db: Db,
  { connectionId, tx, legs }: { connectionId: string; tx: number; legs: readonly TestLeg[] },
): Promise<void> {
  const [{ role, raw, coinId: asset, atMs }] = legs as [TestLeg, ...TestLeg[]]
  const transfer = raw > 0n ? ['deposit', 'deposit'] : ['withdrawal', 'withdraw']
  const kinds = { trade: ['fill', 'executed'], fee: ['fee', 'fee'], airdrop: ['reward', 'balance'] }
  const [kind, type] = (kinds as Record<string, string[]>)[role] ?? transfer
  const common = { connection_id: connectionId, kind: kind!, key: hex(tx), at: new Date(atMs) }
  const stored = { source: 'test', fetched_at: new Date(atMs) }
  await db
    .insertInto('exchange_transactions')
    .values({
      ...common,
      ...stored,
      status: 'ok',
      type,
      asset,
      amount: countOf(legs[0]!),
      derived: true,
      symbol: null,
      order_id: null,
      quote_asset: null,
      quote_amount: null,
      fee_asset: null,
      fee_amount: null,
      network: null,
      address: null,
      tx_hash: null,
    } as never)
    .execute()
  const rows = legs.map((leg, index) => ({
    ...common,
    ...stored,
    role: index === 0 ? ('base' as const) : ('quote' as const),
    asset: leg.coinId,
    delta: countOf(leg),
    price_usd: leg.priceUsd,
  }))
  await db.insertInto('exchange_legs').values(rows).execute()
}
