import type pg from 'pg'
import { noteExchangeSynced } from '../events/note-exchange-events.ts'
import { transact } from '../transact.ts'
import type { SealedSecret } from '../values/sealed-secret.ts'

export interface OfferedCredentials {
  connectionId: string
  accountId: string
  exchange: string
  version: number
  sealed: SealedSecret
}

/** The credentials of a connection, of one version or the active ones; null: none */
export async function readCredentials(
  pool: pg.Pool,
  input: { connectionId: string; version: number | 'active' },
): Promise<OfferedCredentials | null> {
  const { rows } = await pool.query<{
    account_id: string
    venue: string
    version: number
    key_id: string
    wrapped_key: Buffer
    ciphertext: Buffer
  }>(
    `select c.account_id, c.venue, s.version, s.key_id, s.wrapped_key, s.ciphertext
     from exchange_connections c
     join exchange_secrets s on s.connection_id = c.id and s.version = coalesce($2, c.active_version)
     where c.id = $1`,
    [input.connectionId, input.version === 'active' ? null : input.version],
  )
  const row = rows[0]
  if (!row) return null
  return {
    connectionId: input.connectionId,
    accountId: row.account_id,
    exchange: row.venue,
    version: row.version,
    sealed: { keyId: row.key_id, wrappedKey: row.wrapped_key, ciphertext: row.ciphertext },
  }
}

/**
 * Activates credentials that the exchange accepted: they replace earlier ones, and the account gets a
 * portfolio. Returns false and changes nothing when newer ones are active.
 */
export async function acceptCredentials(
  client: pg.ClientBase,
  { connectionId, version }: { connectionId: string; version: number },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `update exchange_connections set active_version = $2, failure = null, failed_at = null
     where id = $1 and coalesce(active_version, 0) <= $2`,
    [connectionId, version],
  )
  if (rowCount === 0) return false
  await client.query('delete from exchange_secrets where connection_id = $1 and version < $2', [
    connectionId,
    version,
  ])
  // A portfolio that its owner gave up meanwhile stays given up.
  await client.query(
    `with made as (
       insert into portfolios as known (id, account_id, kind, name)
       select id, account_id, 'exchange', name from exchange_connections where id = $1
       on conflict (id) do update set name = excluded.name
       where known.account_id is not null and known.name is distinct from excluded.name
       returning account_id, xmax = 0 as is_new
     ) select mark_account_dirty(account_id) from made where is_new`,
    [connectionId],
  )
  return true
}

/**
 * Deletes credentials that were refused or may do more than read, and stores the reason. Earlier ones stay
 * active.
 */
export async function refuseCredentials(
  pool: pg.Pool,
  input: { connectionId: string; version: number; refusal: string },
): Promise<void> {
  const { connectionId, version, refusal } = input
  await transact(pool, async ({ client }) => {
    await client.query(
      `update exchange_connections set refused_version = $2, refusal = $3
       where id = $1 and coalesce(refused_version, 0) < $2`,
      [connectionId, version, refusal],
    )
    await client.query(
      `delete from exchange_secrets s using exchange_connections c
       where s.connection_id = $1 and s.version = $2 and c.id = $1 and c.active_version is distinct from $2`,
      [connectionId, version],
    )
  })
}

/** Uses the database's clock, because the times of sync requests come from it. */
export async function completeExchangeSync(
  pool: pg.Pool,
  input: { connectionId: string; coveredTo: Date },
): Promise<void> {
  const { connectionId, coveredTo } = input
  await transact(pool, async ({ client }) => {
    const { rows } = await client.query<{ before: Date | null }>(
      `update exchange_connections set synced_at = clock_timestamp(), covered_to = $2, failed_at = null, failure = null
       where id = $1 returning old.synced_at as before`,
      [connectionId, coveredTo],
    )
    for (const { before } of rows) await noteExchangeSynced(client, { connectionId, before })
  })
}

export async function failExchangeSync(
  pool: pg.Pool,
  input: { connectionId: string; failure: string },
): Promise<void> {
  await pool.query(
    'update exchange_connections set failed_at = clock_timestamp(), failure = $2 where id = $1',
    [input.connectionId, input.failure],
  )
}

/** Connections due for another sync, oldest first. A failed sync counts like a successful one. */
export async function dueConnections(
  pool: pg.Pool,
  input: { olderThanSeconds: number; limit: number },
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from exchange_connections
     where synced_at is not null and active_version is not null
       and greatest(synced_at, coalesce(failed_at, '-infinity')) < clock_timestamp() - $1 * interval '1 second'
     order by greatest(synced_at, coalesce(failed_at, '-infinity')) limit $2`,
    [input.olderThanSeconds, input.limit],
  )
  return rows.map(({ id }) => id)
}
