import { SourceUnavailable } from '../../errors.ts'
import type { HttpClient } from '../../http-client.ts'
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
import { bitcoinAddresses } from './bitcoin-addresses.ts'
import type { BitcoinAddresses } from './bitcoin-addresses.ts'
import { createEsploraApi, PAGE_ROWS } from './esplora-api.ts'
import { linkBlocks } from './esplora-blocks.ts'
import { decodeEsploraTransaction, ownDelta } from './esplora-transaction.ts'
import type { EsploraTransaction } from './esplora-transaction.ts'
import { keepOwn } from './keep-own.ts'

/** Requests of a part: at the pace of the public node they take most of a minute. */
const REQUESTS_PER_STEP = 10

/** Where to resume the walk over a wallet's addresses. */
interface Position {
  branch: number
  index: number
  /** number of consecutive unused addresses before it */
  unused: number
  /** last transaction read for this address */
  after: string | null
}

/**
 * Wallets from Esplora: the confirmed history of addresses, newest first, without the mempool. Extended keys
 * are never sent: it walks their addresses until 20 in a row are unused.
 */
export function createEsplora(options: { http: HttpClient; url: string; reorgDepth: number }): WalletSource {
  const name = 'esplora'
  const { reorgDepth } = options
  const walked = new Map<string, BitcoinAddresses>()

  const api = createEsploraApi(options)
  const { blocksFrom, tip, headers, confirmed } = api

  function addressesOf(wallet: string): BitcoinAddresses {
    const known = walked.get(wallet) ?? bitcoinAddresses(wallet)
    // Bounds the cache of derived addresses.
    if (walked.size > 100) walked.clear()
    walked.set(wallet, known)
    return known
  }

  async function readHistory(request: HistoryRequest): Promise<HistoryPart> {
    const { cursor, headBlock } = request
    const walk = addressesOf(request.address)
    const readTo = new Map(request.accounts.map((one) => [one.account, one.readBlock]))
    const found = new Map<string, EsploraTransaction>()
    const asked = new Set([request.address])
    const accounts: WalletAccount[] = []
    let position: Position | null = request.next === null ? FIRST : (JSON.parse(request.next) as Position)
    for (let requests = 0; position !== null && requests < REQUESTS_PER_STEP; requests++) {
      const address: string = walk.addressAt(position.branch, position.index)!
      asked.add(address)
      const known = walk.gapLimit === 0 ? cursor : (readTo.get(address) ?? -1)
      const rows = await confirmed(address, position.after)
      request.onProgress()
      for (const tx of rows) if (tx.status.block_height <= headBlock) found.set(tx.txid, tx)
      // An empty page after a transaction that a reorg removed is not the end of the history.
      if (rows.length === 0 && position.after !== null) await api.transaction(position.after)
      const passed = rows.some((tx) => tx.status.block_height <= known - reorgDepth)
      if (rows.length >= PAGE_ROWS && !passed) {
        position = { ...position, after: rows.at(-1)!.txid }
        continue
      }
      const isUsed = rows.length > 0 || position.after !== null
      if (isUsed) accounts.push({ account: address, role: 'address', readBlock: headBlock, newest: null })
      position = nextPosition(walk, position, isUsed)
    }
    const range = rangeOf(new Set([...readTo.keys(), ...asked]), [...found.values()])
    range.blocks = await linkBlocks({ name, blocksFrom, found: range.blocks, headBlock, reorgDepth })
    return {
      source: name,
      range,
      accounts: walk.gapLimit === 0 ? [] : accounts,
      fromBlock: Math.min(headBlock, ...range.transactions.map((one) => one.blockNumber)),
      through: position === null ? headBlock : cursor,
      next: position && JSON.stringify(position),
    }
  }

  /** The addresses of an extended key are found by their history alone. */
  async function readHoldings({ address }: HoldingsRequest): Promise<Holdings | null> {
    if (extended(address)) return null
    const block = await tip()
    return { block, native: await api.balance(address), tokens: [] }
  }

  async function readBalances({ address, accounts, tokens, headBlock }: BalanceRequest) {
    const own = new Set(extended(address) ? accounts.map((one) => one.account) : [address])
    const before = await tip()
    let native = 0n
    for (const one of own) native += await api.balance(one)
    if (before.number > headBlock) for (const tx of await later(own, headBlock)) native -= ownDelta(own, tx)
    const [at, after] = await headers([headBlock, before.number])
    if (!at || after?.hash !== before.hash || (await tip()).hash !== before.hash)
      throw new SourceUnavailable(name, 'a new block arrived while the balances were read')
    return { block: at, native, tokens: tokens.map(() => null) }
  }

  /** Transactions of the addresses in blocks above the given one. */
  async function later(own: ReadonlySet<string>, above: number): Promise<Iterable<EsploraTransaction>> {
    const found = new Map<string, EsploraTransaction>()
    for (const address of own)
      for (let after: string | null = null; ;) {
        const rows: EsploraTransaction[] = await confirmed(address, after)
        const newer = rows.filter((tx) => tx.status.block_height > above)
        for (const tx of newer) found.set(tx.txid, tx)
        if (newer.length < rows.length || rows.length < PAGE_ROWS) break
        after = rows.at(-1)!.txid
      }
    return found.values()
  }

  const extended = (address: string) => addressesOf(address).gapLimit > 0
  return {
    name,
    headers,
    readHistory,
    readHoldings,
    readBalances,
    readTokens: async () => [],
    head: async () => ({ block: await tip(), finalized: 0 }),
  }
}

const FIRST: Position = { branch: 0, index: 0, unused: 0, after: null }

/** The next address of the branch, or the first of the next branch; null after the last. */
function nextPosition(walk: BitcoinAddresses, at: Position, isUsed: boolean): Position | null {
  const unused = isUsed ? 0 : at.unused + 1
  if (unused < walk.gapLimit) return { ...at, index: at.index + 1, unused, after: null }
  return at.branch + 1 < walk.branches ? { ...FIRST, branch: at.branch + 1 } : null
}

function rangeOf(own: ReadonlySet<string>, found: readonly EsploraTransaction[]): ChainRange {
  const range: ChainRange = { blocks: [], transactions: [], transfers: [] }
  const blocksByNumber = new Map<number, ChainBlock>()
  for (const { transaction, transfers } of found.map(decodeEsploraTransaction)) {
    range.transactions.push(transaction)
    range.transfers.push(...keepOwn(own, transfers))
    const { blockNumber: number, blockHash: hash, atMs } = transaction
    blocksByNumber.set(number, { number, hash, parentHash: null, atMs })
  }
  range.blocks = [...blocksByNumber.values()]
  return range
}
