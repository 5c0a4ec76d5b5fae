import { z } from 'zod'
import { decimalField, isoField } from '../../fields.ts'
import { webUrl } from '../media-url.ts'
import type { NftRecord, NftStandard } from '../nft-data.ts'
import { plainText } from '../../plain-text.ts'
import { tokenMetadata } from '../token-metadata.ts'

// Rows of Alchemy's NFT API v3. Unknown values are null, absent, or an empty object.

const maybeText = z.string().nullish().catch(null)
const UINT256 = 2n ** 256n
const uint = z
  .string()
  .regex(/^\d{1,78}$/)
  .refine((text) => BigInt(text) < UINT256, 'not a uint256')
  .transform((text) => BigInt(text).toString())
const STANDARDS: Record<string, NftStandard> = { ERC721: 'erc721', ERC1155: 'erc1155' }

/** Alchemy's record of a contract; most fields are its last copy of OpenSea's. */
export interface ContractMetadata {
  standard: NftStandard | null
  name: string | null
  slug: string | null
  description: string
  imageUrl: string | null
  bannerUrl: string | null
  urls: { name: string; url: string }[]
  verified: boolean | null
  totalSupply: string | null
}

const market = z.object({
  collectionName: maybeText,
  collectionSlug: maybeText,
  safelistRequestStatus: maybeText,
  imageUrl: maybeText,
  bannerImageUrl: maybeText,
  description: maybeText,
  externalUrl: maybeText,
  twitterUsername: maybeText,
  discordUrl: maybeText,
})

export const contractMetadata = z
  .object({
    address: z.string(),
    name: maybeText,
    // Can also be NOT_A_CONTRACT or NO_SUPPORTED_NFT_STANDARD.
    tokenType: maybeText,
    // ERC-721 only; a contract can return any number.
    totalSupply: uint
      .refine((text) => text.length <= 18)
      .nullish()
      .catch(null),
    openSeaMetadata: market.partial().nullish(),
  })
  .transform(({ name, tokenType, totalSupply, openSeaMetadata }): ContractMetadata => {
    const said = openSeaMetadata ?? {}
    const slug = said.collectionSlug
    const status = said.safelistRequestStatus
    return {
      standard: STANDARDS[tokenType ?? ''] ?? null,
      name: plainText(said.collectionName, 200) ?? plainText(name, 200),
      slug: slug && /^[\w.-]{1,200}$/.test(slug) ? slug : null,
      description: plainText(said.description, 5_000) ?? '',
      imageUrl: webUrl(said.imageUrl),
      bannerUrl: webUrl(said.bannerImageUrl),
      urls: Object.entries({
        Website: said.externalUrl,
        Discord: said.discordUrl,
        Twitter: said.twitterUsername && `https://twitter.com/${encodeURIComponent(said.twitterUsername)}`,
      }).flatMap(([label, link]) => {
        const url = webUrl(link)
        return url === null ? [] : [{ name: label, url }]
      }),
      verified: status ? status === 'verified' : null,
      totalSupply: totalSupply ?? null,
    }
  })

/** OpenSea's floor price, or the reason why there is none. */
export const floorPrices = z.object({
  openSea: z
    .object({
      floorPrice: decimalField.refine((text) => !text.startsWith('-'), 'is negative').nullish(),
      priceCurrency: maybeText,
      retrievedAt: isoField.nullish().catch(null),
      error: maybeText,
    })
    .nullish(),
})

export const tokenRow = z
  .object({
    contract: z.object({
      address: z.string().transform((text) => text.toLowerCase()),
      isSpam: z.boolean().nullish().catch(null),
    }),
    tokenId: uint,
    tokenType: z.enum(['ERC721', 'ERC1155']),
    name: maybeText,
    image: z
      .object({ cachedUrl: maybeText, pngUrl: maybeText, originalUrl: maybeText })
      .partial()
      .nullish()
      .catch(null),
    // The document as its author wrote it, sometimes not an object.
    raw: z
      .object({ metadata: tokenMetadata.nullish().catch(null) })
      .nullish()
      .catch(null),
  })
  .transform(({ contract, tokenId, tokenType, name, image, raw }) => ({
    address: contract.address,
    isSpam: contract.isSpam === true,
    token: {
      tokenId,
      standard: STANDARDS[tokenType]!,
      name: plainText(name, 300) ?? raw?.metadata?.name ?? null,
      imageUrl: webUrl(image?.cachedUrl) ?? webUrl(image?.pngUrl) ?? webUrl(image?.originalUrl),
      url: null,
      traits: raw?.metadata?.traits ?? [],
    } satisfies NftRecord,
  }))
