import type { CollectionKey } from '../../db/nft/due-collections.ts'
import { readCollection } from '../../db/nft/read-for-ingest.ts'
import { describeCollection } from '../../db/nft/write-collections.ts'
import type { ActivityDeps } from '../deps.ts'
import type { ContractRef } from './nft-data.ts'
import type { ContractMetadata } from './sources/alchemy-nft-rows.ts'

/** A source that knows contracts, or what a network has in their place. */
export interface ContractSource {
  name: string
  contract: (ref: ContractRef) => Promise<ContractMetadata>
}

/** Reads what a source says of a collection. Fields that it lacks keep the marketplace's values. */
export async function describeContract(
  { db, now }: Pick<ActivityDeps, 'db' | 'now'>,
  source: ContractSource,
  key: CollectionKey,
): Promise<void> {
  const { slug: knownSlug } = await readCollection(db, key)
  const { standard, slug, name, ...said } = await source.contract(key)
  await describeCollection(db, {
    ...key,
    standard,
    slug: slug ?? knownSlug,
    source: source.name,
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
