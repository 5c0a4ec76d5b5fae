import { z } from 'zod'
import { SourceRejected, SourceUnavailable } from '../../errors.ts'
import type { HttpClient } from '../../http-client.ts'
import type { ChainBlock, ChainRange, ChainToken } from '../chain-data.ts'
import type { BalanceRequest, HistoryPart, HistoryRequest, Holdings, WalletSource } from '../wallet-source.ts'
import { keepOwn } from './keep-own.ts'
import {
  decodeXrplTransaction,
  ISSUED_DECIMALS,
  issuedUnits,
  RIPPLE_EPOCH_S,
  tokenOf,
  xrplTransaction,
} from './xrpl-transaction.ts'

const NAME = 'xrpl'
const PAGE_ROWS = 200
/** The ledgers before it are lost for everybody. */
const FIRST_LEDGER = 32_570
/** What a busy or lagging server says. */
const TRANSIENT = new Set([
  'tooBusy',
  'slowDown',
  'noCurrent',
  'noNetwork',
  'noClosed',
  'lgrNotFound',
  'notReady',
])

const index = z.coerce.number().int().min(0)
const ledger = z
  .object({ ledger_index: index, ledger: z.object({ close_time: z.int() }) })
  .transform(({ ledger_index: number, ledger: { close_time: closed } }): ChainBlock => ({
    number,
    hash: String(number),
    parentHash: null,
    atMs: (closed + RIPPLE_EPOCH_S) * 1_000,
  }))
const accountInfo = z.object({
  account_data: z.object({ Balance: z.string().regex(/^\d+$/).transform(BigInt) }),
})
const lines = z.object({
  lines: z.array(z.object({ account: z.string(), balance: z.string(), currency: z.string() })),
  marker: z.unknown().optional(),
})
const page = z.object({
  ledger_index_min: z.int(),
  transactions: z.array(xrplTransaction),
  marker: z.unknown().optional(),
})
const failure = z.object({ error: z.string(), error_message: z.string().optional() })

/**
 * The XRP Ledger by the JSON-RPC of rippled or Clio, validated ledgers only, so reorgs cannot happen. The server needs
 * the whole history of a wallet. It tells balances of any ledger that it has.
 */
export function createXrpl({ http, url }: { http: HttpClient; url: string }): WalletSource {
  /** null: the account does not exist there */
  async function ask<T>(method: string, params: object, schema: z.ZodType<T>): Promise<T | null> {
    const { result } = await http.fetchJson({
      source: NAME,
      url,
      body: { method, params: [{ api_version: 1, ...params }] },
      schema: z.object({ result: z.union([failure, schema]) }),
      refuse(body) {
        const { error = '', error_message: message } =
          (body as { result?: { error?: string; error_message?: string } } | null)?.result ?? {}
        return TRANSIENT.has(error) ? { reason: `${method}: ${message ?? error}`, later: true } : null
      },
    })
    const failed = failure.safeParse(result)
    if (!failed.success) return result as T
    if (failed.data.error === 'actNotFound') return null
    throw new SourceRejected(NAME, `${method}: ${failed.data.error_message ?? failed.data.error}`)
  }

  async function block(number: number | 'validated'): Promise<ChainBlock> {
    const found = await ask('ledger', { ledger_index: number }, ledger)
    if (found === null) throw new SourceUnavailable(NAME, `no ledger ${number}`)
    return found
  }

  async function readHistory(request: HistoryRequest): Promise<HistoryPart> {
    const { address, cursor, headBlock } = request
    const from = Math.max(cursor + 1, FIRST_LEDGER)
    const asked = {
      account: address,
      ledger_index_min: from,
      ledger_index_max: headBlock,
      limit: PAGE_ROWS,
      forward: true,
      ...(request.next !== null && { marker: JSON.parse(request.next) as unknown }),
    }
    const answer = await ask('account_tx', asked, page)
    if (answer !== null && answer.ledger_index_min > from)
      throw new SourceRejected(
        NAME,
        `the server has no ledgers before ${answer.ledger_index_min}: name one with the full history`,
      )
    const range: ChainRange = { blocks: [], transactions: [], transfers: [] }
    const blocks = new Map<number, ChainBlock>()
    for (const { transaction, transfers } of (answer?.transactions ?? []).map(decodeXrplTransaction)) {
      const own = keepOwn(new Set([address]), transfers)
      if (own.length === 0 && transaction.from !== address) continue
      const { blockNumber: number, blockHash: hash, atMs } = transaction
      blocks.set(number, { number, hash, parentHash: null, atMs })
      range.transactions.push(transaction)
      range.transfers.push(...own)
    }
    range.blocks = [...blocks.values()]
    const next = answer?.marker === undefined ? null : JSON.stringify(answer.marker)
    request.onProgress()
    return {
      source: NAME,
      range,
      accounts: [],
      fromBlock: Math.min(headBlock, ...range.transactions.map((one) => one.blockNumber)),
      through: next === null ? headBlock : cursor,
      next,
    }
  }

  /** All that an account holds as of a ledger: XRP and the issued tokens of its trust lines. */
  async function holdingsAt(address: string, number: number): Promise<Omit<Holdings, 'block'>> {
    const info = await ask('account_info', { account: address, ledger_index: number }, accountInfo)
    const tokens: Holdings['tokens'] = []
    if (info !== null)
      for (let marker: unknown; ;) {
        const asked = {
          account: address,
          ledger_index: number,
          limit: 400,
          ...(marker !== undefined && { marker }),
        }
        const answer = await ask('account_lines', asked, lines)
        for (const one of answer?.lines ?? [])
          tokens.push({ address: tokenOf(one.currency, one.account), raw: issuedUnits(one.balance) })
        marker = answer?.marker
        if (marker === undefined) break
      }
    return { native: info?.account_data.Balance ?? 0n, tokens }
  }

  async function readBalances({ address, tokens, headBlock }: BalanceRequest) {
    const held = await holdingsAt(address, headBlock)
    const raws = new Map(held.tokens.map((one) => [one.address, one.raw]))
    return {
      block: await block(headBlock),
      native: held.native,
      tokens: tokens.map((one) => raws.get(one) ?? 0n),
    }
  }

  return {
    name: NAME,
    head: async () => {
      const newest = await block('validated')
      return { block: newest, finalized: newest.number }
    },
    headers: null,
    readHistory,
    readTokens: async (addresses) => addresses.map(describe),
    readBalances,
    async readHoldings({ address }) {
      const newest = await block('validated')
      const { native, tokens } = await holdingsAt(address, newest.number)
      // What others owe to an issuer is negative there.
      return { block: newest, native, tokens: tokens.filter(({ raw }) => raw > 0n) }
    },
  }
}

/** The ledger knows a token by its code alone: three letters, or the text that 20 bytes spell. */
function describe(address: string): ChainToken {
  const [currency = ''] = address.split('.')
  const text = /^[0-9A-F]{40}$/.test(currency)
    ? Buffer.from(currency, 'hex').toString('latin1').replaceAll('\0', '')
    : currency
  const symbol = /^[\x20-\x7e]+$/.test(text) ? text : null
  return { address, symbol, name: symbol, decimals: ISSUED_DECIMALS }
}
