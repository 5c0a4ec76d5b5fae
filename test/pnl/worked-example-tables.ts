import { createHash } from 'node:crypto'
import { recomputeBook } from '../../activities/pnl/recompute-books.ts'
import type { Connection } from '../../db/connect.ts'
import type { Db } from '../../db/schema.ts'
import { deriveLegs } from '../../db/exchanges/derive-legs.ts'
import type { BookKey } from '../../db/pnl/books.ts'
import { decimal, formatDecimal } from '../../db/values/decimal.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import type { TestDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { activateNetworks, address, insertWallet } from '../setup/wallet-factories.ts'
import { foldBook } from './law-three.ts'
import { fixture, workedExample } from './worked-example.ts'
import { insertMovements, putPrice } from './world.ts'

export const NOW = new Date('2024-01-10T00:00:00Z')
const IDS: Record<string, string> = {
  ETH: 'ethereum',
  BTC: 'bitcoin',
  USDC: 'usd-coin',
  aUSDC: 'ausdc',
  DROP: 'drop',
}
export const STABLE_IDS = ['usd-coin', 'ausdc']
export const NETWORKS: Record<string, string> = { 'W:ethereum': 'ethereum', 'W:base': 'base-wallet' }
export const CONNECTION = '01990000-0000-7000-8000-000000000001'
export const WALLET = address(1)
const { legs } = workedExample()
export const idOf = (asset: string) => IDS[asset] ?? asset

interface Target {
  database: TestDatabase
  owner: Db
  ingest: Pick<Connection<Db>, 'db' | 'pool'>
  accountId: string
}

/** Stores and computes the worked example: an exchange account and a wallet on two networks. */
export async function storeWorkedExample(target: Target): Promise<{ walletId: string }> {
  const { database, owner, ingest } = target
  await query(database.ownerUrl, 'select ensure_price_partitions($1, $2)', [new Date('2023-12-01'), NOW])
  await activateNetworks(owner, Object.values(NETWORKS))
  for (const [symbol, id] of Object.entries(IDS))
    await insertCoin(owner, { id, symbol, priceUsd: '1', at: NOW, isStable: STABLE_IDS.includes(id) })
  for (const { coinId, atMs, priceUsd, role } of legs)
    if (role !== 'spam')
      await putPrice(owner, {
        table: 'price_hours',
        coinId: idOf(coinId),
        atMs,
        usd: formatDecimal(priceUsd!),
      })
  for (const [coinId, days] of Object.entries(fixture.dayEndPrices)) {
    if (fixture.untrusted.includes(coinId)) continue
    for (const [day, usd] of Object.entries(days))
      await putPrice(owner, {
        table: 'price_days',
        coinId: idOf(coinId),
        atMs: Date.parse(day) + DAY_MS,
        usd,
      })
  }
  await connectExchange(target)
  const walletId = await insertWallet(owner, {
    address: WALLET,
    syncs: { ethereum: NOW, 'base-wallet': NOW },
  })
  const UNIT = 10n ** 18n
  const rawOf = (text: string) => {
    const { coefficient, scale } = decimal(text)
    return (coefficient * UNIT) / 10n ** BigInt(scale)
  }
  await insertMovements(
    ingest.pool,
    legs
      .filter((leg) => leg.account in NETWORKS)
      .map((leg) => ({
        walletId,
        networkId: NETWORKS[leg.account]!,
        atMs: leg.atMs,
        txHash: leg.txId,
        seq: leg.seq,
        role: leg.role,
        coinId: idOf(leg.coinId),
        raw: rawOf(formatDecimal(leg.quantity)),
      })),
  )
  for (const networkId of Object.values(NETWORKS)) await compute(ingest, { walletId, networkId })
  return { walletId }
}

async function compute(connection: Target['ingest'], book: BookKey): Promise<void> {
  await recomputeBook({ pool: connection.pool, book, nowMs: NOW.getTime() })
  await foldBook({ connection, book, nowMs: NOW.getTime() })
}

/** Stores the exchange's legs as it reports them: fills with their fees, deposits and withdrawals. */
async function connectExchange({ database, ingest, accountId }: Target): Promise<void> {
  await query(
    database.ownerUrl,
    `insert into exchange_connections (id, account_id, venue, fingerprint, version, active_version, synced_at, covered_to)
     values ($1, $2, 'binance', $3, 1, 1, $4, $4)`,
    [CONNECTION, accountId, createHash('sha256').update('x').digest(), NOW],
  )
  for (const [symbol, id] of Object.entries(IDS))
    await query(
      database.ownerUrl,
      `insert into exchange_assets (venue, asset, coin_id, source, fetched_at) values ('binance', $1, $2, 'symbol', now())`,
      [symbol, id],
    )
  const own = legs.filter((leg) => leg.account === 'E')
  for (const [txId, group] of Map.groupBy(own, (leg) => leg.txId)) {
    const fee = group.find(({ role }) => role === 'fee')
    const moved = group.filter(({ role }) => role !== 'fee')
    const base = moved.find(({ coinId }) => coinId !== 'USDC') ?? moved[0]!
    const quote = moved.find((leg) => leg !== base)
    const isIn = base.quantity.coefficient > 0n
    const [kind, type] = quote
      ? ['fill', 'executed']
      : isIn
        ? ['deposit', 'deposit']
        : ['withdrawal', 'withdraw']
    const amount = (leg: typeof fee) => leg && formatDecimal(leg.quantity)
    await query(
      database.ownerUrl,
      `insert into exchange_transactions (connection_id, kind, key, at, status, type, asset, amount, quote_asset,
         quote_amount, fee_asset, fee_amount, source, fetched_at)
       values ($1, $2, $3, $4, 'ok', $5, $6, $7, $8, $9, $10, -$11::numeric, 'test', now())`,
      [
        CONNECTION,
        kind,
        txId,
        new Date(base.atMs),
        type,
        base.coinId,
        amount(base),
        quote?.coinId ?? null,
        amount(quote) ?? null,
        fee?.coinId ?? null,
        amount(fee) ?? null,
      ],
    )
  }
  await query(
    database.ownerUrl,
    `insert into exchange_balances (connection_id, asset, amount, source, fetched_at)
     select $1, leg.asset, sum(leg.amount), 'test', $2 from exchange_transactions t
     cross join lateral (
       values (t.asset, t.amount), (t.quote_asset, t.quote_amount), (t.fee_asset, -t.fee_amount)
     ) as leg (asset, amount)
     where leg.asset is not null group by leg.asset`,
    [CONNECTION, NOW],
  )
  await deriveLegs(ingest.pool, { connectionId: CONNECTION, statedAt: NOW })
  await compute(ingest, { connectionId: CONNECTION })
}
