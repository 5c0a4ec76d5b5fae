import { SourceUnavailable } from '../../errors.ts'
import type { HttpClient } from '../../http-client.ts'
import type { ChainBlock, ChainRange } from '../chain-data.ts'
import type {
  BalanceRequest,
  HistoryPart,
  HistoryRequest,
  Holdings,
  HoldingsRequest,
  WalletSource,
} from '../wallet-source.ts'
import { traceOf, transfersOf } from './ton-transaction.ts'
import type { TonRow, TonTransaction } from './ton-transaction.ts'
import { createToncenterApi, LISTS, NAME } from './toncenter-api.ts'

/**
 * Seconds before a block that do not count yet. Shards come into the masterchain a little later, and a jetton takes that
 * long from one wallet to the other.
 */
const SETTLING = 30
/** The indexer may lag by this; and rows of before a block may be of a trace that began earlier. */
const LOOK_BACK = { usual: 60, lagging: 600 }
const FIRST = { list: 0, offset: 0 }

const settledAt = ({ atMs }: ChainBlock): number => Math.floor(atMs / 1_000) - SETTLING

/**
 * TON by the indexer of TON Center. Blocks of the masterchain are final, so reorgs cannot happen. A message of a wallet
 * makes transactions of many accounts, which have a trace in common: it is one transaction here.
 */
export function createToncenter(options: {
  http: HttpClient
  url: string
  key: string | null
}): WalletSource {
  const api = createToncenterApi(options)

  /** The first transactions of the traces of rows, by trace. */
  async function rootsOf(
    rows: readonly TonRow[],
    known: readonly TonTransaction[],
  ): Promise<Map<string, TonTransaction>> {
    const roots = new Map(known.filter(({ hash, trace }) => hash === trace).map((one) => [one.trace, one]))
    const missing = [...new Set(rows.map(({ trace }) => trace))].filter((trace) => !roots.has(trace))
    for (const root of await api.transactions(missing)) roots.set(root.hash, { ...root, trace: root.hash })
    const lost = missing.find((trace) => !roots.has(trace))
    if (lost !== undefined) throw new SourceUnavailable(NAME, `no transaction ${lost}: the indexer lags`)
    return roots
  }

  async function readHistory(request: HistoryRequest): Promise<HistoryPart> {
    const { address, cursor, headBlock, next, lookBack } = request
    const to = settledAt(await api.blockAt(headBlock))
    const reached = cursor < 0 ? 0 : settledAt(await api.blockAt(cursor))
    const from = Math.max(0, reached - (lookBack ? LOOK_BACK.lagging : LOOK_BACK.usual))
    const position = next === null ? FIRST : (JSON.parse(next) as typeof FIRST)
    const page = await api.page({ address, list: LISTS[position.list]!, from, to, offset: position.offset })
    const roots = await rootsOf(page.rows, page.transactions)
    request.onProgress()
    const traces = [...new Set(page.rows.map(({ trace }) => trace))].map((one) => traceOf(roots.get(one)!))
    const range: ChainRange = {
      blocks: [...new Map(traces.map(({ block }) => [block.number, block])).values()],
      transactions: traces.map(({ transaction }) => transaction),
      transfers: transfersOf(page.rows, roots),
    }
    const rest = restOf(position, page.next)
    return {
      source: NAME,
      range,
      accounts: [],
      fromBlock: Math.min(headBlock, ...range.blocks.map(({ number }) => number)),
      through: rest === null ? headBlock : cursor,
      next: rest && JSON.stringify(rest),
    }
  }

  async function readHoldings({ address }: HoldingsRequest): Promise<Holdings> {
    const block = await api.newest()
    const { balance: native } = await api.account(address)
    const held = await api.jettons(address)
    return { block, native, tokens: [...held].map(([token, raw]) => ({ address: token, raw })) }
  }

  /** Present balances less what does not count yet at the block. */
  async function readBalances({ address, tokens, headBlock }: BalanceRequest) {
    const block = await api.blockAt(headBlock)
    const account = await api.account(address)
    const amounts = new Map<string | null, bigint>([...(await api.jettons(address)), [null, account.balance]])
    const { atMs: nowMs } = await api.newest()
    const rest = await rowsSince(address, { from: settledAt(block) + 1, to: nowMs / 1_000 })
    // A jetton of the last seconds may be on its way, and a list may lag.
    const isMoving = rest.rows.some(
      ({ now, moves }) => now > nowMs / 1_000 - SETTLING && moves.some(({ token }) => token !== null),
    )
    if (isMoving || (rest.newest !== null && rest.newest !== account.newest))
      throw new SourceUnavailable(NAME, 'the wallet changed while its balances were read')
    for (const { token, from, to, raw } of rest.rows.flatMap(({ moves }) => moves)) {
      const delta = (to === address ? raw : 0n) - (from === address ? raw : 0n)
      amounts.set(token, (amounts.get(token) ?? 0n) - delta)
    }
    return { block, native: amounts.get(null)!, tokens: tokens.map((token) => amounts.get(token) ?? 0n) }
  }

  /** All rows of a wallet between two seconds, and the logical time of its last transaction there. */
  async function rowsSince(address: string, span: { from: number; to: number }) {
    const rows: TonRow[] = []
    let newest: string | null = null
    for (const list of LISTS)
      for (let offset: number | null = 0; offset !== null;) {
        const page: Awaited<ReturnType<typeof api.page>> = await api.page({ address, list, ...span, offset })
        rows.push(...page.rows)
        newest = page.transactions.at(-1)?.lt ?? newest
        offset = page.next
      }
    return { rows, newest }
  }

  return {
    name: NAME,
    head: async () => {
      const block = await api.newest()
      return { block, finalized: block.number }
    },
    headers: null,
    readHistory,
    readHoldings,
    readTokens: (addresses) => api.masters(addresses),
    readBalances,
  }
}

/** Where to go on after a page. null: that was the last one */
function restOf(position: typeof FIRST, offset: number | null): typeof FIRST | null {
  if (offset !== null) return { list: position.list, offset }
  return position.list + 1 < LISTS.length ? { list: position.list + 1, offset: 0 } : null
}
