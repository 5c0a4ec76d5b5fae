import { z } from 'zod'
import type { NftTrait, TokenMetadata } from './nft-data.ts'
import { plainText } from '../plain-text.ts'

// Anybody can write metadata documents: an invalid part is left out and does not fail the document.

const text = z.string().nullish().catch(null)
const scalar = z.union([z.string(), z.number(), z.boolean()])

const listed = z.object({ trait_type: z.string(), value: scalar, display_type: text })

/** Accepts a list of {trait_type, value}, the marketplaces' convention, or an object of values. */
function traitsOf(attributes: unknown): NftTrait[] {
  const entries = Array.isArray(attributes)
    ? attributes.flatMap((one) => {
        const parsed = listed.safeParse(one)
        return parsed.success ? [parsed.data] : []
      })
    : Object.entries(z.record(z.string(), z.unknown()).safeParse(attributes).data ?? {}).flatMap(
        ([trait_type, given]) => {
          const value = scalar.safeParse(given)
          return value.success ? [{ trait_type, value: value.data, display_type: null }] : []
        },
      )
  return entries.slice(0, 200).flatMap((one) => {
    const key = plainText(one.trait_type, 200)
    const value = plainText(String(one.value), 500)
    const kind = plainText(one.display_type, 50) ?? (typeof one.value === 'number' ? 'number' : 'string')
    return key !== null && value !== null ? [{ key, kind, value }] : []
  })
}

/** Schema of the JSON at a token's metadata URI (ERC-721 and ERC-1155). */
export const tokenMetadata = z
  .object({
    name: text,
    image: text,
    image_url: text,
    image_data: text,
    attributes: z.unknown().optional(),
    traits: z.unknown().optional(),
    properties: z.unknown().optional(),
  })
  .transform((row): TokenMetadata => ({
    name: plainText(row.name, 300),
    image: row.image || row.image_url || row.image_data || null,
    traits: traitsOf(row.attributes ?? row.traits ?? row.properties),
  }))
