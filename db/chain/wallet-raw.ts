import type pg from 'pg'

interface WalletRange {
  addresses: readonly string[]
  networkId: string
  fromBlock: number
  toBlock: number
}

/**
 * Hashes of up to `limit` stored transactions of a wallet, oldest first, and the block up to which they are
 * complete. A block is never split.
 */
export async function walletHashes(
  client: pg.ClientBase,
  range: WalletRange & { limit: number },
): Promise<{ hashes: string[]; through: number }> {
  const select = (toBlock: number, limit: number | null) =>
    client.query<{ hash: string; block_number: string }>(
      `select hash, block_number from (
         select tx_hash as hash, block_number from transfers
         where network_id = $1 and from_address = any($2) and block_number between $3 and $4
         union select tx_hash, block_number from transfers
         where network_id = $1 and to_address = any($2) and block_number between $3 and $4
         union select hash, block_number from transactions
         where network_id = $1 and from_address = any($2) and block_number between $3 and $4
       ) as touched order by block_number, hash limit $5`,
      [range.networkId, range.addresses, range.fromBlock, toBlock, limit],
    )
  const { rows } = await select(range.toBlock, range.limit + 1)
  if (rows.length <= range.limit) return { hashes: rows.map((row) => row.hash), through: range.toBlock }
  const first = Number(rows[0]!.block_number)
  const last = Number(rows.at(-1)!.block_number)
  // One block holds more transactions than the limit: return all of them.
  if (first === last) return { hashes: (await select(last, null)).rows.map((row) => row.hash), through: last }
  const whole = rows.filter((row) => Number(row.block_number) < last)
  return { hashes: whole.map((row) => row.hash), through: last - 1 }
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
 * The transactions in chain order, and their transfers that involve the wallet, in log order. Includes
 * one-sided transfers of others: they are the other side of the wallet's transfers.
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
