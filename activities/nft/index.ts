import {
  type CollectionKey,
  type CollectionStep,
  dueCollections,
  markStep,
} from '../../db/nft/due-collections.ts'
import { rankCategories } from '../../db/nft/write-collections.ts'
import type { ActivityDeps, NodeDeps } from '../deps.ts'
import { isSourceError, SourceRejected, SourceUnavailable } from '../errors.ts'
import { describeCollection, readGeckoRecord } from './describe-collection.ts'
import { describeContract } from './describe-contract.ts'
import { discoverCollections } from './discover-collections.ts'
import { loadAssets } from './load-assets.ts'
import { createNftSources } from './nft-sources.ts'
import { readFloorPrice } from './read-floor-price.ts'
import { readDueHoldings, readHoldings } from './read-holdings.ts'
import { readMetadata } from './read-metadata.ts'
import { refreshMarket } from './refresh-market.ts'
import { SOLANA } from '../nodes/solana-call.ts'
import { ALCHEMY_NFT, FLOORS_ON } from './sources/alchemy-nft.ts'

/** CoinGecko's free plan leaves about 40 calls a day after those for coins. */
export const GECKO_COLLECTIONS = 40
const ALL_COLLECTIONS = 100_000

type Reader = (key: CollectionKey) => Promise<void>
type Readers = Record<Exclude<CollectionStep, 'gecko'>, Reader>

export function createNftActivities(deps: ActivityDeps & NodeDeps) {
  const sources = createNftSources(deps)
  const { opensea, alchemy, coingecko, das } = sources

  const byOpenSea: Readers | null = opensea && {
    description: (key) => describeCollection(deps, opensea, key),
    assets: (key) => loadAssets(deps, opensea, key),
    market: (key) => refreshMarket(deps, opensea, key),
  }
  const byAlchemy: Readers | null = alchemy && {
    description: (key) => describeContract(deps, alchemy, key),
    assets: (key) => loadAssets(deps, alchemy, key),
    market: (key) => readFloorPrice(deps, alchemy, key),
  }

  const byDas: Partial<Readers> | null = das && {
    description: (key) => describeContract(deps, das, key),
    assets: (key) => loadAssets(deps, das, key),
  }

  function readerOf(step: CollectionStep): Reader | null {
    if (step === 'gecko') return coingecko && ((key) => readGeckoRecord(deps, coingecko, key))
    const [main, alternative] = [byOpenSea?.[step], byAlchemy?.[step]]
    const ofSolana = byDas?.[step]
    if (!main && !alternative && !ofSolana) return null
    return async (key) => {
      if (key.networkId === SOLANA && ofSolana) return ofSolana(key)
      const other = alchemyReads(step, key) ? alternative : undefined
      // Of a network that neither has, OpenSea's reader notes that there is nothing.
      const first = opensea?.serves(key.networkId) || !other ? main : undefined
      if (!first && !other) throw new SourceRejected(ALCHEMY_NFT, `it does not serve ${key.networkId}`)
      try {
        await (first ?? other)!(key)
      } catch (error) {
        if (!first || !other || !isSourceError(error)) throw error
        await other(key)
      }
    }
  }

  const alchemyReads = (step: CollectionStep, { networkId }: CollectionKey): boolean =>
    alchemy !== null && alchemy.serves(networkId) && (step !== 'market' || networkId === FLOORS_ON)

  /**
   * Records of CoinGecko stay due while it is down or its allowance leaves none: other steps do not need it. So does a
   * collection that Alchemy does not serve while OpenSea is down.
   */
  const canWait = (error: unknown, step: CollectionStep, key: CollectionKey): boolean =>
    error instanceof SourceUnavailable && (step === 'gecko' || (alchemy !== null && !alchemyReads(step, key)))

  return {
    discoverCollections: () => discoverCollections(deps, sources),

    /** Empty when no source of the step is on. */
    async listDueCollections(input: { step: CollectionStep; limit: number }): Promise<CollectionKey[]> {
      if (!readerOf(input.step)) return []
      const first = input.step === 'gecko' ? GECKO_COLLECTIONS : ALL_COLLECTIONS
      const isAny = input.step === 'gecko' || opensea !== null || alchemy !== null
      const networkId = isAny ? null : SOLANA
      return dueCollections(deps.db, { ...input, at: deps.now(), first, networkId })
    },

    /**
     * Runs one step for the given collections. A refused collection stores its failure and the others go on;
     * one that has to wait stays due. Returns the number of collections not read.
     */
    async readCollections(input: { step: CollectionStep; collections: CollectionKey[] }): Promise<number> {
      const read = readerOf(input.step)
      if (!read) return 0
      let notRead = 0
      for (const key of input.collections) {
        try {
          await read(key)
        } catch (error) {
          notRead++
          if (error instanceof SourceRejected) {
            const failure = error.message.slice(0, 500)
            await markStep(deps.db, { ...key, step: input.step, at: deps.now(), failure })
          } else if (!canWait(error, input.step, key)) throw error
        }
        deps.heartbeat()
      }
      return notRead
    },

    /** Wallets of networks whose transfers do not show NFTs: of Solana. */
    readNftHoldings: async (input: { limit: number }) =>
      das ? readDueHoldings(deps, das, input) : { read: 0, refused: 0 },

    /** Reads the NFTs of a wallet of Solana that was never read. */
    async readFirstHoldings({ address }: { address: string }): Promise<void> {
      if (das) await readHoldings(deps, das, address)
    },

    rankNftCategories: () => rankCategories(deps.db),
    readTokenMetadata: (input: { limit: number }) => readMetadata(deps, sources, input),
  }
}

export type NftActivities = ReturnType<typeof createNftActivities>
