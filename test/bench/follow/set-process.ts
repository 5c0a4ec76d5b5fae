import { setTimeout as sleep } from 'node:timers/promises'
import { createAddressSet } from '../../../activities/chain/follow/address-set.ts'

// `node --expose-gc set-process.ts ADDRESSES`: fills a set and tells its memory.

const count = Number(process.argv[2])
const gc = (globalThis as { gc?: () => void }).gc!
/** Buffers that are no longer used go a moment after the collection. */
async function usedBytes(): Promise<number> {
  gc()
  await sleep(200)
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return arrayBuffers + heapUsed
}
const before = await usedBytes()
const set = createAddressSet()
// Addresses are spread like hashes. These are the products of a counter and an odd number.
for (let i = 1; i <= count; i++) {
  const high = (Math.imul(i, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')
  const low = (Math.imul(i, 0x85ebca6b) >>> 0).toString(16).padStart(8, '0')
  set.add(`0x${'0'.repeat(24)}${high}${low}`)
}
process.send!({ megabytes: ((await usedBytes()) - before) / 1e6, size: set.size })
process.on('disconnect', () => process.exit(0))
