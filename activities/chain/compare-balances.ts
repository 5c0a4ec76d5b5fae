import type pg from 'pg'
import { movedCoins, storedBalances, writeBalances } from '../../db/chain/balances.ts'
import type { MovedCoin, StoredBalance, WalletBalances } from '../../db/chain/balances.ts'
import type { WalletCoin } from '../../db/chain/openings.ts'
import { deleteOpenings } from '../../db/chain/openings.ts'
import { writeWalletTransactions } from '../../db/chain/write-wallet.ts'
import type { WalletTransactionToWrite } from '../../db/chain/write-wallet.ts'
import { markWalletsDirty } from '../../db/pnl/books.ts'
import { pricesAt } from '../../db/prices/read-prices.ts'
import type { Transaction } from '../../db/transact.ts'
import type { ChainBlock } from './chain-data.ts'
import { noteBalances } from './note-balances.ts'
import { openingRow } from './opening-row.ts'
import { findOpenings } from './openings.ts'
import type { Opening } from './openings.ts'
import type { NetworkContext } from './wallet-context.ts'

/** Transaction index of an opening: before or after all transactions of its block. */
const BEFORE_ALL = -1
const AFTER_ALL = 2_147_483_647

/** Base units that are known to have moved since a block, by coin. */
export interface Moved {
  fromBlock: number
  byCoin: ReadonlyMap<string, bigint>
}

export interface WalletToCompare extends WalletBalances {
  /** no earlier sync reached its head */
  isFirst: boolean
  /** all that has moved since the stored balances; null: it is added up from the stored movements */
  moved: Moved | null
  /** the last block at which all added up; null: that of the stored balances */
  verified: number | null
}

export interface BalancesAt {
  networkId: string
  block: ChainBlock
  source: string
  now: Date
  context: NetworkContext
}

export interface Compared {
  openings: number
  /** wallets whose native coins do not add up and may not be opened, with the block after which they did */
  unexplained: ReadonlyMap<string, number>
  /** wallets whose native coins were opened */
  opened: ReadonlySet<string>
}

/**
 * Stores balances that were read at one block. If a coin's movements do not add up to its balance, an opening
 * makes up the difference. Repeating it at the same block changes nothing. `mayOpenNative`: false for a wallet
 * whose native coins may be explained otherwise first.
 */
export async function compareBalances(
  { client, db }: Transaction,
  input: BalancesAt & {
    wallets: readonly WalletToCompare[]
    mayOpenNative: (walletId: string) => boolean
  },
): Promise<Compared> {
  const { networkId, block, source, now, context, wallets } = input
  const walletIds = wallets.map(({ walletId }) => walletId)
  const stored = await storedBalances(client, { networkId, walletIds })
  const { openings: found, places } = await openingsOf(client, { ...input, stored })
  const nativeId = context.assetOf(null).coinId
  const isNative = ({ coin, raw }: WalletOpening) => raw !== 0n && coin.coinId === nativeId
  const isLeft = (one: WalletOpening) => isNative(one) && !input.mayOpenNative(one.walletId)
  const verified = new Map(
    stored.filter(({ coinId }) => coinId === nativeId).map((one) => [one.walletId, one.blockNumber]),
  )
  const unexplained = new Map(
    found.filter(isLeft).map(({ walletId }) => [walletId, verified.get(walletId) ?? -1]),
  )
  const openings = found.filter((one) => !isLeft(one))
  const replaced = openings.filter((one) => one.replaces)
  const gone = await deleteOpenings(client, {
    networkId,
    coins: replaced.map(({ walletId, coin }) => ({ walletId, coinId: coin.coinId })),
  })
  const made = openings.filter((one) => one.raw !== 0n)
  const transactions = await openingRows(client, { context, block, source, openings: made, places })
  await writeWalletTransactions(client, { networkId, fetchedAt: now, transactions })
  await noteBalances(client, { networkId, stored, wallets, blockNumber: block.number })
  await writeBalances(client, { networkId, block, source, fetchedAt: now, wallets })
  const changes = [...transactions.map(({ walletId, origin }) => ({ walletId, at: origin.at })), ...gone]
  await markWalletsDirty(db, { networkId, changes: spansOf(changes) })
  const opened = new Set(made.filter(isNative).map(({ walletId }) => walletId))
  return { openings: made.length, unexplained, opened }
}

/** The first and the last change of each wallet. */
function spansOf(changes: readonly { walletId: string; at: Date }[]) {
  return [...Map.groupBy(changes, ({ walletId }) => walletId)].map(([walletId, all]) => {
    const instants = all.map(({ at }) => at).sort((one, other) => one.getTime() - other.getTime())
    return { walletId, from: instants[0]!, to: instants.at(-1)! }
  })
}

type WalletOpening = Opening & { walletId: string }
type Places = ReadonlyMap<string, MovedCoin>

const keyOf = ({ walletId, coinId }: WalletCoin): string => `${walletId} ${coinId}`

/** Openings of the coins that do not add up, and what their movements are. */
async function openingsOf(
  client: pg.ClientBase,
  input: BalancesAt & { wallets: readonly WalletToCompare[]; stored: readonly StoredBalance[] },
): Promise<{ openings: WalletOpening[]; places: Places }> {
  const { networkId, block, wallets, stored } = input
  const comparedAt = newestBlocks(stored)
  const isExplained = explainer(stored, comparedAt)
  const open = wallets.map((wallet) => ({
    ...wallet,
    balances: wallet.balances.filter((one) => !isExplained(wallet, one)),
  }))
  const coins = open.flatMap(({ walletId, balances, verified }) => {
    const since = verified ?? comparedAt.get(walletId) ?? -1
    return balances.map(({ coinId }) => ({ walletId, coinId, since }))
  })
  const moved =
    coins.length === 0 ? [] : await movedCoins(client, { networkId, coins, toBlock: block.number })
  const places = new Map(moved.map((row) => [keyOf({ walletId: row.wallet_id, coinId: row.coin_id }), row]))
  const openings = open.flatMap(({ walletId, balances, isFirst }) => {
    const toVerify = balances.map((one) => {
      const place = places.get(keyOf({ walletId, coinId: one.coinId }))
      return {
        coinId: one.coinId,
        token: one.token,
        decimals: one.decimals ?? 0,
        balance: one.raw,
        moved: BigInt(place?.raw ?? 0),
        movements: place?.movements ?? 0,
        opened: BigInt(place?.opened ?? 0),
        isShort: place ? place.short !== null : false,
        openedBefore: place ? place.opened_before !== null : false,
      }
    })
    return findOpenings(toVerify, isFirst).map((opening) => ({ ...opening, walletId }))
  })
  return { openings, places }
}

/** The block of the newest stored balance of each wallet. */
function newestBlocks(stored: readonly StoredBalance[]): ReadonlyMap<string, number> {
  const newest = new Map<string, number>()
  for (const { walletId, blockNumber } of stored)
    newest.set(walletId, Math.max(blockNumber, newest.get(walletId) ?? -1))
  return newest
}

/** Whether a balance is the stored one and what has moved since. */
function explainer(stored: readonly StoredBalance[], comparedAt: ReadonlyMap<string, number>) {
  const known = new Map(stored.map((one) => [keyOf(one), one]))
  return (
    { walletId, moved }: WalletToCompare,
    { coinId, raw }: { coinId: string; raw: bigint },
  ): boolean => {
    if (moved === null) return false
    const before = known.get(keyOf({ walletId, coinId }))
    // A balance of zero is not stored: it was one when the others were read.
    const block = before?.blockNumber ?? comparedAt.get(walletId)
    if (block === undefined || block >= moved.fromBlock) return false
    return raw === (before?.raw ?? 0n) + (moved.byCoin.get(coinId) ?? 0n)
  }
}

async function openingRows(
  client: pg.ClientBase,
  input: {
    context: NetworkContext
    block: ChainBlock
    source: string
    openings: readonly WalletOpening[]
    places: Places
  },
): Promise<WalletTransactionToWrite[]> {
  const { context, block, source, openings, places } = input
  const origins = openings.map(({ walletId, coin, place }) => {
    const hash = `balance:${coin.coinId}:${block.number}`
    const moved = places.get(keyOf({ walletId, coinId: coin.coinId }))
    const before = {
      start: moved?.first,
      shortfall: moved?.short,
      earlier: moved?.opened_before,
      head: null,
    }[place]
    if (!before)
      return {
        at: new Date(block.atMs),
        blockNumber: block.number,
        blockHash: block.hash,
        index: AFTER_ALL,
        hash,
        source,
      }
    const at = new Date(before.at)
    return { at, blockNumber: before.block, blockHash: before.hash, index: BEFORE_ALL, hash, source }
  })
  const prices = await pricesAt(
    client,
    openings.map(({ coin }, i) => ({ coinId: coin.coinId, atMs: origins[i]!.at.getTime() })),
  )
  return openings.map(({ walletId, coin, raw, role }, i) => {
    const { coinId, token, decimals } = coin
    return openingRow(context, {
      walletId,
      origin: origins[i]!,
      role,
      coinId,
      token,
      raw,
      decimals,
      price: prices[i] ?? null,
    })
  })
}
