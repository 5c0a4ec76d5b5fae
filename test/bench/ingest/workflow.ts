import { proxyActivities } from '@temporalio/workflow'
import { bulkLoad } from '../../../workflows/policies.ts'
import type { BatchInput } from './write-batch.ts'

interface BenchActivities {
  writeBatch: (input: BatchInput) => Promise<number>
}

const { writeBatch } = proxyActivities<BenchActivities>(bulkLoad)

/** Writes batch after batch, as a sync does, with the retry profile of the product. Returns the rows that were new. */
export async function ingestBatches(batches: BatchInput[]): Promise<number> {
  let inserted = 0
  for (const batch of batches) inserted += await writeBatch(batch)
  return inserted
}
