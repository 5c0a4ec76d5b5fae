import { sql } from 'kysely'
import type pg from 'pg'
import { copyRows } from '../copy-rows.ts'
import type { Db } from '../schema.ts'
import type { CollectionKey } from './due-collections.ts'

/** Whether floor prices of past days of a collection are stored. */
export async function hasFloorDays(db: Db, { networkId, address }: CollectionKey): Promise<boolean> {
  const { rows } = await sql`
    select from nft_floor_days where network_id = ${networkId} and address = ${address} limit 1`.execute(db)
  return rows.length > 0
}

/** Stores floor prices by UTC day; a later reading of a day replaces it. Needs an open transaction. */
export async function storeFloorDays(
  client: pg.ClientBase,
  batch: CollectionKey & {
    coinId: string
    days: readonly { day: string; floorPrice: string }[]
    source: string
    fetchedAt: Date
  },
): Promise<void> {
  const { networkId, address, coinId, source, fetchedAt } = batch
  await copyRows(client, {
    table: 'nft_floor_days',
    columns: ['network_id', 'address', 'day', 'floor_price', 'coin_id', 'source', 'fetched_at'],
    key: ['network_id', 'address', 'day'],
    update: ['floor_price', 'coin_id'],
    stamp: ['source', 'fetched_at'],
    rows: batch.days.map(({ day, floorPrice }) => [
      networkId,
      address,
      day,
      floorPrice,
      coinId,
      source,
      fetchedAt,
    ]),
  })
}
