import { SourceUnavailable } from '../../errors.ts'
import type { HttpClient } from '../../http-client.ts'
import { smallNumberIn, textIn } from '../../nodes/rpc-contracts.ts'
import { tronHex } from '../../../db/values/wallet-address.ts'
import type { ChainRange, ChainToken, ChainTransfer } from '../chain-data.ts'
import type {
  BalanceRequest,
  HistoryPart,
  HistoryRequest,
  Holdings,
  HoldingsRequest,
  WalletSource,
} from '../wallet-source.ts'
import { decodeTronTransaction, needsInfo } from './tron-transaction.ts'
import { createTrongridApi, heldTrx, LISTS, NAME } from './trongrid-api.ts'
import type { TronRow } from './trongrid-api.ts'

/** The lists of TronGrid may lag behind the head by this. */
const LOOK_BACK_MS = 600_000

/** Where to resume: a list, and the place in it. */
interface Position {
  list: number
  fingerprint: string | null
}

/**
 * Tron by TronGrid, final blocks only, so reorgs cannot happen. A list names the transactions of an account, and
 * another one those of TRC-20 tokens, which does not tell their blocks: a node gives the rest of contract calls.
 */
export function createTrongrid(options: {
  http: HttpClient
  url: string
  key: string | null
  /** contract of wrapped TRX */
  wrapped: string | null
}): WalletSource {
  const api = createTrongridApi(options)
  const wrapped = options.wrapped && `0x${tronHex(options.wrapped)}`

  /** The rows of a wallet of one transaction. */
  async function readOne(address: string, row: TronRow): Promise<ChainRange> {
    const tx = row.tx ?? (await api.transaction(row.hash))
    const info = (!needsInfo(tx) && row.simple) || (await api.info(row.hash))
    const { transaction, transfers } = decodeTronTransaction(tx, info, { wrapped })
    const own = transfers.filter(({ from, to }) => from === address || to === address)
    const isOwn = own.length > 0 || transaction.from === address
    const { blockNumber: number, blockHash: hash, atMs } = transaction
    return {
      blocks: isOwn ? [{ number, hash, parentHash: null, atMs }] : [],
      transactions: isOwn ? [transaction] : [],
      transfers: own,
    }
  }

  async function readHistory(request: HistoryRequest): Promise<HistoryPart> {
    const { address, cursor, headBlock, next, lookBack } = request
    const { atMs: toMs } = await api.block(headBlock)
    const reachedMs = cursor < 0 ? 0 : (await api.block(cursor)).atMs
    const fromMs = Math.max(0, reachedMs - (lookBack ? LOOK_BACK_MS : 0))
    const position = next === null ? FIRST : (JSON.parse(next) as Position)
    const page = await api.page({
      address,
      list: LISTS[position.list]!,
      fromMs,
      toMs,
      fingerprint: position.fingerprint,
    })
    const rows = byHash(page.rows)
    const stored = await request.findStored([...rows.keys()])
    const range: ChainRange = { blocks: [], transactions: [], transfers: [] }
    for (const row of rows.values()) {
      if (stored.has(row.hash)) continue
      const one = await readOne(address, row)
      range.blocks.push(...one.blocks)
      range.transactions.push(...one.transactions)
      range.transfers.push(...one.transfers)
      request.onProgress()
    }
    range.blocks = [...new Map(range.blocks.map((one) => [one.number, one])).values()]
    const rest = restOf(position, page.next)
    return {
      source: NAME,
      range,
      accounts: [],
      fromBlock: Math.min(headBlock, ...range.transactions.map((one) => one.blockNumber)),
      through: rest === null ? headBlock : cursor,
      next: rest && JSON.stringify(rest),
    }
  }

  async function readHoldings({ address }: HoldingsRequest): Promise<Holdings> {
    const block = await api.block()
    const account = await api.readAccount(address)
    const tokens = (account?.trc20 ?? []).flatMap((one) =>
      Object.entries(one).map(([token, raw]) => ({ address: token, raw })),
    )
    return { block, native: heldTrx(account), tokens }
  }

  /** Present balances less the changes since the block. */
  async function readBalances({ address, tokens, headBlock }: BalanceRequest) {
    const block = await api.block(headBlock)
    const before = await api.block()
    const amounts = new Map<string | null, bigint | null>([[null, heldTrx(await api.readAccount(address))]])
    for (const token of tokens) amounts.set(token, await api.tokenBalance(address, token))
    const { atMs: afterMs } = await api.block()
    if ((await changesOf(address, before.atMs, afterMs)).length > 0)
      throw new SourceUnavailable(NAME, 'the wallet changed while its balances were read')
    for (const row of await changesOf(address, block.atMs, before.atMs)) {
      const { transactions, transfers } = await readOne(address, row)
      for (const { from, fee } of transactions) if (from === address) add(amounts, null, fee)
      for (const one of transfers)
        if (one.kind !== 'approval') add(amounts, one.token, -deltaOf(address, one))
    }
    return { block, native: amounts.get(null)!, tokens: tokens.map((token) => amounts.get(token) ?? null) }
  }

  /** The transactions of an address after one time, up to another. */
  async function changesOf(address: string, afterMs: number, toMs: number): Promise<TronRow[]> {
    const found = new Map<string, TronRow>()
    if (toMs > afterMs)
      for (const list of LISTS)
        for (let fingerprint: string | null = null; ;) {
          const page: Awaited<ReturnType<typeof api.page>> = await api.page({
            address,
            list,
            fromMs: afterMs + 1,
            toMs,
            fingerprint,
          })
          for (const [hash, row] of byHash(page.rows)) if (!found.has(hash)) found.set(hash, row)
          fingerprint = page.next
          if (fingerprint === null) break
        }
    return [...found.values()]
  }

  async function readToken(address: string): Promise<ChainToken> {
    const ask = (selector: string) => api.read(address, { selector })
    return {
      address,
      symbol: textIn(await ask('symbol()')),
      name: textIn(await ask('name()')),
      decimals: smallNumberIn(await ask('decimals()')),
    }
  }

  return {
    name: NAME,
    head: async () => {
      const block = await api.block()
      return { block, finalized: block.number }
    },
    headers: null,
    readHistory,
    readHoldings,
    readBalances,
    async readTokens(addresses) {
      const tokens: ChainToken[] = []
      for (const address of addresses) tokens.push(await readToken(address))
      return tokens
    },
  }
}

const FIRST: Position = { list: 0, fingerprint: null }

/** The next page of the list, or the first of the next list; null after the last. */
function restOf({ list }: Position, fingerprint: string | null): Position | null {
  if (fingerprint !== null) return { list, fingerprint }
  return list + 1 < LISTS.length ? { list: list + 1, fingerprint: null } : null
}

/** A transaction may stand beside a payment inside it, which tells less. */
function byHash(rows: readonly TronRow[]): Map<string, TronRow> {
  const found = new Map<string, TronRow>()
  for (const row of rows) if (row.tx !== null || !found.has(row.hash)) found.set(row.hash, row)
  return found
}

const deltaOf = (address: string, { from, to, raw }: ChainTransfer): bigint =>
  (to === address ? raw : 0n) - (from === address ? raw : 0n)

function add(amounts: Map<string | null, bigint | null>, key: string | null, raw: bigint): void {
  const known = amounts.get(key)
  if (known !== null && known !== undefined) amounts.set(key, known + raw)
}
