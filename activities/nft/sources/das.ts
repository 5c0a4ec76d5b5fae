import { z } from 'zod'
import { SourceRejected } from '../../errors.ts'
import type { HttpClient } from '../../http-client.ts'
import { parseRows } from '../../parse-rows.ts'
import { createSolanaCall, SOLANA } from '../../nodes/solana-call.ts'
import type { ContractMetadata } from './alchemy-nft-rows.ts'
import type { ContractRef, NftRecord, Page } from '../nft-data.ts'
import { assetRow, type DigitalAsset } from './das-rows.ts'

/** The standard's largest page. */
export const ASSETS_PER_PAGE = 1_000

/** `limit`: the assets of a full page, where the node gives fewer than asked for */
const page = z.object({ items: z.array(z.unknown()), limit: z.int().min(1).default(ASSETS_PER_PAGE) })

/**
 * The Digital Asset Standard, the read API of Metaplex (developers.metaplex.com/das-api), at a node of Solana that has
 * it. Any other node refuses its methods.
 */
export function createDas(options: { http: HttpClient; url: string }) {
  const { call } = createSolanaCall(options)

  /** Pages are numbered from 1. A page that is not full is the last one. */
  async function list(
    method: string,
    query: Record<string, string>,
    next: string | null,
  ): Promise<Page<DigitalAsset>> {
    const number = next === null ? 1 : Number(next)
    const displayOptions = { showCollectionMetadata: true }
    const asked = { ...query, page: number, limit: ASSETS_PER_PAGE, displayOptions }
    const { items, limit } = await call(method, asked, page)
    const isLast = items.length < Math.min(limit, ASSETS_PER_PAGE)
    return { ...parseRows(assetRow, items), next: isLast ? null : String(number + 1) }
  }

  /** A page of what an owner holds, also frozen or delegated. */
  const assetsOfOwner = (owner: string, next: string | null): Promise<Page<DigitalAsset>> =>
    list('getAssetsByOwner', { ownerAddress: owner }, next)

  /** A page of the tokens of a collection. `next` comes from the previous page; null: first page */
  async function nfts(request: ContractRef & { next: string | null }): Promise<Page<NftRecord>> {
    const query = { groupKey: 'collection', groupValue: request.address }
    const { rows, ...rest } = await list('getAssetsByGroup', query, request.next)
    return { ...rest, rows: rows.flatMap(({ token }) => token ?? []) }
  }

  /** What the account of a collection says. */
  async function contract({ address }: ContractRef): Promise<ContractMetadata> {
    const asset = await call('getAsset', { id: address }, assetRow)
    if (asset.id !== address) throw new SourceRejected(SOLANA, `getAsset: ${asset.id} instead of ${address}`)
    const { name, description, imageUrl, website } = asset
    return {
      standard: null,
      slug: null,
      name,
      description,
      imageUrl,
      bannerUrl: null,
      urls: website === null ? [] : [{ name: 'Website', url: website }],
      verified: null,
      totalSupply: null,
    }
  }

  return { name: SOLANA, assetsOfOwner, nfts, contract }
}

export type Das = ReturnType<typeof createDas>
