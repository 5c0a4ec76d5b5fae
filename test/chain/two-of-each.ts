import { afterAll } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

/** Blocks of the transactions that each wallet has for itself. */
const OWN_BLOCKS = [60, 90]
/** Transactions of one wallet, and at block 70 one that both wallets are in. */
const BLOCKS = `(values (60, null), (70, 'both'), (90, null)) blocks (block, common)`
const HASH = `coalesce(common, 'tx-' || owner || '-' || block)`
const AT = `at + block * interval '1 minute' + share * interval '1 second'`

/** A row of each table for each wallet on each network: its columns, and their values. */
const ROWS: readonly (readonly [table: string, values: string, from?: string])[] = [
  [
    `wallet_syncs (wallet_id, network_id, cursor_block, head_block, normalised_block, covered_from, synced_at, walk, gap_from,
       gap_to)`,
    `id, network, 100 + share, 100 + share, 100 + share, 90, now() - interval '1 hour', '{"settled": 90}', share, share`,
  ],
  [
    'wallet_accounts (wallet_id, network_id, account, role, read_block, seen, seen_block, source, fetched_at)',
    `id, network, role || '-' || owner, role, 90, 'seen', 90, 'test', at`,
    `(values ('wallet'), ('address')) roles (role)`,
  ],
  [
    'tokens (network_id, address, decimals, coin_id, source, fetched_at)',
    `network, 'token-' || owner, 18, 'coin-' || owner, 'test', at`,
  ],
  [
    `transactions (network_id, hash, block_number, block_hash, at, tx_index, from_address, value, fee, success, source,
       fetched_at)`,
    `network, ${HASH}, block, 'hash', ${AT}, 0, address, 1, 1, true, 'test', at`,
    `${BLOCKS} where common is null`,
  ],
  [
    `transfers (network_id, tx_hash, kind, position, token_address, from_address, to_address, raw, fan_out, block_number,
       block_hash, at, source, fetched_at)`,
    `network, ${HASH}, kind, row_number() over (partition by network, id, block),
     case when kind = 'erc20' then 'token-' || owner end, coalesce(giver, address), coalesce(taker, address),
     case kind when 'input' then 1 else share end, block, block, 'hash', ${AT}, 'test', at`,
    `${BLOCKS}, (values ('erc20', null, 'x'), ('erc20', 'x', null), ('output', '', null), ('input', null, ''))
       kinds (kind, giver, taker) where common is null`,
  ],
  [
    `wallet_transactions (wallet_id, network_id, at, block_number, block_hash, tx_index, hash, type, coin_ids, identified,
       fragment, source, fetched_at)`,
    `id, network, ${AT}, block, 'hash', 0, kind || ${HASH}, case kind when '' then 'deposit' else 'balance' end,
     array['coin-' || owner], true, '{}', 'test', at`,
    `${BLOCKS}, (values (''), ('balance:')) kinds (kind)`,
  ],
  [
    `movements (wallet_id, network_id, at, block_number, block_hash, tx_index, tx_hash, seq, role, coin_id, raw, decimals,
       source, fetched_at)`,
    `id, network, ${AT}, block, 'hash', 0, kind || ${HASH}, 0, case kind when '' then 'transfer' else 'opening' end,
     'coin-' || owner, share, 18, 'test', at`,
    `${BLOCKS}, (values (''), ('balance:')) kinds (kind)`,
  ],
  ['movement_labels', `id, network, ${HASH}, 0, 'airdrop', 'test', at`, BLOCKS],
  ['balances', `id, network, 'coin-' || owner, 'token-' || owner, share, 18, 90, 'hash', 'test', at`],
  [
    'touched_wallets (network_id, wallet_id, from_block, through_block, reason, next_at)',
    `network, id, 80, 95, 'block', 'infinity'`,
  ],
  ['books (wallet_id, network_id)', 'id, network'],
]

const NETWORKS = ['ethereum', 'base-wallet'] as const

/**
 * Two wallets on two networks, with rows that are alike up to the owner in their names, such as `coin-base-wallet#2`, and
 * numbers that differ. What is asked for is that of the wallet and the network that come last.
 */
export async function twoOfEach() {
  const database = await testDatabase()
  const { db, pool, close } = openDb({
    url: database.ownerUrl,
    maxConnections: 2,
    applicationName: 'test',
  })
  afterAll(close)
  const ask = <Row extends object>(text: string, values: unknown[] = []) =>
    query<Row>(database.ownerUrl, text, values)
  await ask(`insert into wallets (address) values ('w1'), ('w2')`)
  for (const network of NETWORKS) {
    await ask(
      `insert into network_follows (network_id, mode, method, cursor_block, cursor_hash, cursor_at, head_block,
         confirmed_block, advanced_at, epoch, node)
       values ($1, 'blocks', 'receipts', 200, $1 || '-200', now(), 210, 50, now(), 7, $1)`,
      [network],
    )
    await ask(
      `insert into blocks select $1, n, $1 || '-' || n, null, '2026-01-01', 'test', now()
       from generate_series(45, 100, 5) n`,
      [network],
    )
    await ask(`insert into account_checks select $1, first, '2026-01-01' from generate_series(0, 1) first`, [
      network,
    ])
    await ask(
      `insert into network_rewinds
       select $1, now() - days * interval '1 day', 60, 1 from unnest(array[1, 31]) days`,
      [network],
    )
  }
  const owned = `select w.id, w.address, n.id as network, n.id || '#' || w.id as owner,
      '2026-01-01T00:00:00Z'::timestamptz as at, w.id * 10 + array_position($1::text[], n.id) as share
    from wallets w, networks n where n.id = any($1)`
  for (const [table, values, from] of ROWS)
    await ask(`insert into ${table} select ${values} from (${owned}) owned${from ? `, ${from}` : ''}`, [
      NETWORKS,
    ])
  const wallets = await ask<{ id: string }>('select id from wallets order by id')
  const walletIds = wallets.map(({ id }) => id)
  const [networkId, walletId] = [NETWORKS[1], walletIds[1]!]
  return {
    database,
    db,
    pool,
    ask,
    networkId,
    walletId,
    address: 'w2',
    walletIds,
    /** the owner in names */
    owner: `${networkId}#${walletId}`,
    /** a number of the owner */
    share: Number(walletId) * 10 + 2,
    /** of all wallets and networks */
    owners: NETWORKS.flatMap((network) => walletIds.map((id) => `${network}#${id}`)),
    hashesOf: (owner: string) => OWN_BLOCKS.map((block) => `tx-${owner}-${block}`),
  }
}
