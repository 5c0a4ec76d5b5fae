import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import { NFT_PACE } from '../values/nft-pace.ts'

export interface CollectionKey {
  networkId: string
  address: string
}

/** The steps of reading a collection, each with its own interval. */
export type CollectionStep = keyof typeof NFT_PACE

const READS: Record<CollectionStep, { column: string; needsSlug: boolean }> = {
  description: { column: 'described_at', needsSlug: false },
  gecko: { column: 'gecko_at', needsSlug: false },
  assets: { column: 'assets_at', needsSlug: true },
  market: { column: 'market_at', needsSlug: true },
}

/** Collections without a marketplace may have millions of tokens. Those that CoinGecko lists are read. */
const LISTED = sql`or exists (select from nft_gecko_records as gecko where gecko.network_id = watched.network_id
  and gecko.address = watched.address and gecko.network_id = 'solana')`

/**
 * Collections that are due for a step, oldest reading first. Only the first `first` collections count: those
 * whose tokens moved, then the most traded. Those of Solana count apart, since anybody can send a wallet there tokens of
 * any number of collections, and asking CoinGecko for one that it does not list costs nothing.
 */
export async function dueCollections(
  db: Db,
  options: {
    step: CollectionStep
    at: Date
    limit: number
    first: number
    /** the only network of which collections are read; null: any */
    networkId: string | null
  },
): Promise<CollectionKey[]> {
  const { step, at, limit, first, networkId } = options
  const { column, needsSlug } = READS[step]
  const { seconds } = NFT_PACE[step]
  const read = sql.ref(column)
  const { rows } = await sql<CollectionKey>`
    select network_id as "networkId", address from (
      (select * from nft_collections where network_id <> 'solana'
        order by moved desc, trending_rank nulls last, network_id, address limit ${first})
      union all select * from nft_collections where network_id = 'solana'
    ) as watched
    where (${read} is null or ${read} < ${at}::timestamptz - make_interval(secs => ${seconds})
        ${step === 'assets' ? sql`or assets_next is not null` : sql``})
      and (${!needsSlug} or slug is not null ${step === 'assets' ? LISTED : sql``})
      and (${networkId}::text is null or network_id = ${networkId})
    order by ${read} nulls first, network_id, address limit ${limit}`.execute(db)
  return rows
}

/** Marks a step as done, also when the source refused it. */
export async function markStep(
  db: Db,
  done: CollectionKey & { step: CollectionStep; at: Date; failure: string | null },
): Promise<void> {
  const { networkId, address, step, at, failure } = done
  await sql`
    update nft_collections set ${sql.ref(READS[step].column)} = ${at}, failure = ${failure}
    where network_id = ${networkId} and address = ${address}`.execute(db)
}
