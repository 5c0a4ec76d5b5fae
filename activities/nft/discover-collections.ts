import { storeMovedContracts, storeTrending } from '../../db/nft/write-collections.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import type { ActivityDeps } from '../deps.ts'
import { isSourceError } from '../errors.ts'
import type { NftSources } from './nft-sources.ts'
import { OPENSEA } from './sources/opensea.ts'

/** Finds the collections to read: the most traded ones and those whose tokens synced wallets moved. */
export async function discoverCollections(
  { db, now }: Pick<ActivityDeps, 'db' | 'now'>,
  { opensea, alchemy }: NftSources,
): Promise<{ trending: number; moved: number }> {
  const fetchedAt = now()
  const moved = await storeMovedContracts(db, { fetchedAt })
  if (!opensea) return { trending: 0, moved }
  const trending = await opensea.trending().catch((error: unknown) => {
    // Alchemy has no trending list, but it can read the known collections.
    if (alchemy && isSourceError(error)) return null
    throw error
  })
  if (trending === null) return { trending: 0, moved }
  const { rows, quarantined } = trending
  const collections = rows.flatMap(({ slug, name, contracts }) =>
    contracts.map((one) => ({ ...one, slug, name })),
  )
  await quarantineRows(db, { source: OPENSEA, area: 'nft', quarantined, fetchedAt })
  // Storing an empty list would clear all ranks.
  if (collections.length > 0) await storeTrending(db, { collections, source: OPENSEA, fetchedAt })
  return { trending: collections.length, moved }
}
