import { sql } from 'kysely'
import { arrangeAssets } from '../../db/nft/arrange-assets.ts'
import type { CollectionKey } from '../../db/nft/due-collections.ts'
import { readCollection } from '../../db/nft/read-for-ingest.ts'
import { storeAssets } from '../../db/nft/write-assets.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { transact } from '../../db/transact.ts'
import type { ActivityDeps } from '../deps.ts'
import { OPENSEA, type OpenSea } from './sources/opensea.ts'

/** Pages of one call: 2,000 tokens. A larger collection goes on with the next one. */
const PAGES = 10

/** Reads the tokens of a collection on from where the last call ended; the rows and the place commit together. */
export async function loadAssets(
  deps: Pick<ActivityDeps, 'db' | 'pool' | 'now' | 'heartbeat'>,
  opensea: OpenSea,
  key: CollectionKey,
): Promise<void> {
  const { assetsNext } = await readCollection(deps.db, key)
  let next = assetsNext
  for (let page = 1; page <= PAGES; page++) {
    const { rows, refused, next: following } = await opensea.nfts({ ...key, next })
    const fetchedAt = deps.now()
    const isDone = following === null
    await transact(deps.pool, async ({ db, client }) => {
      const assets = rows.map((row) => ({ ...row, ...key, metadataAt: null }))
      await storeAssets(client, { assets, source: OPENSEA, fetchedAt })
      await quarantineRows(db, { source: OPENSEA, area: 'nft', refused, fetchedAt })
      await sql`
        update nft_collections set assets_next = ${following},
          assets_at = case when ${isDone} then ${fetchedAt} else assets_at end
        where network_id = ${key.networkId} and address = ${key.address}`.execute(db)
      if (isDone || page === PAGES) await arrangeAssets(client, { ...key, source: OPENSEA, at: fetchedAt })
    })
    deps.heartbeat()
    if (isDone) return
    next = following
  }
}
