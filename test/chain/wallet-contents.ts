import type pg from 'pg'
import { expect } from 'vitest'

/** All that is derived and held of a wallet, to compare one way to sync it with another. */
export async function walletContents(
  pool: pg.Pool,
  { networkId, address }: { networkId: string; address: string },
) {
  const ofWallet =
    'join wallets as wallet on wallet.id = wallet_id where network_id = $1 and wallet.address = $2'
  const rows = async (statement: string) => (await pool.query(statement, [networkId, address])).rows
  return {
    served: await rows(
      `select at, tx_index, hash, type, coin_ids, fragment from wallet_transactions ${ofWallet} order by 1, 2, 3`,
    ),
    movements: await rows(`select tx_hash, seq, role, coin_id, raw from movements ${ofWallet} order by 1, 2`),
    balances: await rows(`select coin_id, raw, decimals from balances ${ofWallet} order by 1`),
  }
}

/** Syncs a wallet into one database at several instants and into another at once: both have the same rows, for good. */
export async function expectSameRows(input: {
  networkId: string
  address: string
  sync: (address: string, into?: pg.Pool) => Promise<{ openings: number }>
  /** the one that `sync` writes into by itself */
  pool: pg.Pool
  later: pg.Pool
  /** Moves the clock of the network to so many days before its last instant. */
  atDaysBefore: (days: number) => void
}): Promise<void> {
  const { networkId, address, sync, pool, later, atDaysBefore } = input
  const contents = (of: pg.Pool) => walletContents(of, { networkId, address })
  for (const days of [300, 90, 0]) {
    atDaysBefore(days)
    expect((await sync(address, later)).openings).toBe(0)
  }
  await sync(address)
  const once = await contents(pool)
  expect(once.movements.length).toBeGreaterThan(100)
  expect(await contents(later)).toEqual(once)
  await sync(address)
  expect(await contents(pool)).toEqual(once)
}
