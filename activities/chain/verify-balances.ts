import type pg from 'pg'
import { movedCoins, writeBalances } from '../../db/chain/balances.ts'
import type { BalanceToWrite, MovedCoin } from '../../db/chain/balances.ts'
import { deleteOpenings } from '../../db/chain/openings.ts'
import { heldTokens } from '../../db/chain/wallet-assets.ts'
import { wasSynced } from '../../db/chain/sync-marks.ts'
import { ownAddresses, readAccounts } from '../../db/chain/wallet-accounts.ts'
import { pricesAt } from '../../db/prices/price-in-force.ts'
import { writeWalletTransactions } from '../../db/chain/write-wallet.ts'
import type { WalletTransactionToWrite } from '../../db/chain/write-wallet.ts'
import { lockNetwork } from '../../db/chain/write.ts'
import { markBookDirty } from '../../db/pnl/books.ts'
import { transact } from '../../db/transact.ts'
import type { ChainBlock } from './chain-data.ts'
import { mergeCoins } from './merge-coins.ts'
import { noteBalances } from './note-balances.ts'
import { loadContext } from './wallet-context.ts'
import { openingRow } from './opening-row.ts'
import { findOpenings } from './openings.ts'
import type { CoinToVerify, Opening } from './openings.ts'
import type { WalletContext } from './wallet-context.ts'
import type { WalletSource } from './wallet-source.ts'

export interface VerifyInput {
  walletId: string
  address: string
  networkId: string
  /** the head that the sync reached */
  headBlock: number
}

/** Transaction index of an opening: before or after all transactions of its block. */
const BEFORE_ALL = -1
const AFTER_ALL = 2_147_483_647

/**
 * Reads all balances at one block and stores them. If a coin's movements do not add up to its balance, an
 * opening makes up the difference. Repeating it at the same block changes nothing.
 */
export async function verifyBalances(
  deps: { pool: pg.Pool; source: WalletSource; now: () => Date },
  input: VerifyInput,
): Promise<{ balances: number; openings: number }> {
  const { walletId, address, networkId, headBlock } = input
  const { source, pool } = deps
  const addresses = await ownAddresses(pool, { networkId, address })
  const held = await heldTokens(pool, { networkId, addresses })
  const tokens = held.map((token) => token.address)
  const accounts = await readAccounts(pool, { walletId, networkId })
  const onChain = await source.readBalances({ address, accounts, tokens, headBlock })
  const { block } = onChain
  return await transact(pool, async ({ client, db }) => {
    await lockNetwork(client, { networkId, mode: 'write' })
    const context = await loadContext(client, { networkId, addresses, tokens })
    const native: BalanceToWrite = {
      coinId: context.assetOf(null).coinId,
      token: null,
      raw: onChain.native,
      decimals: context.assetOf(null).decimals,
    }
    const balances = [native]
    held.forEach((token, i) => {
      const raw = onChain.tokens[i]
      // A token whose contract does not answer keeps the sum of its movements.
      if (raw !== null && raw !== undefined)
        balances.push({ coinId: token.coin_id, token: token.address, raw, decimals: token.decimals })
    })
    const merged = mergeCoins(balances)
    const scope = { walletId, networkId }
    const moved = new Map(
      (await movedCoins(client, { ...scope, toBlock: headBlock })).map((row) => [row.coin_id, row]),
    )
    const coins = merged.map((one): CoinToVerify => {
      const movement = moved.get(one.coinId)
      return {
        coinId: one.coinId,
        token: one.token,
        decimals: one.decimals ?? 0,
        balance: one.raw,
        moved: BigInt(movement?.raw ?? 0),
        movements: movement?.movements ?? 0,
        opened: BigInt(movement?.opened ?? 0),
        isShort: movement ? movement.short !== null : false,
        openedBefore: movement ? movement.opened_before !== null : false,
      }
    })
    const found = findOpenings(coins, !(await wasSynced(client, scope)))
    const replaced = found.filter((one) => one.replaces).map(({ coin }) => coin.coinId)
    const gone = await deleteOpenings(client, { ...scope, coinIds: replaced })
    const openings = found.filter((one) => one.raw !== 0n)
    const transactions = await openingRows(client, { context, block, source: source.name, openings, moved })
    const fetchedAt = deps.now()
    await writeWalletTransactions(client, { ...scope, fetchedAt, transactions })
    const nonZero = merged.filter((one) => one.raw !== 0n)
    await noteBalances(client, { ...scope, balances: merged, blockNumber: block.number })
    await writeBalances(client, { ...scope, block, source: source.name, fetchedAt, balances: nonZero })
    const changes = [...transactions.map(({ origin }) => origin.at), ...(gone ? [gone] : [])]
    for (const at of changes) await markBookDirty({ db, book: scope, from: at, to: at })
    return { balances: nonZero.length, openings: openings.length }
  })
}

async function openingRows(
  client: pg.ClientBase,
  input: {
    context: WalletContext
    block: ChainBlock
    source: string
    openings: readonly Opening[]
    moved: ReadonlyMap<string, MovedCoin>
  },
): Promise<WalletTransactionToWrite[]> {
  const { context, block, source, openings } = input
  const origins = openings.map(({ coin, place }) => {
    const hash = `balance:${coin.coinId}:${block.number}`
    const moved = input.moved.get(coin.coinId)
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
  return openings.map(({ coin, raw, role }, i) => {
    const { coinId, token, decimals } = coin
    return openingRow(context, {
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
