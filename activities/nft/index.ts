import {
  type CollectionKey,
  type CollectionStep,
  dueCollections,
  markStep,
} from '../../db/nft/due-collections.ts'
import { rankCategories } from '../../db/nft/write-collections.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected } from '../errors.ts'
import { describeCollection, readGeckoRecord } from './describe-collection.ts'
import { discoverCollections } from './discover-collections.ts'
import { loadAssets } from './load-assets.ts'
import { createNftSources } from './nft-sources.ts'
import { readMetadata } from './read-metadata.ts'
import { refreshMarket } from './refresh-market.ts'

/** CoinGecko's free plan leaves about 40 calls a day beside the coins. */
const GECKO_COLLECTIONS = 40
const ALL_COLLECTIONS = 100_000

export function createNftActivities(deps: ActivityDeps) {
  const sources = createNftSources(deps)
  const { opensea, coingecko } = sources

  function readerOf(step: CollectionStep): ((key: CollectionKey) => Promise<void>) | null {
    if (step === 'gecko') return coingecko && ((key) => readGeckoRecord(deps, coingecko, key))
    if (!opensea) return null
    if (step === 'description') return (key) => describeCollection(deps, opensea, key)
    if (step === 'assets') return (key) => loadAssets(deps, opensea, key)
    return (key) => refreshMarket(deps, opensea, key)
  }

  return {
    discoverCollections: () => discoverCollections(deps, sources),

    /** None where the source of the step is off. */
    async listDueCollections(input: { step: CollectionStep; limit: number }): Promise<CollectionKey[]> {
      if (!readerOf(input.step)) return []
      const first = input.step === 'gecko' ? GECKO_COLLECTIONS : ALL_COLLECTIONS
      return dueCollections(deps.db, { ...input, at: deps.now(), first })
    },

    /** Does one step for some collections. What the source refuses of one is noted with it, and the others go on. */
    async readCollections(input: { step: CollectionStep; collections: CollectionKey[] }): Promise<number> {
      const read = readerOf(input.step)
      if (!read) return 0
      let refused = 0
      for (const key of input.collections) {
        try {
          await read(key)
        } catch (error) {
          if (!(error instanceof SourceRejected)) throw error
          refused++
          const failure = error.message.slice(0, 500)
          await markStep(deps.db, { ...key, step: input.step, at: deps.now(), failure })
        }
        deps.heartbeat()
      }
      return refused
    },

    rankNftCategories: () => rankCategories(deps.db),
    readTokenMetadata: (input: { limit: number }) => readMetadata(deps, sources, input),
  }
}

export type NftActivities = ReturnType<typeof createNftActivities>
