import type { SyncedWallet } from '../../db/chain/read-syncs.ts'
import type { ReadonlyDb } from '../../db/connect.ts'
import { readBooks } from '../../db/pnl/books.ts'
import { readHistoryStart, readValuePoints, type ValuePoint } from '../../db/pnl/read.ts'
import { addMoney } from '../../db/pnl/money.ts'
import { toNumber } from '../../db/values/decimal.ts'
import type { Range } from '../../db/values/periods.ts'
import type { Point4 } from '../shapes.ts'
import { chartInstants } from './chart-instants.ts'

/** Value over time of wallets together: sums over them at the same instants, times in milliseconds. */
export async function valueChart(
  db: ReadonlyDb,
  options: { wallets: readonly SyncedWallet[]; range: Range; now: Date },
): Promise<Point4[]> {
  const books = await readBooks(db, options.wallets)
  const historyMs = (await readHistoryStart({ db, books })) ?? Infinity
  const instantsMs = chartInstants({ range: options.range, nowMs: options.now.getTime(), historyMs })
  if (instantsMs.length === 0) return []
  const totals = new Map<number, ValuePoint['value']>()
  // One after the other: a request takes one connection, however many wallets it names.
  for (const scope of Map.groupBy(books, ({ walletId }) => walletId).values())
    for (const { atMs, value } of await readValuePoints({ db, books: scope, instantsMs })) {
      const total = totals.get(atMs)
      totals.set(atMs, total ? addMoney(total, value) : value)
    }
  return [...totals]
    .sort(([a], [b]) => a - b)
    .map(([atMs, { usd, btc, eth }]) => [atMs, toNumber(usd), toNumber(btc), toNumber(eth)])
}
