import { foldChanges } from '../../../activities/pnl/fold-scope.ts'
import { recomputeBook } from '../../../activities/pnl/recompute-books.ts'
import { openDb } from '../../../db/connect.ts'
import { openBook } from '../../../db/pnl/books.ts'

/** `recompute-process.ts URL WALLET NOW`: computes one wallet in full, and prints times and peak memory. */
const [url, walletId, now] = process.argv.slice(2)
const nowMs = Number(now)
const { db, pool, close } = openDb({ url: url!, maxConnections: 2, applicationName: 'bench' })
const startMs = performance.now()
const book = { walletId: walletId!, networkId: 'ethereum' }
const { days } = await recomputeBook({ pool, book, nowMs })
const daysMs = performance.now() - startMs
const { id: bookId } = await openBook(db, book)
await foldChanges({ db, pool, change: { bookId }, nowMs })
const coinsMs = performance.now() - startMs - daysMs
await close()
console.log(JSON.stringify({ daysMs, coinsMs, days, peakRssMb: process.resourceUsage().maxRSS / 1024 }))
