import type pg from 'pg'

/** Blocks of a wallet whose raw rows are asked for, both ends inclusive. */
export interface RawRange {
  walletId: string
  addresses: readonly string[]
  fromBlock: number
  toBlock: number
}

/** Stored transactions of a wallet, oldest first, and the block up to which they are complete. */
export interface RangeHashes {
  hashes: string[]
  /** the block before the range: none of it fits */
  through: number
}

/** The blocks of each address that belongs to a range, with the position of the range. */
const RANGES = `unnest($2::text[], $3::integer[], $4::bigint[], $5::bigint[])
  as range (address, position, from_block, to_block)`

/**
 * Condition for rows of any of the ranges. Not one look for each address: without statistics of the newest blocks,
 * each of them may read all rows of a block.
 */
const inRanges = (address: string): string =>
  `network_id = $1 and ${address} = any($2) and block_number between $6 and $7`

function rangeValues(networkId: string, ranges: readonly RawRange[]): unknown[] {
  const rows = ranges.flatMap(({ addresses, fromBlock, toBlock }, position) =>
    addresses.map((address) => ({ address, position, fromBlock, toBlock })),
  )
  return [
    networkId,
    rows.map(({ address }) => address),
    rows.map(({ position }) => position),
    rows.map(({ fromBlock }) => fromBlock),
    rows.map(({ toBlock }) => toBlock),
    Math.min(...ranges.map(({ fromBlock }) => fromBlock)),
    Math.max(...ranges.map(({ toBlock }) => toBlock)),
  ]
}

/**
 * Hashes of the stored transactions of ranges, in their order: of all together at most `limit`, but at least
 * one block. A block is never split.
 */
export async function walletHashes(
  client: pg.ClientBase,
  { networkId, ranges, limit }: { networkId: string; ranges: readonly RawRange[]; limit: number },
): Promise<RangeHashes[]> {
  if (ranges.length === 0) return []
  const select = async (of: readonly RawRange[], most: number | null) => {
    const { rows } = await client.query<{ position: number; hash: string; block_number: string }>(
      `select distinct position, block_number, hash from (
         select from_address as address, tx_hash as hash, block_number from transfers
         where ${inRanges('from_address')}
         union all select to_address, tx_hash, block_number from transfers where ${inRanges('to_address')}
         union all select from_address, hash, block_number from transactions where ${inRanges('from_address')}
         union all select from_address, hash, block_number from cold_transactions where ${inRanges('from_address')}
       ) as touched join ${RANGES} using (address)
       where block_number between from_block and to_block order by position, block_number, hash limit $8`,
      [...rangeValues(networkId, of), most],
    )
    return rows.map((row) => ({ ...row, block: Number(row.block_number) }))
  }
  const rows = await select(ranges, limit + 1)
  const found = ranges.map(({ toBlock }): RangeHashes => ({ hashes: [], through: toBlock }))
  const last = rows.length > limit ? rows.at(-1)! : null
  for (const { position, hash, block } of rows)
    if (position !== last?.position || block < last.block) found[position]!.hashes.push(hash)
  if (last === null) return found
  found[last.position]!.through = last.block - 1
  for (const [i, { fromBlock }] of ranges.entries()) if (i > last.position) found[i]!.through = fromBlock - 1
  if (found.some(({ hashes }) => hashes.length > 0)) return found
  // One block holds more transactions than the limit: all of them.
  const block = { ...ranges[last.position]!, toBlock: last.block }
  found[last.position] = {
    hashes: (await select([block], null)).map(({ hash }) => hash),
    through: last.block,
  }
  return found
}

/** What transfers show of a token contract. */
export interface TokenUse {
  address: string
  /** the most receivers of it in one transaction */
  receivers: number
  isNft: boolean
}

export interface RangeToken extends TokenUse {
  walletId: string
  /** Balances of it move: it is no NFT, and not only approved. */
  moves: boolean
}

/** The tokens in the stored transfers of each range. */
export async function rangeTokens(
  client: pg.Pool,
  { networkId, ranges }: { networkId: string; ranges: readonly RawRange[] },
): Promise<RangeToken[]> {
  if (ranges.length === 0) return []
  const { rows } = await client.query<{
    position: number
    token_address: string
    moves: boolean
    receivers: number
    is_nft: boolean
  }>(
    `select position, token_address, bool_or(kind in ('erc20', 'wrap', 'spl', 'issued', 'reward', 'fee')) as moves,
       max(fan_out) as receivers, bool_or(kind in ('erc721', 'erc1155')) as is_nft
     from (
       select from_address as address, token_address, kind, fan_out, block_number from transfers
       where ${inRanges('from_address')} and token_address is not null
       union all select to_address, token_address, kind, fan_out, block_number from transfers
       where ${inRanges('to_address')} and token_address is not null
     ) as touched join ${RANGES} using (address)
     where block_number between from_block and to_block group by position, token_address`,
    rangeValues(networkId, ranges),
  )
  return rows.map(({ position, token_address, is_nft, ...row }) => ({
    ...row,
    walletId: ranges[position]!.walletId,
    address: token_address,
    isNft: is_nft,
  }))
}

export interface RawTransactionRow {
  hash: string
  block_number: string
  block_hash: string
  at: Date
  tx_index: number
  from_address: string
  to_address: string | null
  value: string
  fee: string
  success: boolean
  selector: string | null
  source: string
}

export interface RawTransferRow {
  tx_hash: string
  kind: string
  position: number
  item: number
  token_address: string | null
  token_id: string | null
  from_address: string
  to_address: string
  raw: string
  fan_out: number
  block_number: string
  block_hash: string
  at: Date
}

/**
 * The transactions in chain order, without those whose rows are in files of the exports, and the transfers of all of
 * them that involve the addresses, in log order. Includes one-sided transfers of others: they are the other side of a
 * wallet's transfers.
 */
export async function rawTransactions(
  client: pg.ClientBase,
  input: { networkId: string; addresses: readonly string[]; hashes: readonly string[] },
): Promise<{ transactions: RawTransactionRow[]; transfers: RawTransferRow[] }> {
  const transactions = await client.query<RawTransactionRow>(
    `select hash, block_number, block_hash, at, tx_index, from_address, to_address, value, fee, success, selector, source
     from transactions where network_id = $1 and hash = any($2) order by block_number, tx_index`,
    [input.networkId, input.hashes],
  )
  const transfers = await client.query<RawTransferRow>(
    `select tx_hash, kind, position, item, token_address, token_id, from_address, to_address, raw, fan_out,
       block_number, block_hash, at
     from transfers where network_id = $1 and tx_hash = any($2)
       and (from_address = any($3) or to_address = any($3) or from_address = '' or to_address = '')
     order by tx_hash, kind = 'internal', kind <> 'native', position, item`,
    [input.networkId, input.hashes, input.addresses],
  )
  return { transactions: transactions.rows, transfers: transfers.rows }
}

/** Returns the transactions that are stored with transfers of the address. */
export async function findStored(
  client: pg.Pool,
  input: { networkId: string; address: string; hashes: readonly string[] },
): Promise<Set<string>> {
  const { rows } = await client.query<{ tx_hash: string }>(
    `select distinct tx_hash from transfers
     where network_id = $1 and tx_hash = any($2) and (from_address = $3 or to_address = $3)`,
    [input.networkId, input.hashes, input.address],
  )
  return new Set(rows.map((row) => row.tx_hash))
}
