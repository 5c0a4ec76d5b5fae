import { isDeepStrictEqual } from 'node:util'
import { isStakeAddress } from '../../../db/values/cardano-address.ts'
import { SourceUnavailable } from '../../errors.ts'
import type { HttpClient } from '../../http-client.ts'
import type { ChainBlock, ChainRange, ChainTransfer } from '../chain-data.ts'
import type {
  BalanceRequest,
  HistoryPart,
  HistoryRequest,
  Holdings,
  HoldingsRequest,
  WalletAccount,
  WalletSource,
} from '../wallet-source.ts'
import { keepOwn } from './keep-own.ts'
import { createKoiosApi, NAME, PAGE_ROWS } from './koios-api.ts'
import type { KoiosBlock, ListedTransaction } from './koios-api.ts'
import { decodeKoios, decodeRewards } from './koios-transaction.ts'
import type { KoiosTransaction } from './koios-transaction.ts'

/** Transactions of a part, at least: one without a token asks for 13 at once. */
const PART_ROWS = 130
/** What lists of a service may lag by, in blocks. */
const LOOK_BACK_BLOCKS = 60

interface Part {
  range: ChainRange
  /** payment addresses of a stake address */
  addresses: string[]
  /** up to which everything is in the part */
  through: number
}

/**
 * Cardano by Koios. A wallet is one payment address, or a stake address with all payment addresses that name it. What a
 * stake address is credited at the start of an epoch is its income; to withdraw it moves it within the wallet.
 */
export function createKoios(options: { http: HttpClient; url: string; key: string | null }): WalletSource {
  const api = createKoiosApi(options)

  async function blockAt(number: number): Promise<KoiosBlock> {
    const [found] = await api.blocks([number])
    if (!found) throw new SourceUnavailable(NAME, `no block ${number}: the service lags`)
    return found
  }

  /** The next part of the blocks from `from` to `to`. Throws SourceUnavailable after a reorg. */
  async function readPart(address: string, { from, to }: { from: number; to: number }): Promise<Part> {
    const isStake = isStakeAddress(address)
    const [before, head] = from > 0 ? await api.blocks([from - 1, to]) : [null, await blockAt(to)]
    if (!head || (from > 0 && !before)) throw new SourceUnavailable(NAME, `no block ${to}: the service lags`)
    const { taken, isWhole } = wholeBlocks(await api.list(address, { from, to }))
    const end = isWhole ? head : taken.at(-1)!
    const times = { after: before?.atMs ?? 0, to: end.atMs }
    const updates = isStake ? await api.updates(address, times) : []
    const hashes = [...new Set([...taken.map((one) => one.hash), ...updates])]
    const found = await api.transactions(hashes)
    const credited = isStake ? await rewardsOf(address, { after: before?.epoch ?? -1, to: end.epoch }) : []
    const [still] = await api.blocks([to])
    if (still?.hash !== head.hash)
      throw new SourceUnavailable(NAME, `block ${to} was replaced: a reorg happened during the read`)
    return { ...partOf(address, { found, credited, head: isWhole ? head : null }), through: end.number }
  }

  async function rewardsOf(stake: string, epochs: { after: number; to: number }) {
    const rewards = epochs.to > epochs.after ? await api.rewards(stake, epochs) : []
    const byEpoch = Map.groupBy(rewards, (one) => one.spendable_epoch)
    if (byEpoch.size === 0) return []
    const blocks = await api.firstBlocks([...byEpoch.keys()])
    return [...byEpoch].map(([epoch, rows]) => decodeRewards(stake, blocks.get(epoch)!, rows))
  }

  async function readHistory(request: HistoryRequest): Promise<HistoryPart> {
    const { address, cursor, headBlock, lookBack, accounts: stored } = request
    const from = Math.max(0, cursor + 1 - (lookBack ? LOOK_BACK_BLOCKS : 0))
    const { range, addresses, through } = await readPart(address, { from, to: headBlock })
    request.onProgress()
    const known = new Set(stored.map((one) => one.account))
    return {
      source: NAME,
      range,
      accounts: addresses
        .filter((one) => !known.has(one))
        .map((account): WalletAccount => ({ account, role: 'address', readBlock: through, newest: null })),
      fromBlock: Math.min(headBlock, ...range.transactions.map((one) => one.blockNumber)),
      through,
      next: null,
    }
  }

  async function readHoldings({ address }: HoldingsRequest): Promise<Holdings> {
    const block = await api.tip()
    const { native, tokens } = await api.held(address)
    return { block, native, tokens: [...tokens].map(([token, raw]) => ({ address: token, raw })) }
  }

  /** Present balances less what happened after the block. */
  async function readBalances({ address, accounts, tokens, headBlock }: BalanceRequest) {
    const block = await blockAt(headBlock)
    const held = await api.held(address)
    const { number: tip } = await api.tip()
    if (tip < headBlock) throw new SourceUnavailable(NAME, `no block ${headBlock}: the service lags`)
    const own = new Set([address, ...accounts.map((one) => one.account)])
    const later: ChainTransfer[] = []
    for (let from = headBlock + 1; from <= tip;) {
      const part = await readPart(address, { from, to: tip })
      for (const one of part.addresses) own.add(one)
      later.push(...part.range.transfers)
      from = part.through + 1
    }
    if (later.length > 0 && !isDeepStrictEqual(held, await api.held(address)))
      throw new SourceUnavailable(NAME, 'the wallet changed while its balances were read')
    const changed = (token: string | null) =>
      later
        .filter((one) => one.token === token)
        .reduce((sum, { from, to, raw }) => sum + (own.has(to) ? raw : 0n) - (own.has(from) ? raw : 0n), 0n)
    return {
      block,
      native: held.native - changed(null),
      tokens: tokens.map((token) => (held.tokens.get(token) ?? 0n) - changed(token)),
    }
  }

  return {
    name: NAME,
    readsOldBalances: true,
    head: async () => ({ block: await api.tip(), finalized: 0 }),
    headers: api.blocks,
    readHistory,
    readHoldings,
    readTokens: api.tokens,
    readBalances,
  }
}

/** Rows of whole blocks, as many as a part takes. A full page may end inside a block, which holds less than a page. */
function wholeBlocks(rows: readonly ListedTransaction[]): { taken: ListedTransaction[]; isWhole: boolean } {
  const isFull = rows.length >= PAGE_ROWS
  const sure = isFull ? rows.filter((one) => one.number < rows.at(-1)!.number) : rows
  const last = sure[PART_ROWS - 1]?.number ?? Infinity
  const taken = sure.filter((one) => one.number <= last)
  return { taken, isWhole: !isFull && taken.length === rows.length }
}

function partOf(
  address: string,
  read: { found: KoiosTransaction[]; credited: ReturnType<typeof decodeRewards>[]; head: ChainBlock | null },
): Omit<Part, 'through'> {
  const range: ChainRange = { blocks: [], transactions: [], transfers: [] }
  const own = new Set([address])
  for (const { inputs, outputs } of read.found)
    for (const one of [...inputs, ...outputs]) if (one.stake === address) own.add(one.address)
  const blocks = new Map<number, ChainBlock>()
  const add = ({ number, hash, atMs }: ChainBlock) =>
    blocks.set(number, { number, hash, parentHash: null, atMs })
  for (const { transaction, transfers } of [...read.found.map(decodeKoios), ...read.credited]) {
    const { blockNumber: number, blockHash: hash, atMs } = transaction
    add({ number, hash, parentHash: null, atMs })
    range.transactions.push(transaction)
    range.transfers.push(...keepOwn(own, transfers))
  }
  if (read.head) add(read.head)
  range.blocks = [...blocks.values()]
  return { range, addresses: [...own].filter((one) => one !== address) }
}
