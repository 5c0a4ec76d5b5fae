import type pg from 'pg'

// The marks of touched wallets, as derive takes and settles them. `next_at` is `infinity` for a wallet whose history
// is not complete: its next sync or block wakes it up. A mark without blocks (`from_block` above `through_block`) is
// that of a wallet which may not be derived yet.

export interface Mark {
  walletId: string
  /** the wallet's own address first */
  addresses: readonly string[]
  fromBlock: number
  throughBlock: number
  reason: 'block' | 'reorg' | 'verify' | 'unexplained'
  /** does not wait: something happened to the wallet since it was derived */
  isTouched: boolean
  /** no sync has reached its head yet */
  isFirst: boolean
  /** everything below the coverage of the follower is stored and derived */
  isWhole: boolean
}

interface MarkKey {
  networkId: string
  walletIds: readonly string[]
}

/** Wallets of one network whose marks are due, oldest first; null: none. `lane`: of so many derivers, which one. */
export async function dueMarks(
  pool: pg.Pool,
  input: { networkIds: readonly string[]; lane: number; lanes: number; limit: number },
): Promise<MarkKey | null> {
  const { rows } = await pool.query<{ network_id: string; wallet_id: string }>({
    name: 'due_marks',
    text: `with due as (
        select network_id, wallet_id, marked_at from touched_wallets
        where network_id = any($1) and wallet_id % $3 = $2 and (next_at is null or next_at <= clock_timestamp())
      ) select network_id, wallet_id from due
      where network_id = (select network_id from due order by marked_at limit 1) order by marked_at limit $4`,
    values: [input.networkIds, input.lane, input.lanes, input.limit],
  })
  const [first] = rows
  return first ? { networkId: first.network_id, walletIds: rows.map((row) => row.wallet_id) } : null
}

/** Reads the marks of wallets. `isTaken`: locks them and the syncs, and leaves out those that others work on. */
export async function readMarks(
  client: pg.Pool | pg.ClientBase,
  { networkId, walletIds, isTaken }: MarkKey & { isTaken: boolean },
): Promise<Mark[]> {
  const { rows } = await (client as pg.Pool).query<{
    wallet_id: string
    addresses: string[]
    from_block: string
    through_block: string
    reason: Mark['reason']
    is_touched: boolean
    is_first: boolean
    is_whole: boolean
  }>(
    `select touched.wallet_id, from_block, through_block, reason, next_at is null as is_touched,
       synced_at is null as is_first,
       coalesce(synced_at is not null and least(cursor_block, normalised_block) >= covered_from - 1, false) as is_whole,
       array_prepend(address, array(
         select account from wallet_accounts as known
         where known.wallet_id = wallet.id and known.network_id = $1 and role = 'address' order by account
       )) as addresses
     from touched_wallets as touched
     join wallets as wallet on wallet.id = touched.wallet_id
     join wallet_syncs as sync on sync.wallet_id = touched.wallet_id and sync.network_id = $1
     where touched.network_id = $1 and touched.wallet_id = any($2) order by touched.wallet_id
     ${isTaken ? 'for update of touched, sync skip locked' : ''}`,
    [networkId, walletIds],
  )
  return rows.map((row) => ({
    walletId: row.wallet_id,
    addresses: row.addresses,
    fromBlock: Number(row.from_block),
    throughBlock: Number(row.through_block),
    reason: row.reason,
    isTouched: row.is_touched,
    isFirst: row.is_first,
    isWhole: row.is_whole,
  }))
}

/** What is left of a mark. */
export interface MarkLeft {
  walletId: string
  fromBlock: number
  throughBlock: number
  reason: Mark['reason']
  /** null: until the next sync or block */
  waitMs: number | null
  /** when what is left happened: at the mark's own time, now, or when the wait is over */
  since: 'mark' | 'now' | 'wait'
}

/** Deletes marks whose wallets are derived, and keeps what is left of the others. Needs the lock of `readMarks`. */
export async function settleMarks(
  client: pg.ClientBase,
  { networkId, walletIds, left }: MarkKey & { left: readonly MarkLeft[] },
): Promise<void> {
  await client.query('delete from touched_wallets where network_id = $1 and wallet_id = any($2)', [
    networkId,
    walletIds,
  ])
  if (left.length === 0) return
  await client.query(
    `update touched_wallets as mark
     set from_block = rest.from_block, through_block = rest.through_block, reason = rest.reason, attempts = 0,
       next_at = case when wait_ms is null then 'infinity' when wait_ms > 0
         then clock_timestamp() + wait_ms * interval '1 millisecond' end,
       marked_at = case since when 'mark' then marked_at when 'now' then clock_timestamp()
         else clock_timestamp() + wait_ms * interval '1 millisecond' end
     from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::integer[], $7::text[])
       as rest (wallet_id, from_block, through_block, reason, wait_ms, since)
     where network_id = $1 and mark.wallet_id = rest.wallet_id`,
    [
      networkId,
      left.map(({ walletId }) => walletId),
      left.map(({ fromBlock }) => fromBlock),
      left.map(({ throughBlock }) => throughBlock),
      left.map(({ reason }) => reason),
      left.map(({ waitMs }) => waitMs),
      left.map(({ since }) => since),
    ],
  )
}

const FIRST_PAUSE_S = 5
const LONGEST_PAUSE_S = 3_600

/** Sets the mark of a wallet that cannot be derived aside, for longer each time. */
export async function postponeMark(
  pool: pg.Pool,
  { networkId, walletId }: { networkId: string; walletId: string },
): Promise<void> {
  await pool.query(
    `update touched_wallets set attempts = attempts + 1,
       next_at = clock_timestamp() + least($3 * 2 ^ least(attempts, 20), $4) * interval '1 second'
     where network_id = $1 and wallet_id = $2`,
    [networkId, walletId, FIRST_PAUSE_S, LONGEST_PAUSE_S],
  )
}

/** Wakes the mark of a wallet whose history is complete. */
export async function wakeMark(
  client: pg.ClientBase,
  { networkId, walletId }: { networkId: string; walletId: string },
): Promise<void> {
  await client.query(
    `update touched_wallets set next_at = null where network_id = $1 and wallet_id = $2 and next_at = 'infinity'`,
    [networkId, walletId],
  )
}
