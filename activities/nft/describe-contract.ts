import type { CollectionKey } from '../../db/nft/due-collections.ts'
import { readCollection } from '../../db/nft/read-for-ingest.ts'
import { describeCollection } from '../../db/nft/write-collections.ts'
import type { ActivityDeps } from '../deps.ts'
import { ALCHEMY_NFT, type AlchemyNft } from './sources/alchemy-nft.ts'

/** Reads Alchemy's record of a collection. Fields that Alchemy lacks keep the marketplace's values. */
export async function describeContract(
  { db, now }: Pick<ActivityDeps, 'db' | 'now'>,
  alchemy: AlchemyNft,
  key: CollectionKey,
): Promise<void> {
  const { slug: knownSlug } = await readCollection(db, key)
  const { standard, slug, name, ...said } = await alchemy.contract(key)
  await describeCollection(db, {
    ...key,
    standard,
    slug: slug ?? knownSlug,
    source: ALCHEMY_NFT,
    fetchedAt: now(),
    record:
      name === null
        ? null
        : {
            ...said,
            name,
            category: null,
            disabled: null,
            createdAt: null,
            creatorFeeBps: null,
            currencies: null,
          },
  })
}
