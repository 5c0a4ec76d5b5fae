import { proxyActivities } from '@temporalio/workflow'
import { bulkLoad } from '../../../workflows/policies.ts'
import type { BatchInput } from './write-batch.ts'

interface BenchActivities {
  writeBatch: (input: BatchInput) => Promise<number>
}

const { writeBatch } = proxyActivities<BenchActivities>(bulkLoad)

/**
 * Writes batches one after the other, as a sync does, with the product's retry policy. Returns the number of
 * new rows.
 */
export async function ingestBatches(batches: BatchInput[]): Promise<number> {
  let inserted = 0
  for (const batch of batches) inserted += await writeBatch(batch)
  return inserted
}
