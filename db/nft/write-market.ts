import { sql } from 'kysely'
import type pg from 'pg'
import { copyRows } from '../copy-rows.ts'
import type { Db } from '../schema.ts'
import type { CollectionKey } from './due-collections.ts'
import type { NftPoint } from './tables.ts'

interface Order {
  orderHash: string
  tokenId: string
  seller: string
  quantity: string
  amount: string
  coinId: string | null
  price: string | null
}

type Batch<Row> = CollectionKey & { rows: readonly Row[]; source: string; fetchedAt: Date }

/** Replaces the stored offers of a collection. Needs an open transaction. */
export async function replaceListings(
  client: pg.ClientBase,
  batch: Batch<Order & { endsAt: Date }> & { listedCount: number | null },
): Promise<void> {
  const { networkId, address, source, fetchedAt } = batch
  await client.query(
    `delete from nft_listings where network_id = $1 and address = $2 and not order_hash = any($3)`,
    [networkId, address, batch.rows.map(({ orderHash }) => orderHash)],
  )
  await copyRows(client, {
    table: 'nft_listings',
    columns: [
      'network_id',
      'address',
      'order_hash',
      'token_id',
      'seller',
      'quantity',
      'amount',
      'payment_coin_id',
      'price',
      'ends_at',
      'source',
      'fetched_at',
    ],
    key: ['network_id', 'address', 'order_hash'],
    update: ['quantity', 'amount', 'payment_coin_id', 'price', 'ends_at'],
    stamp: ['fetched_at'],
    rows: batch.rows.map((row) => [
      networkId,
      address,
      row.orderHash,
      row.tokenId,
      row.seller,
      row.quantity,
      row.amount,
      row.coinId,
      row.price,
      row.endsAt,
      source,
      fetchedAt,
    ]),
  })
  await client.query('update nft_collections set listed_count = $3 where network_id = $1 and address = $2', [
    networkId,
    address,
    batch.listedCount,
  ])
}

/** Inserts missing sales and fills in missing values of stored ones. Needs an open transaction. */
export async function storeSales(
  client: pg.ClientBase,
  batch: Batch<Order & { txHash: string; buyer: string; at: Date; priceUsd: string | null }>,
): Promise<number> {
  const { networkId, address, source, fetchedAt } = batch
  return copyRows(client, {
    table: 'nft_sales',
    columns: [
      'network_id',
      'address',
      'tx_hash',
      'order_hash',
      'token_id',
      'at',
      'seller',
      'buyer',
      'quantity',
      'amount',
      'payment_coin_id',
      'price',
      'price_usd',
      'source',
      'fetched_at',
    ],
    key: ['network_id', 'address', 'tx_hash', 'order_hash', 'token_id'],
    update: ['price', 'price_usd'],
    stamp: ['fetched_at'],
    rows: batch.rows.map((row) => [
      networkId,
      address,
      row.txHash,
      row.orderHash,
      row.tokenId,
      row.at,
      row.seller,
      row.buyer,
      row.quantity,
      row.amount,
      row.coinId,
      row.price,
      row.priceUsd,
      source,
      fetchedAt,
    ]),
  })
}

/** Stores one point per quarter of an hour; a later reading replaces it. */
export async function storePoint(db: Db, point: NftPoint): Promise<void> {
  const { network_id: _network, address: _address, at: _at, ...figures } = point
  await db
    .insertInto('nft_points')
    .values(point)
    .onConflict((conflict) => conflict.columns(['network_id', 'address', 'at']).doUpdateSet(figures))
    .execute()
}

/**
 * Stores a point with only the floor. A stored point of the same quarter of an hour has at least that and
 * stays.
 */
export async function storeFloor(
  db: Db,
  floor: CollectionKey & { at: Date; floorPrice: string | null; source: string; fetchedAt: Date },
): Promise<void> {
  const { networkId, address, at, floorPrice, source, fetchedAt } = floor
  await sql`
    insert into nft_points (network_id, address, at, floor_price, source, fetched_at)
    values (${networkId}, ${address}, ${at}, ${floorPrice}, ${source}, ${fetchedAt})
    on conflict (network_id, address, at) do nothing`.execute(db)
}

/** Percent of the last 24 hours' resales above the token's previous sale price; null: no resales */
export async function salesInProfit(db: Db, input: CollectionKey & { at: Date }): Promise<string | null> {
  const { rows } = await sql<{ percent: string | null }>`
    select round(100.0 * count(*) filter (where sale.price > earlier.price) / nullif(count(*), 0), 4) as percent
    from nft_sales as sale cross join lateral (
      select price from nft_sales as before
      where before.network_id = sale.network_id and before.address = sale.address and before.token_id = sale.token_id
        and before.at < sale.at order by before.at desc limit 1
    ) as earlier
    where sale.network_id = ${input.networkId} and sale.address = ${input.address}
      and sale.at > ${input.at}::timestamptz - interval '1 day' and sale.price is not null
      and earlier.price is not null`.execute(db)
  return rows[0]?.percent ?? null
}
