import { sql } from 'kysely'
import type pg from 'pg'
import { copyRows } from '../copy-rows.ts'
import type { Db, ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'

export interface Owner {
  networkId: string
  owner: string
}

type Read = Owner & { source: string; fetchedAt: Date }

/** Wallets of a network whose NFTs were never read, or tried last before `before`; the longest ago first. */
export async function ownersToRead(
  db: Db,
  options: { networkId: string; before: Date; limit: number },
): Promise<string[]> {
  const { networkId, before, limit } = options
  const { rows } = await sql<{ owner: string }>`
    select wallet.address as owner
    from wallet_syncs as sync
    join wallets as wallet on wallet.id = sync.wallet_id
    join networks as network on network.id = sync.network_id and network.active
    left join nft_holding_reads as read on read.network_id = sync.network_id and read.owner = wallet.address
    where sync.network_id = ${networkId} and (read.tried_at is null or read.tried_at < ${before})
    order by read.tried_at nulls first, wallet.id limit ${limit}`.execute(db)
  return rows.map(({ owner }) => owner)
}

/** A token that an owner holds, and what the source says of its collection. */
export interface Holding {
  /** of the collection; of the token itself if it has none */
  address: string
  tokenId: string
  collectionName: string
  collectionImageUrl: string | null
}

/** Replaces what an owner holds, and adds collections that are not known yet. Needs an open transaction. */
export async function storeHoldings(
  client: pg.ClientBase,
  { networkId, owner, source, fetchedAt, holdings }: Read & { holdings: readonly Holding[] },
): Promise<void> {
  await client.query(
    `insert into nft_collections as stored (network_id, address, name, image_url, coin_id, moved, source, fetched_at)
     select distinct on (given.address) $1, given.address, given.name, given.image_url, network.coin_id, true, $2,
       $3::timestamptz
     from unnest($4::text[], $5::text[], $6::text[]) as given (address, name, image_url)
     join networks as network on network.id = $1
     on conflict (network_id, address) do update set moved = true where not stored.moved`,
    [
      networkId,
      source,
      fetchedAt,
      holdings.map(({ address }) => address),
      holdings.map(({ collectionName }) => collectionName),
      holdings.map(({ collectionImageUrl }) => collectionImageUrl),
    ],
  )
  await client.query(
    'delete from nft_holdings where network_id = $1 and owner = $2 and not token_id = any($3::numeric[])',
    [networkId, owner, holdings.map(({ tokenId }) => tokenId)],
  )
  await copyRows(client, {
    table: 'nft_holdings',
    columns: ['network_id', 'owner', 'address', 'token_id', 'source', 'fetched_at'],
    key: ['network_id', 'owner', 'token_id'],
    update: ['address'],
    stamp: ['source', 'fetched_at'],
    rows: holdings.map(({ address, tokenId }) => [networkId, owner, address, tokenId, source, fetchedAt]),
  })
  await client.query(
    `insert into nft_holding_reads (network_id, owner, read_at, tried_at, source, fetched_at)
     values ($1, $2, $4, $4, $3, $4)
     on conflict (network_id, owner) do update set read_at = excluded.read_at, tried_at = excluded.tried_at,
       failure = null, source = excluded.source, fetched_at = excluded.fetched_at`,
    [networkId, owner, source, fetchedAt],
  )
}

/** Notes that a source refused to say what an owner holds. What was read before stays. */
export async function noteHoldingsFailure(
  db: Db,
  { networkId, owner, source, fetchedAt, failure }: Read & { failure: string },
): Promise<void> {
  await sql`
    insert into nft_holding_reads (network_id, owner, tried_at, failure, source, fetched_at)
    values (${networkId}, ${owner}, ${fetchedAt}, ${failure}, ${source}, ${fetchedAt})
    on conflict (network_id, owner) do update set tried_at = excluded.tried_at, failure = excluded.failure`.execute(
    db,
  )
}

export interface HoldingsRead {
  /** null: no whole reading yet */
  readAt: Date | null
  failure: string | null
}

/** When the NFTs of a wallet were last read; undefined: never tried. */
export async function readHoldingsRead(
  db: ReadonlyDb,
  { networkId, owner }: Owner,
): Promise<HoldingsRead | undefined> {
  const rows = await readSql(
    db,
    sql<HoldingsRead>`select read_at as "readAt", failure from nft_holding_reads
      where network_id = ${networkId} and owner = ${owner}`,
  )
  return rows[0]
}
