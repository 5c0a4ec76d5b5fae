import { storeAssets } from '../../db/nft/write-assets.ts'
import { arrangeAssets } from '../../db/nft/arrange-assets.ts'
import { noteHoldingsFailure, ownersToRead, storeHoldings } from '../../db/nft/wallet-holdings.ts'
import { HOLDINGS_PACE } from '../../db/values/nft-pace.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { transact } from '../../db/transact.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected } from '../errors.ts'
import { SOLANA } from '../nodes/solana-call.ts'
import type { Page } from './nft-data.ts'
import type { Das } from './sources/das.ts'
import type { DigitalAsset } from './sources/das-rows.ts'

/** More belong to exchanges and marketplaces. */
const MOST_PAGES = 20

type Deps = Pick<ActivityDeps, 'db' | 'pool' | 'now' | 'heartbeat'>

/** Reads the NFTs of the wallets of Solana that are due. Returns their number, and that of refused ones. */
export async function readDueHoldings(
  deps: Deps,
  das: Das,
  { limit }: { limit: number },
): Promise<{ read: number; refused: number }> {
  const before = new Date(deps.now().getTime() - HOLDINGS_PACE.seconds * 1_000)
  const owners = await ownersToRead(deps.db, { networkId: SOLANA, before, limit })
  let refused = 0
  for (const owner of owners) {
    if (!(await readHoldings(deps, das, owner))) refused++
    deps.heartbeat()
  }
  return { read: owners.length - refused, refused }
}

/** Reads the NFTs of a wallet and commits them together. false: the node refused, as one without this API does. */
export async function readHoldings(deps: Deps, das: Das, owner: string): Promise<boolean> {
  const read = { networkId: SOLANA, owner, source: SOLANA }
  let found: Omit<Page<DigitalAsset>, 'next'>
  try {
    found = await allPages(deps, das, owner)
  } catch (error) {
    if (!(error instanceof SourceRejected)) throw error
    const failure = error.message.slice(0, 500)
    await noteHoldingsFailure(deps.db, { ...read, fetchedAt: deps.now(), failure })
    return false
  }
  const fetchedAt = deps.now()
  const held = found.rows.flatMap(({ token, owner: of, id, name, imageUrl, collection }) =>
    token === null || of !== owner
      ? []
      : [
          {
            ...token,
            address: collection?.address ?? id,
            collectionName: (collection ? collection.name : name) ?? collection?.address ?? id,
            collectionImageUrl: collection ? collection.imageUrl : imageUrl,
          },
        ],
  )
  // A token may move from one page to the next while they are read.
  const holdings = [...new Map(held.map((one) => [one.tokenId, one])).values()]
  await transact(deps.pool, async ({ db, client }) => {
    await storeHoldings(client, { ...read, fetchedAt, holdings })
    const assets = holdings.map((one) => ({ ...one, networkId: SOLANA, metadataAt: null }))
    const changed = await storeAssets(client, { assets, source: SOLANA, fetchedAt })
    const addresses = changed > 0 ? new Set(holdings.map((one) => one.address)) : []
    for (const address of addresses)
      await arrangeAssets(client, { networkId: SOLANA, address, source: SOLANA, at: fetchedAt })
    await quarantineRows(db, { source: SOLANA, area: 'nft', quarantined: found.quarantined, fetchedAt })
  })
  return true
}

async function allPages(
  { heartbeat }: Pick<ActivityDeps, 'heartbeat'>,
  das: Das,
  owner: string,
): Promise<Omit<Page<DigitalAsset>, 'next'>> {
  const all: Omit<Page<DigitalAsset>, 'next'> = { rows: [], quarantined: [] }
  let next: string | null = null
  for (let page = 1; page <= MOST_PAGES; page++) {
    const found: Page<DigitalAsset> = await das.assetsOfOwner(owner, next)
    all.rows.push(...found.rows)
    all.quarantined.push(...found.quarantined)
    heartbeat()
    next = found.next
    if (next === null) return all
  }
  throw new SourceRejected(SOLANA, `${owner} holds more than ${all.rows.length} assets`)
}
