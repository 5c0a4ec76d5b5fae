import { storeMovedContracts, storeTrending } from '../../db/nft/write-collections.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import type { ActivityDeps } from '../deps.ts'
import { isSourceError } from '../errors.ts'
import type { NftSources } from './nft-sources.ts'
import { OPENSEA } from './sources/opensea.ts'

/** Which collections there are to read: the most traded ones, and those whose tokens the wallets have moved. */
export async function discoverCollections(
  { db, now }: Pick<ActivityDeps, 'db' | 'now'>,
  { opensea, alchemy }: NftSources,
): Promise<{ trending: number; moved: number }> {
  const fetchedAt = now()
  const moved = await storeMovedContracts(db, { fetchedAt })
  if (!opensea) return { trending: 0, moved }
  const trending = await opensea.trending().catch((error: unknown) => {
    // The alternative has no such list, but it can read the collections that are known.
    if (alchemy && isSourceError(error)) return null
    throw error
  })
  if (trending === null) return { trending: 0, moved }
  const { rows, quarantined } = trending
  const collections = rows.flatMap(({ slug, name, contracts }) =>
    contracts.map((one) => ({ ...one, slug, name })),
  )
  await quarantineRows(db, { source: OPENSEA, area: 'nft', quarantined, fetchedAt })
  // An answer without any row would take all ranks away.
  if (collections.length > 0) await storeTrending(db, { collections, source: OPENSEA, fetchedAt })
  return { trending: collections.length, moved }
}
