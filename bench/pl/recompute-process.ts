import { recomputeBook } from '../../activities/pnl/recompute-book.ts'
import { openDb } from '../../db/connect.ts'

/** A worker that computes one wallet in full and prints its time and peak memory: `recompute-process.ts URL WALLET NOW`. */
const [url, walletId, nowMs] = process.argv.slice(2)
const { pool, close } = openDb({ url: url!, maxConnections: 2, applicationName: 'bench' })
const startMs = performance.now()
const { days } = await recomputeBook({
  pool,
  book: { walletId: walletId!, networkId: 'ethereum' },
  nowMs: Number(nowMs),
})
const ms = performance.now() - startMs
await close()
console.log(JSON.stringify({ ms, days, peakRssMb: process.resourceUsage().maxRSS / 1024 }))
