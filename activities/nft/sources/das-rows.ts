import { z } from 'zod'
import { assetNumber } from '../../../db/values/solana-asset.ts'
import { isSolanaAddress } from '../../../db/values/wallet-address.ts'
import { plainText } from '../../plain-text.ts'
import { webUrl } from '../media-url.ts'
import type { NftRecord, NftStandard } from '../nft-data.ts'
import { tokenMetadata } from '../token-metadata.ts'

// Assets of the Digital Asset Standard. Providers fill in more fields than the standard has, and omit some of it.

/** The interfaces of one token each. Others are fungible, collections, or mints that nobody has described. */
const STANDARDS: Record<string, NftStandard> = {
  V1_NFT: 'metaplex',
  V1_PRINT: 'metaplex',
  V2_NFT: 'metaplex',
  LEGACY_NFT: 'metaplex',
  ProgrammableNFT: 'metaplex',
  MplBubblegumV2: 'compressed',
  MplCoreAsset: 'core',
}
/** Fungible tokens whose interface an indexer has not brought up to date. */
const FUNGIBLE = new Set(['Fungible', 'FungibleAsset'])

const maybeText = z.string().nullish().catch(null)
const account = z.string().refine(isSolanaAddress, 'not an account')

const file = z.object({ uri: maybeText, mime: maybeText })
const content = z.object({
  metadata: z.looseObject({ name: maybeText, description: maybeText, token_standard: maybeText }),
  links: z.object({ image: maybeText, external_url: maybeText }).nullish().catch(null),
  files: z.array(file).nullish().catch(null),
})
const grouping = z.object({
  group_key: z.string(),
  group_value: z.string().nullable(),
  // Absent where an indexer keeps verified groups alone.
  verified: z.boolean().nullish(),
  collection_metadata: z.object({ name: maybeText, image: maybeText }).nullish().catch(null),
})

/** An asset that somebody owns, or a collection, which has the same form. */
export interface DigitalAsset {
  /** null: it is no NFT, such as a fungible token, or was burnt */
  token: NftRecord | null
  owner: string
  /** The verified collection; null: it has none. */
  collection: { address: string; name: string | null; imageUrl: string | null } | null
  id: string
  name: string | null
  description: string
  imageUrl: string | null
  website: string | null
}

export const assetRow = z
  .object({
    interface: z.string(),
    id: account,
    content,
    compression: z.object({ compressed: z.boolean() }).nullish(),
    grouping: z.array(grouping).nullish(),
    ownership: z.object({ owner: z.string() }),
    burnt: z.boolean(),
  })
  .transform((row): DigitalAsset => {
    const { metadata, links, files } = row.content
    const standard = row.compression?.compressed ? 'compressed' : STANDARDS[row.interface]
    const isNft = STANDARDS[row.interface] !== undefined && !FUNGIBLE.has(metadata.token_standard ?? '')
    const name = plainText(metadata.name, 300)
    const imageUrl =
      webUrl(links?.image) ?? webUrl(files?.find(({ mime }) => mime?.startsWith('image/'))?.uri)
    const group = row.grouping?.find(
      ({ group_key, verified }) => group_key === 'collection' && verified !== false,
    )
    const collection = account.safeParse(group?.group_value).data
    return {
      id: row.id,
      name,
      imageUrl,
      description: plainText(metadata.description, 5_000) ?? '',
      website: webUrl(links?.external_url),
      owner: row.ownership.owner,
      collection:
        collection === undefined
          ? null
          : {
              address: collection,
              name: plainText(group?.collection_metadata?.name, 200),
              imageUrl: webUrl(group?.collection_metadata?.image),
            },
      token:
        isNft && !row.burnt
          ? {
              tokenId: assetNumber(row.id),
              standard: standard!,
              name,
              imageUrl,
              url: null,
              traits: tokenMetadata.parse({ attributes: metadata['attributes'] }).traits,
            }
          : null,
    }
  })
