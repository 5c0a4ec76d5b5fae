import type pg from 'pg'
import { type OldTransactions, wholeTransactions } from '../../../db/chain/cold-transactions.ts'
import { walletHashes } from '../../../db/chain/wallet-raw.ts'
import type {
  RangeHashes,
  RawRange,
  RawTransactionRow,
  RawTransferRow,
} from '../../../db/chain/wallet-raw.ts'
import { deleteDerived, timesBefore, writeWalletTransactions } from '../../../db/chain/write-wallet.ts'
import type { WalletTransactionToWrite } from '../../../db/chain/write-wallet.ts'
import { noteUnconfirmed, noteWalletEvents, readWatches } from '../../../db/events/note-events.ts'
import { markWalletsDirty } from '../../../db/pnl/books.ts'
import { pricesAt } from '../../../db/prices/read-prices.ts'
import type { Transaction } from '../../../db/transact.ts'
import { decimal, formatDecimal } from '../../../db/values/decimal.ts'
import type { ChainKind } from '../../../db/values/networks.ts'
import { NOBODY } from '../chain-data.ts'
import type { ChainTransaction, ChainTransfer, TransferKind } from '../chain-data.ts'
import { normalise } from '../normalise.ts'
import type { NormalisedTransaction } from '../normalise.ts'
import { loadContext } from '../wallet-context.ts'
import { walletTransaction } from '../wallet-transaction.ts'

/** Bounds the memory of a transaction. */
const TRANSACTIONS_AT_ONCE = 5_000

/**
 * A transaction that is found later than this after its block is marked as late. Twice the longest pause
 * between two syncs, so only a break or a catch-up makes one late.
 */
const LATE_MS = 10 * 60_000

export interface DerivedRange {
  walletId: string
  /** derived up to here; the block before the range: nothing is yet */
  through: number
  transactions: WalletTransactionToWrite[]
}

/**
 * Derives wallet transactions and movements from the raw rows of ranges of blocks, prices each movement at its
 * own instant, and marks P&L. Repeating a range gives the same rows. `isNews`: whoever watches a wallet is told
 * of transactions that were not stored before. Needs the locks of the network and of the wallets, and to run
 * within `withOldTransactions`.
 */
export async function deriveRanges(
  { client, db }: Transaction,
  input: {
    networkId: string
    ranges: readonly RawRange[]
    isNews: boolean
    now: Date
    old: OldTransactions
  },
): Promise<DerivedRange[]> {
  const { networkId, ranges, isNews, now, old } = input
  const found = await walletHashes(client, { networkId, ranges, limit: TRANSACTIONS_AT_ONCE })
  const derived = await derive(client, { networkId, ranges, found, old })
  const parts = ranges.map((range, i) => ({ ...range, toBlock: found[i]!.through }))
  const gone = await deleteDerived(client, { networkId, ranges: parts })
  const transactions = derived.flatMap((one) => one.transactions)
  await writeWalletTransactions(client, { networkId, fetchedAt: now, transactions })
  if (isNews) {
    const seen = transactions.filter(({ walletId, origin }) => !gone.has(walletId, origin.hash))
    await noteTransactions(client, { networkId, transactions: seen, now })
  }
  const changes = derived.flatMap(({ walletId, transactions }) => {
    const deleted = gone.instants.get(walletId)
    const instants = [
      ...transactions.map(({ origin }) => origin.at),
      ...(deleted ? [deleted.from, deleted.to] : []),
    ].sort((one, other) => one.getTime() - other.getTime())
    return instants.length === 0 ? [] : [{ walletId, from: instants[0]!, to: instants.at(-1)! }]
  })
  await markWalletsDirty(db, { networkId, changes })
  return derived
}

/** Notes transactions that were not stored before, of the wallets that are watched. */
async function noteTransactions(
  client: pg.ClientBase,
  input: { networkId: string; transactions: readonly WalletTransactionToWrite[]; now: Date },
): Promise<void> {
  const { networkId, transactions, now } = input
  if (transactions.length === 0) return
  const walletIds = [...new Set(transactions.map(({ walletId }) => walletId))]
  const watches = await readWatches(client, { networkId, walletIds })
  const found = transactions.flatMap(({ walletId, origin, identified, main, fragment }) => {
    const watch = watches.get(walletId)
    if (!watch) return []
    const { hash, blockNumber, blockHash, at } = origin
    const isSettled = blockNumber <= watch.settledBlock
    const late = now.getTime() - at.getTime() > LATE_MS
    return [{ walletId, hash, blockNumber, blockHash, isSettled, late, identified, row: { main, fragment } }]
  })
  const unconfirmed = found.filter(({ isSettled }) => !isSettled)
  await noteUnconfirmed(client, { networkId, transactions: unconfirmed })
  const events = found.map(({ walletId, hash, blockNumber, isSettled, ...facts }) => ({
    walletId,
    kind: 'wallet.transaction' as const,
    blockNumber,
    txHash: hash,
    payload: { first: true, status: isSettled ? ('confirmed' as const) : ('unconfirmed' as const), ...facts },
  }))
  await noteWalletEvents(client, { networkId, events })
}

async function derive(
  client: pg.ClientBase,
  input: {
    networkId: string
    ranges: readonly RawRange[]
    found: readonly RangeHashes[]
    old: OldTransactions
  },
): Promise<DerivedRange[]> {
  const { networkId, ranges, found } = input
  const hashes = [...new Set(found.flatMap((one) => one.hashes))]
  const empty = ranges.map(({ walletId }, i) => ({ walletId, through: found[i]!.through, transactions: [] }))
  if (hashes.length === 0) return empty
  const addresses = ranges.flatMap((range) => range.addresses)
  const raw = await wholeTransactions(client, { networkId, addresses, hashes }, input.old)
  const rows = new Map(raw.transactions.map((row) => [row.hash, row]))
  const order = new Map(raw.transactions.map(({ hash }, i) => [hash, i]))
  const transfers = Map.groupBy(raw.transfers.map(chainTransfer), (one) => one.txHash)
  const tokens = [...new Set(raw.transfers.flatMap((row) => row.token_address ?? []))]
  const context = await loadContext(client, { networkId, tokens })
  // Block times of Bitcoin may run backwards, also from one range to the next.
  const isOrdered = context.network.kind === 'evm'
  const befores = isOrdered ? new Map() : await timesBefore(client, { networkId, ranges })
  const normalised = ranges.map(({ walletId, addresses: own }, i) => {
    const mine = { ...context, own: new Set(own) }
    let earliest = befores.get(walletId) ?? new Date(0)
    return found[i]!.hashes.toSorted((one, other) => order.get(one)! - order.get(other)!).flatMap((hash) => {
      const stored = rows.get(hash)!
      // A coin arrives before it is spent, even if the spending block has the earlier timestamp.
      earliest = stored.at > earliest ? stored.at : earliest
      const row = { ...stored, at: earliest }
      const involved = (transfers.get(hash) ?? []).filter(
        ({ from, to }) => mine.own.has(from) || mine.own.has(to) || from === NOBODY || to === NOBODY,
      )
      const one = normalise(mine, chainTransaction(row), involved)
      return one ? [{ row, one, mine }] : []
    })
  })
  const cells = normalised
    .flat()
    .flatMap(({ row, one }) => one.movements.map(({ coinId }) => ({ coinId, atMs: row.at.getTime() })))
  const prices = await pricesAt(client, cells)
  let next = 0
  return empty.map((range, i) => ({
    ...range,
    transactions: normalised[i]!.map(({ row, one, mine }): WalletTransactionToWrite => {
      const movements = one.movements.map((movement) => ({ ...movement, price: prices[next++] ?? null }))
      const served = walletTransaction(mine, one, (seq) => {
        const { price } = movements[seq]!
        return price && decimal(price.usd)
      })
      const main = served.main && {
        ...served.main,
        count: formatDecimal(served.main.count),
        valueUsd: served.main.valueUsd && formatDecimal(served.main.valueUsd),
      }
      const origin = {
        at: row.at,
        blockNumber: Number(row.block_number),
        blockHash: row.block_hash,
        index: orderInInstant(row, context.network.kind, one),
        hash: row.hash,
        source: row.source,
      }
      return { ...served, walletId: range.walletId, main, origin, movements }
    }),
  }))
}

/**
 * Derived rows are ordered by (at, tx_index), and chains with sub-second blocks give several blocks one
 * timestamp. So the index includes the block number, modulo 2,000: enough to order the blocks of one second.
 * Sources of non-EVM chains do not state the order inside a block: incoming transactions come first.
 */
function orderInInstant(row: RawTransactionRow, kind: ChainKind, { lines }: NormalisedTransaction): number {
  const comesIn = lines.every((line) => line.raw > 0n)
  const index = kind === 'evm' ? row.tx_index : Number(!comesIn)
  return (Number(row.block_number) % 2_000) * 1_000_000 + Math.min(index, 999_999)
}

function chainTransaction(row: RawTransactionRow): ChainTransaction {
  return {
    hash: row.hash,
    blockNumber: Number(row.block_number),
    blockHash: row.block_hash,
    atMs: row.at.getTime(),
    index: row.tx_index,
    from: row.from_address,
    to: row.to_address,
    value: BigInt(row.value),
    fee: BigInt(row.fee),
    success: row.success,
    selector: row.selector,
  }
}

function chainTransfer(row: RawTransferRow): ChainTransfer {
  return {
    txHash: row.tx_hash,
    kind: row.kind as TransferKind,
    position: row.position,
    item: row.item,
    token: row.token_address,
    tokenId: row.token_id === null ? null : BigInt(row.token_id),
    from: row.from_address,
    to: row.to_address,
    raw: BigInt(row.raw),
    fanOut: row.fan_out,
    blockNumber: Number(row.block_number),
    blockHash: row.block_hash,
    atMs: row.at.getTime(),
  }
}
