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
  /** `isSpam`: the source marks the contract as spam */
  nfts: (request: ContractRef & { next: string | null }) => Promise<Page<NftRecord> & { isSpam?: boolean }>
}

/** Pages per call: 1,000 or 2,000 tokens. The next call continues a larger collection. */
export const PAGES = 10

/** Reads tokens of a collection from where the last call ended. Rows and cursor commit together. */
export async function loadAssets(
  deps: Pick<ActivityDeps, 'db' | 'pool' | 'now' | 'heartbeat'>,
  source: AssetSource,
  key: CollectionKey,
): Promise<void> {
  const { assetsNext } = await readCollection(deps.db, key)
  // The stored cursor names its source, since a source cannot continue from another's page.
  const place = `${source.name} `
  let next = assetsNext?.startsWith(place) ? assetsNext.slice(place.length) : null
  const seen = new Set([next])
  for (let page = 1; page <= PAGES; page++) {
    const { rows, quarantined, next: following, isSpam = false } = await source.nfts({ ...key, next })
    const fetchedAt = deps.now()
    const isDone = following === null
    if (!isDone && seen.has(following)) {
      await forgetAssetsPlace(deps.db, key)
      throw new SourceRejected(source.name, 'a page points back to a page already read')
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
