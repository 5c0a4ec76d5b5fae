import type pg from 'pg'
import { lockMarks, moveNormalised } from '../../db/chain/sync-marks.ts'
import { ownAddresses } from '../../db/chain/wallet-accounts.ts'
import { pricesAt } from '../../db/prices/price-in-force.ts'
import { rawTransactions, walletHashes } from '../../db/chain/wallet-raw.ts'
import type { RawTransactionRow, RawTransferRow } from '../../db/chain/wallet-raw.ts'
import { deleteDerived, timeBefore, writeWalletTransactions } from '../../db/chain/write-wallet.ts'
import type { WalletTransactionToWrite } from '../../db/chain/write-wallet.ts'
import { lockNetwork } from '../../db/chain/write.ts'
import { markBookDirty } from '../../db/pnl/books.ts'
import { transact } from '../../db/transact.ts'
import { decimal, formatDecimal } from '../../db/values/decimal.ts'
import type { ChainKind } from '../../db/values/networks.ts'
import type { ChainTransaction, ChainTransfer, TransferKind } from './chain-data.ts'
import { loadContext } from './wallet-context.ts'
import { normalise } from './normalise.ts'
import type { NormalisedTransaction } from './normalise.ts'
import { rewriteOpenings } from './opening-row.ts'
import { walletTransaction } from './wallet-transaction.ts'
import { noteUnconfirmed, noteWalletEvents, readWatch } from '../../db/events/note-events.ts'

export interface NormaliseInput {
  walletId: string
  address: string
  networkId: string
}

export interface NormaliseProgress {
  normalisedBlock: number
  transactions: number
  done: boolean
}

const TRANSACTIONS_PER_STEP = 5_000

/**
 * Derives the next wallet transactions and movements from the raw rows, prices each movement at its own
 * instant, and moves the normalised mark. Repeating a range gives the same rows. If the stored rows have an
 * outdated form, it starts at the first block.
 */
export async function normaliseStep(
  deps: { pool: pg.Pool; now: () => Date },
  input: NormaliseInput,
): Promise<NormaliseProgress> {
  const { walletId, address, networkId } = input
  return await transact(deps.pool, async ({ client, db }) => {
    await lockNetwork(client, { networkId, mode: 'write' })
    const { cursor, normalised, isOutdated } = await lockMarks(client, { walletId, networkId })
    const fromBlock = isOutdated ? 0 : normalised + 1
    if (fromBlock > cursor) return { normalisedBlock: cursor, transactions: 0, done: true }

    const addresses = await ownAddresses(client, { networkId, address })
    if (isOutdated) await rewriteOpenings(client, { walletId, networkId, addresses, now: deps.now() })
    const range = { networkId, addresses, fromBlock, toBlock: cursor }
    const { hashes, through } = await walletHashes(client, { ...range, limit: TRANSACTIONS_PER_STEP })
    const raw = await rawTransactions(client, { networkId, addresses, hashes })
    const earliest = await timeBefore(client, { walletId, networkId, fromBlock })
    const transactions = await derive(client, { networkId, addresses, earliest, ...raw })
    const gone = await deleteDerived(client, { walletId, networkId, fromBlock, toBlock: through })
    await writeWalletTransactions(client, { walletId, networkId, fetchedAt: deps.now(), transactions })
    // Rows of an older form are known already.
    if (!isOutdated) {
      const seen = transactions.filter(({ origin }) => !gone.hashes.has(origin.hash))
      await noteTransactions(client, { walletId, networkId, transactions: seen, now: deps.now() })
    }
    const changes = [...transactions.map((one) => one.origin.at), ...(gone.from ? [gone.from] : [])]
    changes.sort(byTime)
    const [from] = changes
    if (from) await markBookDirty({ db, book: { walletId, networkId }, from, to: changes.at(-1)! })
    await moveNormalised(client, { walletId, networkId, to: through })
    return { normalisedBlock: through, transactions: transactions.length, done: through >= cursor }
  })
}

const byTime = (one: Date, other: Date): number => one.getTime() - other.getTime()

async function derive(
  client: pg.ClientBase,
  input: {
    networkId: string
    addresses: readonly string[]
    /** lower bound for the times, from the rows before the range: block times of Bitcoin may run backwards */
    earliest: Date | null
    transactions: RawTransactionRow[]
    transfers: RawTransferRow[]
  },
): Promise<WalletTransactionToWrite[]> {
  const { networkId, addresses } = input
  const tokens = [...new Set(input.transfers.flatMap((row) => row.token_address ?? []))]
  const context = await loadContext(client, { networkId, addresses, tokens })
  const transfers = Map.groupBy(input.transfers.map(chainTransfer), (one) => one.txHash)
  let earliest = input.earliest ?? new Date(0)
  const found = input.transactions.flatMap((stored) => {
    // A coin arrives before it is spent, even if the spending block has the earlier timestamp.
    earliest = stored.at > earliest ? stored.at : earliest
    const row = { ...stored, at: earliest }
    const normalised = normalise(context, chainTransaction(row), transfers.get(row.hash) ?? [])
    return normalised ? [{ row, normalised }] : []
  })
  const cells = found.flatMap(({ row, normalised }) =>
    normalised.movements.map((one) => ({ coinId: one.coinId, atMs: row.at.getTime() })),
  )
  const prices = await pricesAt(client, cells)
  let next = 0
  return found.map(({ row, normalised }) => {
    const movements = normalised.movements.map((one) => ({ ...one, price: prices[next++] ?? null }))
    const served = walletTransaction(context, normalised, (seq) => {
      const price = movements[seq]!.price
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
      index: orderInInstant(row, context.network.kind, normalised),
      hash: row.hash,
      source: row.source,
    }
    return { ...served, main, origin, movements }
  })
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

/**
 * A transaction that is found later than this after its block is marked as late. Twice the longest pause
 * between two syncs, so only a break or a catch-up makes one late.
 */
const LATE_MS = 10 * 60_000

/** Notes transactions that were not stored before, if their wallet is watched. */
async function noteTransactions(
  client: pg.ClientBase,
  input: {
    walletId: string
    networkId: string
    transactions: readonly WalletTransactionToWrite[]
    now: Date
  },
): Promise<void> {
  const { walletId, networkId, transactions, now } = input
  if (transactions.length === 0) return
  const watch = await readWatch(client, input)
  if (!watch) return
  const found = transactions.map(({ origin, identified, main, fragment }) => {
    const { hash, blockNumber, blockHash, at } = origin
    const isSettled = blockNumber <= watch.settledBlock
    const late = now.getTime() - at.getTime() > LATE_MS
    return { hash, blockNumber, blockHash, isSettled, late, identified, row: { main, fragment } }
  })
  const unconfirmed = found.filter(({ isSettled }) => !isSettled)
  await noteUnconfirmed(client, { walletId, networkId, transactions: unconfirmed })
  const events = found.map(({ hash, blockNumber, isSettled, ...facts }) => ({
    kind: 'wallet.transaction' as const,
    blockNumber,
    txHash: hash,
    payload: { first: true, status: isSettled ? ('confirmed' as const) : ('unconfirmed' as const), ...facts },
  }))
  await noteWalletEvents(client, { walletId, networkId, events })
}
