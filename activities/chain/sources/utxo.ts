import { SourceUnavailable } from '../../errors.ts'
import type { UtxoFormats } from '../../../db/values/networks/network.ts'
import type { ChainBlock, ChainRange } from '../chain-data.ts'
import type {
  BalanceRequest,
  HistoryPart,
  HistoryRequest,
  Holdings,
  HoldingsRequest,
  WalletAccount,
  WalletSource,
} from '../wallet-source.ts'
import { areEqual, balanceOf, countersOf, countersText, knownCounters } from './address-counters.ts'
import type { AddressCounters, KnownCounters } from './address-counters.ts'
import { bitcoinAddresses } from './bitcoin-addresses.ts'
import type { BitcoinAddresses } from './bitcoin-addresses.ts'
import { keepOwn } from './keep-own.ts'
import { decodeUtxoTransaction, ownDelta } from './utxo-transaction.ts'
import type { UtxoTransaction } from './utxo-transaction.ts'

/** Requests of a part: at the pace of the public Esplora they take most of a minute. */
const REQUESTS_PER_STEP = 10
/** How often a balance is read anew because the address was paid meanwhile. */
const TRIES_OF_BALANCE = 3

/** What a service must tell of addresses and blocks. Amounts in base units. */
export interface UtxoApi {
  name: string
  tip: () => Promise<ChainBlock>
  /** null for a block above the tip; only number and hash are sure to be stated */
  headers: (numbers: readonly number[]) => Promise<(ChainBlock | null)[]>
  /** The block of the best chain with this number, with its time. */
  blockAt: (number: number) => Promise<ChainBlock | null>
  /** of an address, at the newest block */
  counters: (address: string) => Promise<AddressCounters>
  /**
   * The next confirmed transactions of an address up to a block, newest first, and where the page after it begins;
   * null: there is none. `after`: null for the first page. `headBlock`: null for all
   */
  page: (request: {
    address: string
    after: string | null
    headBlock: number | null
  }) => Promise<{ rows: UtxoTransaction[]; next: string | null }>
  /**
   * Before transactions up to a block are read. What it returns takes their blocks afterwards: it gives them and the
   * head as they are on the best chain, or throws SourceUnavailable after a reorg.
   */
  beginAt: (headBlock: number) => Promise<(found: readonly ChainBlock[]) => Promise<ChainBlock[]>>
}

/** Where to resume the walk over a wallet's addresses. */
interface Position {
  branch: number
  index: number
  /** number of consecutive unused addresses before it */
  unused: number
  /** place of the next page of this address */
  after: string | null
  /** what was read of this address so far; absent: nothing */
  read?: ReadOfAddress
}

interface ReadOfAddress {
  /** as they were told before the first page */
  counters: string
  /** number of its transactions; absent in a place of a release that did not count them */
  rows?: number
  /** number of its transactions above the block of the stored counters, and what they add to its balance */
  transactions: number
  change: string
}

/**
 * Wallets of Bitcoin and the networks that descend from it: the confirmed history of addresses, newest first, without
 * the mempool. Extended keys are never sent: it walks their addresses until 20 in a row are unused. The counters of an
 * address are asked first: without transactions it has no pages, and with those of the last read nothing happened to it.
 */
export function createUtxoSource(options: {
  api: UtxoApi
  formats: UtxoFormats
  reorgDepth: number
}): WalletSource {
  const { api, formats, reorgDepth } = options
  const { name, tip } = api
  const walked = new Map<string, BitcoinAddresses>()

  function addressesOf(wallet: string): BitcoinAddresses {
    const known = walked.get(wallet) ?? bitcoinAddresses(wallet, formats)
    // Bounds the cache of derived addresses.
    if (walked.size > 100) walked.clear()
    walked.set(wallet, known)
    return known
  }

  async function readHistory(request: HistoryRequest): Promise<HistoryPart> {
    const { cursor, headBlock } = request
    const walk = addressesOf(request.address)
    const isKey = walk.gapLimit > 0
    const known = new Map(request.accounts.map((one) => [one.account, one]))
    const found = new Map<string, UtxoTransaction>()
    const asked = new Set([request.address])
    const accounts: WalletAccount[] = []
    const settle = await api.beginAt(headBlock)
    let position: Position | null = request.next === null ? FIRST : (JSON.parse(request.next) as Position)
    for (let requests = 0; position !== null && requests < REQUESTS_PER_STEP; requests++) {
      const address: string = walk.addressAt(position.branch, position.index)!
      asked.add(address)
      const old = known.get(address)
      const stored = knownCounters(old)
      const isRead = (seen: string | null, seenBlock: number | null) =>
        accounts.push({
          account: address,
          role: isKey ? 'address' : 'wallet',
          readBlock: headBlock,
          newest: null,
          seen,
          seenBlock,
        })
      if (!position.read) {
        const counters = await api.counters(address)
        request.onProgress()
        const isSame = stored !== null && areEqual(counters, stored)
        if (isSame) isRead(countersText(counters), headBlock)
        if (isSame || counters.transactions === 0) position = nextPosition(walk, position, isSame)
        else
          position = {
            ...position,
            read: { counters: countersText(counters), rows: 0, transactions: 0, change: '0' },
          }
        continue
      }
      const { rows, next } = await api.page({ address, after: position.after, headBlock })
      request.onProgress()
      for (const tx of rows) found.set(tx.txid, tx)
      const read = withRows(position.read, { address, rows, above: stored?.block ?? -1 })
      const readTo = Math.min(isKey ? (old?.readBlock ?? -1) : cursor, stored?.block ?? Infinity)
      const passed = rows.some((tx) => tx.blockNumber <= readTo - reorgDepth)
      const explained = isExplained(read, stored)
      const isAll = explained && read.rows === countersOf(read.counters).transactions
      if (next !== null && !passed && !isAll) {
        position = { ...position, after: next, read }
        continue
      }
      const isUsed = rows.length > 0 || position.after !== null
      if (isUsed && explained) isRead(read.counters, headBlock)
      else if (isUsed) isRead(old?.seen ?? null, old?.seenBlock ?? null)
      position = nextPosition(walk, position, isUsed)
    }
    const range = rangeOf(new Set([...known.keys(), ...asked]), [...found.values()])
    range.blocks = await settle(range.blocks)
    return {
      source: name,
      range,
      accounts,
      fromBlock: Math.min(headBlock, ...range.transactions.map((one) => one.blockNumber)),
      through: position === null ? headBlock : cursor,
      next: position && JSON.stringify(position),
    }
  }

  /** The addresses of an extended key are found by their history alone. */
  async function readHoldings({ address }: HoldingsRequest): Promise<Holdings | null> {
    if (extended(address)) return null
    const block = await tip()
    return { block, native: balanceOf(await api.counters(address)), tokens: [] }
  }

  async function readBalances({ address, accounts, tokens, headBlock }: BalanceRequest) {
    const at = await api.blockAt(headBlock)
    if (!at) throw new SourceUnavailable(name, `no block ${headBlock}: the node lags`)
    const known = new Map(accounts.map((one) => [one.account, one]))
    const own = extended(address) ? [...known.keys()] : [address]
    let native = 0n
    let isAsked = false
    for (const one of own) {
      const stored = knownCounters(known.get(one))
      if (stored?.block !== headBlock) isAsked = true
      native += stored?.block === headBlock ? balanceOf(stored) : await balanceAt(one, { headBlock, stored })
    }
    if (isAsked && (await api.blockAt(headBlock))?.hash !== at.hash)
      throw new SourceUnavailable(name, 'a reorg happened while the balances were read')
    return { block: at, native, tokens: tokens.map(() => null) }
  }

  /** New blocks may arrive meanwhile: what an address received in them is subtracted. */
  async function balanceAt(
    address: string,
    { headBlock, stored }: { headBlock: number; stored: KnownCounters | null },
  ): Promise<bigint> {
    for (let tries = 0; tries < TRIES_OF_BALANCE; tries++) {
      const counters = await api.counters(address)
      if (stored && stored.block < headBlock && areEqual(stored, counters)) return balanceOf(counters)
      const newer = await later(address, headBlock)
      if (newer.length === 0) return balanceOf(counters)
      // Of the same transactions if nothing was added between both.
      if (areEqual(counters, await api.counters(address)))
        return balanceOf(counters) - changeOf(address, newer)
    }
    throw new SourceUnavailable(name, 'an address was paid each time its balance was read')
  }

  /** Transactions of an address in blocks above the given one. */
  async function later(address: string, above: number): Promise<UtxoTransaction[]> {
    const found: UtxoTransaction[] = []
    for (let after: string | null = null; ;) {
      const { rows, next }: Awaited<ReturnType<UtxoApi['page']>> = await api.page({
        address,
        after,
        headBlock: null,
      })
      const newer = rows.filter((tx) => tx.blockNumber > above)
      found.push(...newer)
      if (newer.length < rows.length || next === null) return found
      after = next
    }
  }

  const extended = (address: string) => addressesOf(address).gapLimit > 0
  return {
    name,
    readsOldBalances: true,
    headers: api.headers,
    readHistory,
    readHoldings,
    readBalances,
    readTokens: async () => [],
    head: async () => ({ block: await tip(), finalized: 0 }),
  }
}

const FIRST: Position = { branch: 0, index: 0, unused: 0, after: null }

const changeOf = (address: string, rows: readonly UtxoTransaction[]): bigint =>
  rows.reduce((sum, tx) => sum + ownDelta(new Set([address]), tx), 0n)

function withRows(
  read: ReadOfAddress,
  { address, rows, above }: { address: string; rows: readonly UtxoTransaction[]; above: number },
): ReadOfAddress {
  const newer = rows.filter((tx) => tx.blockNumber > above)
  return {
    ...read,
    rows: (read.rows ?? 0) + rows.length,
    transactions: read.transactions + newer.length,
    change: String(BigInt(read.change) + changeOf(address, newer)),
  }
}

/** Whether the counters count what was read and was known before, and nothing else. */
function isExplained(read: ReadOfAddress, stored: AddressCounters | null): boolean {
  const told = countersOf(read.counters)
  const before = stored ?? { transactions: 0, received: 0n, sent: 0n }
  return (
    told.transactions === before.transactions + read.transactions &&
    balanceOf(told) === balanceOf(before) + BigInt(read.change)
  )
}

/** The next address of the branch, or the first of the next branch; null after the last. */
function nextPosition(walk: BitcoinAddresses, at: Position, isUsed: boolean): Position | null {
  const unused = isUsed ? 0 : at.unused + 1
  if (unused < walk.gapLimit) return { branch: at.branch, index: at.index + 1, unused, after: null }
  return at.branch + 1 < walk.branches ? { ...FIRST, branch: at.branch + 1 } : null
}

function rangeOf(own: ReadonlySet<string>, found: readonly UtxoTransaction[]): ChainRange {
  const range: ChainRange = { blocks: [], transactions: [], transfers: [] }
  const blocksByNumber = new Map<number, ChainBlock>()
  for (const { transaction, transfers } of found.map(decodeUtxoTransaction)) {
    range.transactions.push(transaction)
    range.transfers.push(...keepOwn(own, transfers))
    const { blockNumber: number, blockHash: hash, atMs } = transaction
    blocksByNumber.set(number, { number, hash, parentHash: null, atMs })
  }
  range.blocks = [...blocksByNumber.values()]
  return range
}
