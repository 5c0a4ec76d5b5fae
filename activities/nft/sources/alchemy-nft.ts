import { z } from 'zod'
import { SourceRejected } from '../../errors.ts'
import type { HttpClient } from '../../http-client.ts'
import { parseRows } from '../../parse-rows.ts'
import type { ContractRef, NftRecord, Page } from '../nft-data.ts'
import { contractMetadata, type ContractMetadata, floorPrices, tokenRow } from './alchemy-nft-rows.ts'

export const ALCHEMY_NFT = 'alchemy-nft'

/** Each host serves one network. Floor prices exist for Ethereum only. */
export const NETWORK = 'ethereum'
export const NFTS_PER_PAGE = 100

export interface FloorPrice {
  /** null: nothing is on sale */
  price: string | null
  symbol: string | null
  /** when Alchemy read it; null: not given */
  at: Date | null
}

/** Alchemy's NFT API v3 (www.alchemy.com/docs/reference/nft-api-quickstart). The key is part of the path. */
export function createAlchemyNft(options: { http: HttpClient; url: string; key: string | null }) {
  const { http, url, key } = options
  const base = key === null ? url : `${url}/${encodeURIComponent(key)}`
  const get = <T>(method: string, query: Record<string, string>, schema: z.ZodType<T>): Promise<T> =>
    http.fetchJson({
      source: ALCHEMY_NFT,
      url: `${base}/${method}?${new URLSearchParams(query).toString()}`,
      ...(key !== null && { secret: encodeURIComponent(key) }),
      schema,
    })

  const serves = (networkId: string): boolean => networkId === NETWORK

  /** Unknown fields are null, even the standard and the name. */
  const contract = ({ address }: ContractRef): Promise<ContractMetadata> =>
    get('getContractMetadata', { contractAddress: address }, contractMetadata)

  /** OpenSea's floor only: another marketplace's floor would not continue the stored points. */
  async function floorPrice({ address }: ContractRef): Promise<FloorPrice> {
    const { openSea } = await get('getFloorPrice', { contractAddress: address }, floorPrices)
    if (!openSea || openSea.error)
      throw new SourceRejected(ALCHEMY_NFT, `no floor price: ${openSea?.error ?? 'OpenSea has none'}`)
    const { floorPrice: price, priceCurrency, retrievedAt } = openSea
    return {
      price: price && price !== '0' ? price : null,
      symbol: priceCurrency || null,
      at: retrievedAt ?? null,
    }
  }

  /** A page of a contract's tokens with traits. `next` comes from the previous page; null: first page */
  async function nfts(
    request: ContractRef & { next: string | null },
  ): Promise<Page<NftRecord> & { isSpam: boolean }> {
    const query = {
      contractAddress: request.address,
      withMetadata: 'true',
      limit: String(NFTS_PER_PAGE),
      // Alchemy's cache only: asking the tokens' hosts would take longer than a request may.
      tokenUriTimeoutInMs: '0',
      ...(request.next !== null && { pageKey: request.next }),
    }
    const page = z.object({ nfts: z.array(z.unknown()), pageKey: z.string().nullish() })
    const { nfts: given, pageKey } = await get('getNFTsForContract', query, page)
    const ofContract = tokenRow.refine((row) => row.address === request.address, 'is of another contract')
    const { rows, quarantined } = parseRows(ofContract, given)
    // Following the cursor of an empty page would never end.
    const next = given.length === 0 ? null : pageKey || null
    return { rows: rows.map(({ token }) => token), quarantined, next, isSpam: rows.some((row) => row.isSpam) }
  }

  return { name: ALCHEMY_NFT, serves, contract, floorPrice, nfts }
}

export type AlchemyNft = ReturnType<typeof createAlchemyNft>
