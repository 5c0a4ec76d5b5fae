import { z } from 'zod'
import type { AssetRow } from '../../db/nft/read-assets.ts'
import { assetAddress, assetNumber } from '../../db/values/solana-asset.ts'
import { isSolanaAddress } from '../../db/values/wallet-address.ts'
import { BASE58, param } from '../params.ts'
import { toNumber } from '../shapes.ts'
import { collectionId } from './collection-id.ts'

const UINT256 = 2n ** 256n

export const tokenIdParam = () =>
  param((text) => (isNumber(text) || isSolanaAddress(text) ? text : undefined), {
    pattern: `^(0|[1-9][0-9]{0,77}|${BASE58}{32,44})$`,
    reason: 'a decimal number below 2^256, or an account of Solana',
    description: 'Token id, a decimal number below 2^256; on Solana the account of the token',
    example: '7',
  })

const isNumber = (text: string): boolean => /^(0|[1-9]\d{0,77})$/.test(text) && BigInt(text) < UINT256

/** Token ids as the network writes them: of Solana they are stored as the number that the account's key is. */
export const tokenIdOf = ({ networkId, tokenId }: { networkId: string; tokenId: string }): string =>
  networkId === 'solana' ? assetAddress(tokenId) : tokenId

/** The stored token id of one in a request; null: no token of the network has such an id */
export function storedTokenId({ networkId, tokenId }: { networkId: string; tokenId: string }): string | null {
  if (networkId === 'solana') return isSolanaAddress(tokenId) ? assetNumber(tokenId) : null
  return isNumber(tokenId) ? tokenId : null
}

export const assetSchema = z.object({
  address: z.string().describe('Contract address; on Solana the account of the collection'),
  blockchain: z.string(),
  tokenId: z.string(),
  collectionId: z.string(),
  name: z.string().nullable(),
  previewUrl: z.string().describe('Empty when unknown'),
  url: z.string().describe('Page on the marketplace, or on the block explorer if the marketplace has none'),
  source: z
    .string()
    .describe('Source of the description: a marketplace, or `rpc:<network>` when the contract gave it'),
  standard: z
    .string()
    .describe(
      'erc721 or erc1155; on Solana metaplex (a mint with metadata), core (Metaplex Core) or compressed (a leaf of a Merkle tree)',
    ),
  rarityRank: z.number().int().describe('1 is the rarest; 0 when unknown'),
  rarityScore: z.number().describe('Information content of the traits in bits; 0 when unknown'),
  attributes: z.array(
    z.object({
      key: z.string(),
      kind: z.string(),
      value: z.string(),
      tokenCount: z.number().int().describe('Tokens of the collection with this value'),
      onSaleCount: z.number().int().describe('How many of these tokens are on sale'),
      floorAskPrice: z
        .number()
        .nullable()
        .describe('Cheapest offer of a token with this value, in the main currency'),
      topBidValue: z.number().nullable().describe('Always null: no source provides bids'),
      createdAt: z.iso.datetime().describe('When this value was first seen'),
    }),
  ),
  lastSaleDate: z.iso.datetime().optional(),
  lastSalePrice: z
    .number()
    .optional()
    .describe('In the main currency of the collection, at the rate of the time of sale'),
  listSource: z.string().optional(),
  listPrice: z.number().optional().describe('Cheapest offer in the main currency of the collection'),
})

const explorerPage = ({ networkId, explorerUrl, address }: AssetRow, tokenId: string): string =>
  `${explorerUrl}/token/${networkId === 'solana' ? tokenId : `${address}?a=${tokenId}`}`

export function toAsset(row: AssetRow): z.infer<typeof assetSchema> {
  const { address, blockchain, name, source, standard } = row
  const tokenId = tokenIdOf(row)
  return {
    address,
    blockchain,
    tokenId,
    name,
    source,
    standard,
    collectionId: collectionId(row),
    previewUrl: row.imageUrl ?? '',
    url: row.url ?? explorerPage(row, tokenId),
    rarityRank: row.rarityRank ?? 0,
    rarityScore: toNumber(row.rarityScore ?? '0'),
    attributes: row.traits.map(({ floorAskPrice, createdAt, ...trait }) => ({
      ...trait,
      floorAskPrice: floorAskPrice === null ? null : toNumber(floorAskPrice),
      topBidValue: null,
      createdAt: new Date(createdAt).toISOString(),
    })),
    ...(row.lastSaleAt && { lastSaleDate: row.lastSaleAt.toISOString() }),
    ...(row.lastSalePrice !== null && { lastSalePrice: toNumber(row.lastSalePrice) }),
    ...(row.listSource !== null && { listSource: row.listSource }),
    ...(row.listPrice !== null && { listPrice: toNumber(row.listPrice) }),
  }
}
