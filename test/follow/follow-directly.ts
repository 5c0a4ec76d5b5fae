import type pg from 'pg'
import { createAddressSet } from '../../activities/chain/follow/address-set.ts'
import type { FollowedHeader } from '../../activities/chain/follow/block-data.ts'
import { createEvmReader } from '../../activities/chain/follow/evm-reader.ts'
import type { EvmNetwork, EvmReaderDeps, ReadPlan } from '../../activities/chain/follow/evm-reader.ts'
import { createFollower } from '../../activities/chain/follow/follow-head.ts'
import type { FollowDeps } from '../../activities/chain/follow/follow-head.ts'
import { beginFollow } from '../../db/chain/follows.ts'
import { ENTRY_POINT } from '../upstreams/nodes/user-operation.ts'

export const NETWORK: EvmNetwork = {
  id: 'ethereum',
  source: 'rpc:ethereum',
  reorgDepth: 12,
  blockMs: 12_000,
  headTag: 'latest',
  unproven: new Set(),
  contracts: { wrapped: null, nativeToken: null, entryPoints: [ENTRY_POINT] },
}

/** Plans that the tests follow. */
export const BY_BLOCKS: ReadPlan = { tickMs: null, reason: null, node: null }
export const BY_RANGES: ReadPlan = { tickMs: 30_000, reason: 'the test wants it', node: null }

/** A clock that each look moves by five minutes, so that blocks are confirmed with every batch. */
export function hurriedClock(): () => Date {
  let ms = Date.now()
  return () => new Date((ms += 300_000))
}

/** A node, or several behind a pool. Absent: they never disagree. */
interface FollowedNode extends Pick<EvmReaderDeps, 'chooseNode'> {
  usable?: EvmReaderDeps['nodes']
}

/** Begins an attempt to follow the node. `catchUp` steps until the cursor is the node's head. */
export async function follow(
  {
    pool,
    node,
    set = createAddressSet(),
    plan = () => Promise.resolve(BY_BLOCKS),
    mostBehind = 1_000,
    now = hurriedClock(),
  }: { pool: pg.Pool; node: FollowedNode } & Partial<
    Pick<EvmReaderDeps, 'set' | 'plan' | 'now'> & Pick<FollowDeps, 'mostBehind'>
  >,
  network = NETWORK,
) {
  const deps: FollowDeps = {
    pool,
    reader: createEvmReader(
      { pool, chooseNode: node.chooseNode, nodes: node.usable ?? (() => []), plan, set, now },
      network,
    ),
    now,
    wait: () => Promise.resolve(),
    isEnding: () => false,
    mostBehind,
  }
  const { epoch } = await beginFollow(pool, network.id)
  const { step } = await createFollower(deps, { network, epoch })

  async function catchUp(): Promise<void> {
    for (let steps = 0; steps < 1_000; steps++) {
      await step()
      const { rows } = await pool.query('select cursor_hash from network_follows')
      const head = (await node
        .chooseNode({ methods: [] })
        .ask('eth_getBlockByNumber', ['latest', false])) as FollowedHeader
      if (rows[0].cursor_hash === head.hash) return
    }
    throw new Error('the follower does not reach the head')
  }

  return { deps, epoch, step, catchUp }
}

/** Tracks a wallet as a first read does, before its history is read. */
export async function track(pool: pg.Pool, ...addresses: string[]): Promise<void> {
  await pool.query('insert into wallets (address) select unnest($1::text[])', [addresses])
  await pool.query(
    `insert into wallet_syncs (wallet_id, network_id) select id, 'ethereum' from wallets
     where address = any($1)`,
    [addresses],
  )
}

/** Empties the tables that a follower and syncs write. */
export async function emptyTables(owner: pg.Pool): Promise<void> {
  await owner.query(
    `truncate network_follows, network_rewinds, touched_wallets, blocks, transactions, transfers, wallet_transactions, movements,
       balances, tokens, pl_states, books, transaction_days, wallet_accounts, wallet_syncs, wallets restart identity cascade`,
  )
}

/** Rows of the chain, without where and when they were read. */
export async function chainRows(pool: pg.Pool): Promise<Record<string, string[]>> {
  const tables: Record<string, string> = {
    blocks: `select number, hash, parent_hash, at from blocks as block where exists (
      select from transactions where network_id = block.network_id and block_number = number)`,
    transactions: `select hash, block_number, block_hash, at, tx_index, from_address, to_address, value, fee,
      success, selector from transactions`,
    transfers: `select tx_hash, kind, position, item, token_address, token_id, from_address, to_address, raw,
      fan_out, block_number, block_hash, at from transfers`,
    wallet_transactions: `select address, at, block_number, block_hash, tx_index, hash, type, coin_ids, fragment
      from wallet_transactions join wallets on wallets.id = wallet_id`,
    movements: `select address, at, block_number, block_hash, tx_hash, seq, role, coin_id, raw, counterparty
      from movements join wallets on wallets.id = wallet_id`,
    balances: `select address, coin_id, token_address, raw, decimals from balances
      join wallets on wallets.id = wallet_id`,
  }
  const found: Record<string, string[]> = {}
  for (const [table, sql] of Object.entries(tables)) {
    const { rows } = await pool.query<{ text: string }>(
      `select t::text as text from (${sql}) as t order by 1`,
    )
    found[table] = rows.map(({ text }) => text)
  }
  return found
}
