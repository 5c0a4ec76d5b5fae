import { arrangeAssets } from '../../db/nft/arrange-assets.ts'
import type { CollectionKey } from '../../db/nft/due-collections.ts'
import { readCollection } from '../../db/nft/read-for-ingest.ts'
import { forgetAssetsPlace, noteAssetsPlace, storeAssets } from '../../db/nft/write-assets.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { transact } from '../../db/transact.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected } from '../errors.ts'
import type { ContractRef, NftRecord, Page } from './nft-data.ts'

/** A source that lists the tokens of a contract. */
export interface AssetSource {
  name: string
  /** `isSpam`: it says so of the contract */
  nfts: (request: ContractRef & { next: string | null }) => Promise<Page<NftRecord> & { isSpam?: boolean }>
}

/** Pages of one call: 1,000 or 2,000 tokens. A larger collection goes on with the next one. */
const PAGES = 10

/** Reads the tokens of a collection on from where the last call ended; the rows and the place commit together. */
export async function loadAssets(
  deps: Pick<ActivityDeps, 'db' | 'pool' | 'now' | 'heartbeat'>,
  source: AssetSource,
  key: CollectionKey,
): Promise<void> {
  const { assetsNext } = await readCollection(deps.db, key)
  // The stored place says whose it is: no source can go on from a page of another.
  const place = `${source.name} `
  let next = assetsNext?.startsWith(place) ? assetsNext.slice(place.length) : null
  const seen = new Set([next])
  for (let page = 1; page <= PAGES; page++) {
    const { rows, quarantined, next: following, isSpam = false } = await source.nfts({ ...key, next })
    const fetchedAt = deps.now()
    const isDone = following === null
    if (!isDone && seen.has(following)) {
      await forgetAssetsPlace(deps.db, key)
      throw new SourceRejected(source.name, 'its pages name one that was read before')
    }
    seen.add(following)
    await transact(deps.pool, async ({ db, client }) => {
      const assets = rows.map((row) => ({ ...row, ...key, metadataAt: null }))
      await storeAssets(client, { assets, source: source.name, fetchedAt })
      await quarantineRows(db, { source: source.name, area: 'nft', quarantined, fetchedAt })
      await noteAssetsPlace(db, { ...key, next: isDone ? null : place + following, isSpam, fetchedAt })
      if (isDone || page === PAGES)
        await arrangeAssets(client, { ...key, source: source.name, at: fetchedAt })
    })
    deps.heartbeat()
    if (isDone) return
    next = following
  }
}
