import type pg from 'pg'
import type { MemoryBitcoin } from '../follow/memory-bitcoin.ts'
import { TRANSFER_TOPIC } from '../upstreams/nodes/chain.ts'
import type { MemoryChain } from '../upstreams/nodes/chain.ts'
import type { DayWorld } from './day-world.ts'

// What is stored of wallets, and what the chain holds of them, as comparable texts.

interface Rows {
  transfers: string[]
  balances: string[]
  /** amounts that nobody explains */
  openings: string[]
}

/** The other party of an input or an output. */
const NOBODY = ''

export interface Comparison {
  networkId: string
  stored: Rows
  expected: Rows
}

/** The rows of each network's wallets up to its cursor, as stored and as its chain has them. */
export async function compareRows({
  world,
  joined,
  pool,
}: {
  world: DayWorld
  joined: readonly { address: string; networkId: string }[]
  pool: pg.Pool
}): Promise<Comparison[]> {
  const { rows: follows } = await pool.query<{ id: string; through: number }>(
    'select network_id as id, cursor_block::int as through from network_follows',
  )
  const throughOf = (networkId: string) => follows.find(({ id }) => id === networkId)!.through
  const comparisons: Comparison[] = []
  for (const { id: networkId, chain, wallets: first, hasExplorer } of world.networks) {
    const asked = joined.filter((one) => one.networkId === networkId).map(({ address }) => address)
    // Where nobody gives a history, that of newcomers is a stored gap.
    const wallets = new Set([...first, ...(hasExplorer ? asked : [])])
    const through = throughOf(networkId)
    const expected = chainRows(chain, { wallets, through, withInternals: hasExplorer })
    const stored = await storedRows(pool, { networkId, wallets })
    // Where nobody tells what contracts send, there are openings.
    comparisons.push({ networkId, expected, stored: hasExplorer ? stored : { ...stored, openings: [] } })
  }
  const { chain, wallets: addresses } = world.bitcoin
  const [networkId, wallets] = ['bitcoin', new Set(addresses)]
  const expected = bitcoinRows(chain, { wallets, through: throughOf(networkId) })
  comparisons.push({ networkId, expected, stored: await storedRows(pool, { networkId, wallets }) })
  return comparisons
}

/** Transfers and fees of wallets in blocks up to one, counted from the chain itself. */
function chainRows(
  chain: MemoryChain,
  {
    wallets,
    through,
    withInternals,
  }: { wallets: ReadonlySet<string>; through: number; withInternals: boolean },
): Rows {
  const transfers = new Set<string>()
  const balances: string[] = []
  for (const wallet of wallets) {
    const tokens = new Set<string>()
    for (const { block, transaction } of chain.naming(wallet)) {
      if (block.number > through) continue
      const { hash, from, to, value, succeeds, logs, internals } = transaction
      const add = (kind: string, sent: string, received: string, raw: bigint) => {
        if (sent === wallet || received === wallet)
          transfers.add(`${block.number} ${hash} ${kind} ${sent} ${received} ${raw}`)
      }
      if (succeeds && value > 0n) add('native', from, to!, value)
      for (const { address, topics, data } of logs)
        if (topics[0] === TRANSFER_TOPIC) {
          add(address, ownerOf(topics[1]!), ownerOf(topics[2]!), BigInt(data))
          tokens.add(address)
        }
      if (withInternals) for (const one of internals) add('internal', one.from, one.to, one.value)
    }
    const add = (token: string | null, raw: bigint) => {
      if (raw > 0n) balances.push(`${wallet} ${token ?? 'native'} ${raw}`)
    }
    add(null, chain.nativeBalance(wallet, through))
    for (const token of tokens) add(token, chain.tokenBalance({ token, owner: wallet }, through))
  }
  return { transfers: [...transfers].sort(), balances: balances.sort(), openings: [] }
}

/** Inputs and outputs of wallets in blocks up to one, and what they have not spent, counted from the chain itself. */
function bitcoinRows(
  { chain }: MemoryBitcoin,
  { wallets, through }: { wallets: ReadonlySet<string>; through: number },
): Rows {
  const transfers: string[] = []
  const balances: string[] = []
  for (const wallet of wallets) {
    let unspent = 0
    for (const { txid, block, vin, vout } of chain.of(wallet, through)) {
      if (block.height > through) continue
      const place = `${block.height} ${txid}`
      for (const { value } of vin.filter(({ address }) => address === wallet)) {
        transfers.push(`${place} input ${wallet} ${NOBODY} ${value}`)
        unspent -= value
      }
      for (const { value } of vout.filter(({ address }) => address === wallet)) {
        transfers.push(`${place} output ${NOBODY} ${wallet} ${value}`)
        unspent += value
      }
    }
    if (unspent > 0) balances.push(`${wallet} native ${unspent}`)
  }
  return { transfers: transfers.sort(), balances: balances.sort(), openings: [] }
}

const ownerOf = (topic: string) => `0x${topic.slice(26)}`

async function storedRows(
  pool: pg.Pool,
  { networkId, wallets }: { networkId: string; wallets: ReadonlySet<string> },
): Promise<Rows> {
  const transfers = await pool.query<{ text: string }>(
    `select concat_ws(' ', block_number, tx_hash, coalesce(token_address, kind), from_address, to_address, raw) as text
     from transfers where network_id = $1 and (from_address = any($2) or to_address = any($2))
       and kind in ('native', 'internal', 'erc20', 'input', 'output')`,
    [networkId, [...wallets]],
  )
  const balances = await pool.query<{ text: string }>(
    `select concat_ws(' ', address, coalesce(token_address, 'native'), raw) as text
     from balances join wallets on id = wallet_id where network_id = $1 and raw > 0 and address = any($2)`,
    [networkId, [...wallets]],
  )
  const openings = await pool.query<{ text: string }>(
    `select concat_ws(' ', block_number, address, coin_id, raw) as text
     from movements join wallets on id = wallet_id
     where network_id = $1 and role = 'opening' and address = any($2)`,
    [networkId, [...wallets]],
  )
  const texts = ({ rows }: typeof transfers) => rows.map(({ text }) => text).sort()
  return { transfers: texts(transfers), balances: texts(balances), openings: texts(openings) }
}
