import type pg from 'pg'
import { type DefiReadToWrite, writeDefiRead } from '../../db/defi/write-positions.ts'
import type { BookKey } from '../../db/pnl/books.ts'
import type { Db } from '../../db/schema.ts'
import { transact } from '../../db/transact.ts'
import { insertMovements, type TestMovement } from '../pnl/world.ts'
import { at, NOW } from '../portfolios/portfolio-world.ts'
import { query } from '../setup/query.ts'
import { address, hash, insertBalance, insertWallet } from '../setup/wallet-factories.ts'

type Asset = DefiReadToWrite['positions'][number]['assets'][number]

export const ETHER = 10n ** 18n
export const TETHER = address(0xaaa)

export interface Investor {
  /** Gives it an address of its own. */
  index: number
  transactions: readonly (readonly [Date, Readonly<Record<string, bigint>>])[]
  assets: readonly Asset[]
  /** Its balance of shares, if that is not what the transactions leave. */
  held?: bigint
}

export const funded = (day: string) => [at(`${day}T06:00:00`), { tether: 1_000n }] as const
/** 520 USDT for 500 shares. */
export const DEPOSIT = [at('03T06:00:00'), { tether: -520n, share: 500n }] as const

/** What the vault would pay for the shares. */
export const supplied = (usd: bigint): Asset => ({ role: 'supplied', token: TETHER, raw: usd * ETHER })

export const insertTether = (ownerUrl: string) =>
  query(
    ownerUrl,
    `insert into tokens (network_id, address, symbol, name, decimals, coin_id, source, fetched_at)
     values ('ethereum', $1, 'USDT', 'Tether', 18, 'tether', 'test', now())`,
    [TETHER],
  )

/**
 * A wallet of Ethereum with transactions, computed, and a position of the vault. `share` in a transaction is the
 * vault's token, which has no market price.
 */
export async function insertInvestor(
  { owner, pool, compute }: { owner: Db; pool: pg.Pool; compute: (book: BookKey) => Promise<void> },
  { index, transactions, assets, held }: Investor,
): Promise<{ wallet: string; shareCoinId: string }> {
  const wallet = address(index)
  const vault = address(1_000 + index)
  const shareCoinId = `${vault}_ethereum`
  const walletId = await insertWallet(owner, { address: wallet, syncs: { ethereum: NOW } })
  const movements = transactions.flatMap(([time, amounts], n) =>
    Object.entries(amounts).map(([name, amount], seq): TestMovement => ({
      walletId,
      networkId: 'ethereum',
      atMs: time.getTime(),
      txHash: hash(index * 100 + n),
      seq,
      role: Object.keys(amounts).length > 1 ? 'trade' : 'transfer',
      coinId: name === 'share' ? shareCoinId : name,
      raw: amount * ETHER,
      priceUsd: name === 'share' ? null : '1',
    })),
  )
  await insertMovements(pool, movements)
  const left = movements
    .filter(({ coinId }) => coinId === shareCoinId)
    .reduce((sum, { raw }) => sum + raw, 0n)
  await insertBalance(owner, {
    walletId,
    networkId: 'ethereum',
    coinId: shareCoinId,
    raw: String(held ?? left),
    token: { address: vault, symbol: 'vUSDT' },
    at: NOW,
  })
  await compute({ walletId, networkId: 'ethereum' })
  const read: DefiReadToWrite = {
    walletId,
    networkId: 'ethereum',
    block: { number: 7, hash: hash(7), at: NOW },
    source: 'test',
    fetchedAt: NOW,
    answered: ['yearn-v3'],
    unknown: [],
    failure: null,
    positions: [
      {
        protocolId: 'yearn-v3',
        id: vault,
        name: 'Vault',
        poolAddress: vault,
        healthRate: null,
        unlockAt: null,
        endAt: null,
        assets,
      },
    ],
  }
  await transact(pool, ({ client }) => writeDefiRead(client, read))
  return { wallet, shareCoinId }
}
