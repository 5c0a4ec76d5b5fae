import { SourceUnavailable } from '../../errors.ts'
import type { UtxoFormats } from '../../../db/values/networks/utxo-formats.ts'
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
import { keepOwn } from './keep-own.ts'
import { decodeUtxoTransaction, ownDelta } from './utxo-transaction.ts'
import type { UtxoTransaction } from './utxo-transaction.ts'

/** Requests of a part: at the pace of the public Esplora they take most of a minute. */
const REQUESTS_PER_STEP = 10

/** What a service must tell of addresses and blocks. Amounts in base units. */
export interface UtxoApi {
  name: string
  tip: () => Promise<ChainBlock>
  /** null for a block above the tip; only number and hash are sure to be stated */
  headers: (numbers: readonly number[]) => Promise<(ChainBlock | null)[]>
  /** The block of the best chain with this number, with its time. */
  blockAt: (number: number) => Promise<ChainBlock | null>
  /** confirmed balance of an address */
  balance: (address: string) => Promise<bigint>
  /**
   * The next confirmed transactions of an address up to a block, newest first, and where the page after it begins.
   * `after`: null for the first page
   */
  page: (request: {
    address: string
    after: string | null
    headBlock: number
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
}

/**
 * Wallets of Bitcoin and the networks that descend from it: the confirmed history of addresses, newest first, without
 * the mempool. Extended keys are never sent: it walks their addresses until 20 in a row are unused.
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
    const readTo = new Map(request.accounts.map((one) => [one.account, one.readBlock]))
    const found = new Map<string, UtxoTransaction>()
    const asked = new Set([request.address])
    const accounts: WalletAccount[] = []
    const settle = await api.beginAt(headBlock)
    let position: Position | null = request.next === null ? FIRST : (JSON.parse(request.next) as Position)
    for (let requests = 0; position !== null && requests < REQUESTS_PER_STEP; requests++) {
      const address: string = walk.addressAt(position.branch, position.index)!
      asked.add(address)
      const known = walk.gapLimit === 0 ? cursor : (readTo.get(address) ?? -1)
      const { rows, next } = await api.page({ address, after: position.after, headBlock })
      request.onProgress()
      for (const tx of rows) found.set(tx.txid, tx)
      const passed = rows.some((tx) => tx.blockNumber <= known - reorgDepth)
      if (next !== null && !passed) {
        position = { ...position, after: next }
        continue
      }
      const isUsed = rows.length > 0 || position.after !== null
      if (isUsed) accounts.push({ account: address, role: 'address', readBlock: headBlock, newest: null })
      position = nextPosition(walk, position, isUsed)
    }
    const range = rangeOf(new Set([...readTo.keys(), ...asked]), [...found.values()])
    range.blocks = await settle(range.blocks)
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
    if (before.number > headBlock)
      for (const tx of await later(own, { above: headBlock, headBlock: before.number }))
        native -= ownDelta(own, tx)
    const at = await api.blockAt(headBlock)
    if (!at || (await tip()).hash !== before.hash)
      throw new SourceUnavailable(name, 'a new block arrived while the balances were read')
    return { block: at, native, tokens: tokens.map(() => null) }
  }

  /** Transactions of the addresses in blocks above the given one, up to a head. */
  async function later(
    own: ReadonlySet<string>,
    { above, headBlock }: { above: number; headBlock: number },
  ): Promise<Iterable<UtxoTransaction>> {
    const found = new Map<string, UtxoTransaction>()
    for (const address of own)
      for (let after: string | null = null; ;) {
        const { rows, next }: Awaited<ReturnType<UtxoApi['page']>> = await api.page({
          address,
          after,
          headBlock,
        })
        const newer = rows.filter((tx) => tx.blockNumber > above)
        for (const tx of newer) found.set(tx.txid, tx)
        if (newer.length < rows.length || next === null) break
        after = next
      }
    return found.values()
  }

  const extended = (address: string) => addressesOf(address).gapLimit > 0
  return {
    name,
    headers: api.headers,
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
