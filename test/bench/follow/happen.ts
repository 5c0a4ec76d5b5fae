import type pg from 'pg'
import { noteWalletEvents } from '../../../db/events/note-events.ts'
import { transact } from '../../../db/transact.ts'

const NETWORK = 'ethereum'

/** Inserts wallets, and returns their ids. */
export async function insertWallets(owner: pg.Pool, addresses: readonly string[]): Promise<string[]> {
  const { rows } = await owner.query<{ id: string }>(
    'insert into wallets (address) select unnest($1::text[]) returning id',
    [addresses],
  )
  return rows.map(({ id }) => id)
}

/** Notes balances of wallets in one transaction. `marks` are what the amounts of their events say. */
export async function happen(
  pool: pg.Pool,
  noted: readonly { walletId: string; marks: readonly number[] }[],
): Promise<void> {
  await transact(pool, async ({ client }) => {
    for (const { walletId, marks } of noted)
      await noteWalletEvents(client, {
        networkId: NETWORK,
        events: marks.map((mark) => ({
          walletId,
          kind: 'wallet.balance',
          blockNumber: 1,
          txHash: null,
          payload: { coinId: 'ethereum', amount: String(mark), previousAmount: '0' },
        })),
      })
  })
}

/** The mark of an envelope. */
export function markOf(body: string): number {
  return Number((JSON.parse(body) as { data: { amount: string } }).data.amount)
}

/** The value that 99 (or so) of 100 do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN
}
