import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../schema.ts'
import { copyRows } from '../copy-rows.ts'
import type { CollectionKey } from './due-collections.ts'
import type { NftStandard } from './tables.ts'

export interface AssetRow extends CollectionKey {
  tokenId: string
  standard: NftStandard
  name: string | null
  imageUrl: string | null
  url: string | null
  traits: readonly { key: string; kind: string; value: string }[]
  /** when the contract was asked for the metadata; null: from another source */
  metadataAt: Date | null
}

/**
 * Stores tokens as a source describes them. A token without a description keeps the known one. Needs an open
 * transaction. Returns the number of rows inserted or changed.
 */
export async function storeAssets(
  client: pg.ClientBase,
  batch: { assets: readonly AssetRow[]; source: string; fetchedAt: Date },
): Promise<number> {
  const { assets } = batch
  const says = (asset: AssetRow) => asset.name !== null || asset.imageUrl !== null || asset.traits.length > 0
  const described = await copyAssets(client, { ...batch, assets: assets.filter(says) }, DESCRIPTION)
  return described + (await copyAssets(client, { ...batch, assets: assets.filter((one) => !says(one)) }, []))
}

const DESCRIPTION = ['standard', 'name', 'image_url', 'traits']

async function copyAssets(
  client: pg.ClientBase,
  batch: { assets: readonly AssetRow[]; source: string; fetchedAt: Date },
  update: readonly string[],
): Promise<number> {
  const { assets, source, fetchedAt } = batch
  if (assets.length === 0) return 0
  // A marketplace has no metadata_at and a contract has no url, so neither may overwrite the other's.
  const knowsPages = assets.some(({ url }) => url !== null)
  const own = assets.some(({ metadataAt }) => metadataAt !== null) ? 'metadata_at' : knowsPages ? 'url' : null
  return copyRows(client, {
    table: 'nft_assets',
    columns: [
      'network_id',
      'address',
      'token_id',
      'standard',
      'name',
      'image_url',
      'traits',
      'url',
      'metadata_at',
      'source',
      'fetched_at',
    ],
    key: ['network_id', 'address', 'token_id'],
    update: own === null ? update : [...update, own],
    stamp: update.length > 0 ? ['source', 'fetched_at'] : [],
    rows: assets.map((asset) => [
      asset.networkId,
      asset.address,
      asset.tokenId,
      asset.standard,
      asset.name,
      asset.imageUrl,
      JSON.stringify(asset.traits),
      asset.url,
      asset.metadataAt,
      source,
      fetchedAt,
    ]),
  })
}

/** Stores the cursor of a collection's token list; null: the list is complete. Never clears a spam mark. */
export async function noteAssetsPlace(
  db: Db,
  input: CollectionKey & { next: string | null; isSpam: boolean; fetchedAt: Date },
): Promise<void> {
  const { networkId, address, next, isSpam, fetchedAt } = input
  await sql`
    update nft_collections set assets_next = ${next}, disabled = disabled or ${isSpam},
      assets_at = case when ${next === null} then ${fetchedAt} else assets_at end
    where network_id = ${networkId} and address = ${address}`.execute(db)
}

/** Makes the next reading start at the first page. */
export async function forgetAssetsPlace(db: Db, { networkId, address }: CollectionKey): Promise<void> {
  await sql`
    update nft_collections set assets_next = null
    where network_id = ${networkId} and address = ${address}`.execute(db)
}
