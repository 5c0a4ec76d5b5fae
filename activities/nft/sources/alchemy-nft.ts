import { z } from 'zod'
import { SourceRejected } from '../../errors.ts'
import type { HttpClient } from '../../http-client.ts'
import { parseRows } from '../../parse-rows.ts'
import type { ContractRef, NftRecord, Page } from '../nft-data.ts'
import { contractMetadata, type ContractMetadata, floorPrices, tokenRow } from './alchemy-nft-rows.ts'

export const ALCHEMY_NFT = 'alchemy-nft'

/** Its host is one network's. Floors are of Ethereum alone. */
const NETWORK = 'ethereum'
const NFTS_PER_PAGE = 100

export interface FloorPrice {
  /** null: nothing is on sale */
  price: string | null
  symbol: string | null
  /** when Alchemy read it; null: it does not say */
  at: Date | null
}

/** Alchemy's NFT API v3 (www.alchemy.com/docs/reference/nft-api-quickstart). Its key is a part of the path. */
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

  /** What it does not know of a contract is null, also its standard and its name. */
  const contract = ({ address }: ContractRef): Promise<ContractMetadata> =>
    get('getContractMetadata', { contractAddress: address }, contractMetadata)

  /** The floor at OpenSea: one of another marketplace would not go on from the points that are stored. */
  async function floorPrice({ address }: ContractRef): Promise<FloorPrice> {
    const { openSea } = await get('getFloorPrice', { contractAddress: address }, floorPrices)
    if (!openSea || openSea.error)
      throw new SourceRejected(ALCHEMY_NFT, `no floor price: ${openSea?.error ?? 'none of OpenSea'}`)
    const { floorPrice: price, priceCurrency, retrievedAt } = openSea
    return {
      price: price && price !== '0' ? price : null,
      symbol: priceCurrency || null,
      at: retrievedAt ?? null,
    }
  }

  /** Tokens of a contract with their traits; `next` from the page before, null at first. */
  async function nfts(
    request: ContractRef & { next: string | null },
  ): Promise<Page<NftRecord> & { isSpam: boolean }> {
    const query = {
      contractAddress: request.address,
      withMetadata: 'true',
      limit: String(NFTS_PER_PAGE),
      // What is in its cache: asking the hosts of the tokens would take longer than a request may.
      tokenUriTimeoutInMs: '0',
      ...(request.next !== null && { pageKey: request.next }),
    }
    const page = z.object({ nfts: z.array(z.unknown()), pageKey: z.string().nullish() })
    const { nfts: given, pageKey } = await get('getNFTsForContract', query, page)
    const ofContract = tokenRow.refine((row) => row.address === request.address, 'is of another contract')
    const { rows, quarantined } = parseRows(ofContract, given)
    // A page without rows that names a next one would be read for ever.
    const next = given.length === 0 ? null : pageKey || null
    return { rows: rows.map(({ token }) => token), quarantined, next, isSpam: rows.some((row) => row.isSpam) }
  }

  return { name: ALCHEMY_NFT, serves, contract, floorPrice, nfts }
}

export type AlchemyNft = ReturnType<typeof createAlchemyNft>
