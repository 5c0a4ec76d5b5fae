import { patched, proxyActivities } from '@temporalio/workflow'
import { batchesOf } from '../../db/values/batches.ts'
import type { NftActivities } from '../../activities/nft/index.ts'
import { HOLDINGS_PACE, NFT_PACE } from '../../db/values/nft-pace.ts'
import { bulkLoad, quickCall, sourceCall } from '../policies.ts'
import { stepsApart } from '../steps-apart.ts'

const { listDueCollections, rankNftCategories } = proxyActivities<NftActivities>(quickCall)
const { discoverCollections } = proxyActivities<NftActivities>(sourceCall)
const { readCollections, readNftHoldings, readTokenMetadata } = proxyActivities<NftActivities>(bulkLoad)

const STEPS = ['description', 'gecko', 'assets', 'market'] as const
const BATCH = 10
const TOKENS = 200
const MOST_TOKEN_BATCHES = 20

/** Finds collections, runs the steps that are due, and reads token metadata that only contracts have. */
export async function refreshNfts(): Promise<{ read: number; notRead: number; tokens: number }> {
  const total = { read: 0, notRead: 0, tokens: 0 }
  const readDue = async (step: (typeof STEPS)[number]) => {
    const due = await listDueCollections({ step, limit: NFT_PACE[step].perRun })
    for (const collections of batchesOf(due, BATCH))
      total.notRead += await readCollections({ step, collections })
    total.read += due.length
  }
  await stepsApart({
    // First, because it finds collections too.
    ...(patched('nft-holdings') && { holdings: () => readNftHoldings({ limit: HOLDINGS_PACE.perRun }) }),
    discovery: discoverCollections,
    ...Object.fromEntries(STEPS.map((step) => [step, () => readDue(step)])),
    categories: rankNftCategories,
    async metadata() {
      for (let batch = 0; batch < MOST_TOKEN_BATCHES; batch++) {
        const tokens = await readTokenMetadata({ limit: TOKENS })
        total.tokens += tokens
        if (tokens < TOKENS) break
      }
    },
  })
  return total
}
