import { z } from 'zod'
import { batchesOf } from '../../../db/values/batches.ts'
import { tonAddress } from '../../../db/values/wallet-address.ts'
import { SourceUnavailable } from '../../errors.ts'
import type { HttpClient } from '../../http-client.ts'
import type { ChainBlock, ChainToken } from '../chain-data.ts'
import { jettonBurn, jettonTransfer, movesOf, tonTransaction } from './ton-transaction.ts'
import type { TonRow, TonTransaction } from './ton-transaction.ts'

export const NAME = 'toncenter'
/** At most 1,000; each transaction takes a few kB. */
const PAGE_ROWS = 100
/** Hashes that one address of a request bears. */
const HASHES = 50
/** The shard of the masterchain. */
const WHOLE = '8000000000000000'
/** What a jetton has that does not state them: TEP-64. */
const USUAL_DECIMALS = 9

const amount = z.union([z.int().min(0), z.string().regex(/^\d+$/)]).transform(BigInt)
const block = z
  .object({
    seqno: z.int().min(0),
    gen_utime: z.union([z.int(), z.string().regex(/^\d+$/)]).transform(Number),
  })
  .transform(({ seqno, gen_utime: at }): ChainBlock => ({
    number: seqno,
    // Blocks of the masterchain are final, so the number stands for the block.
    hash: String(seqno),
    parentHash: null,
    atMs: at * 1_000,
  }))
const state = z.object({
  balance: amount.nullish().transform((found) => found ?? 0n),
  last_transaction_lt: z.union([z.int(), z.string()]).nullish(),
})
const jettonWallet = z.object({ jetton: z.string().transform(tonAddress), balance: amount })
const text = z.union([z.string(), z.number()]).transform(String).nullish().catch(null)
const content = z.object({ name: text, symbol: text, decimals: text })
const master = z.object({ address: z.string(), jetton_content: content.nullish() })
const tokenInfo = z.object({ name: text, symbol: text, extra: z.object({ decimals: text }).nullish() })
const metadata = z.record(z.string(), z.object({ token_info: z.array(tokenInfo).nullish() }))

/** The lists of a wallet: transactions of its account, and what its jetton wallets were told to send and to burn. */
export const LISTS = ['transactions', 'jetton/transfers', 'jetton/burns'] as const
type List = (typeof LISTS)[number]

type Query = [string, string][]

/** The calls of the indexer of TON Center (API v3) that wallets need. */
export function createToncenterApi(options: { http: HttpClient; url: string; key: string | null }) {
  const { http, url, key } = options
  const headers = key ? { 'X-Api-Key': key } : {}

  const get = <T>(path: string, query: Query, schema: z.ZodType<T>): Promise<T> =>
    http.fetchJson({
      source: NAME,
      url: `${url}/api/v3/${path}?${new URLSearchParams(query).toString()}`,
      operation: `/api/v3/${path}`,
      headers,
      schema,
    })

  async function newest(): Promise<ChainBlock> {
    return (await get('masterchainInfo', [], z.object({ last: block }))).last
  }

  async function blockAt(number: number): Promise<ChainBlock> {
    const asked: Query = [
      ['workchain', '-1'],
      ['shard', WHOLE],
      ['seqno', String(number)],
    ]
    const [found] = (await get('blocks', asked, z.object({ blocks: z.array(block) }))).blocks
    if (!found) throw new SourceUnavailable(NAME, `no masterchain block ${number}: the indexer lags`)
    return found
  }

  /** The next rows of a list between two seconds, both inclusive, oldest first. */
  async function page(request: {
    address: string
    list: List
    from: number
    to: number
    offset: number
  }): Promise<{ rows: TonRow[]; transactions: TonTransaction[]; next: number | null }> {
    const { address, list, from, to, offset } = request
    const asked: Query = [
      [list === 'transactions' ? 'account' : 'owner_address', address],
      ['start_utime', String(from)],
      ['end_utime', String(to)],
      ['limit', String(PAGE_ROWS)],
      ['offset', String(offset)],
      ['sort', 'asc'],
    ]
    const { transactions, rows } = await ROWS[list]((schema) => get(list, asked, schema))
    return { rows, transactions, next: rows.length < PAGE_ROWS ? null : offset + rows.length }
  }

  /** Transactions by their hash. */
  async function transactions(hashes: readonly string[]): Promise<TonTransaction[]> {
    const found: TonTransaction[] = []
    for (const some of batchesOf(hashes, HASHES)) {
      const asked = some.map((one): [string, string] => ['hash', base64(one)])
      found.push(
        ...(await get(
          'transactions',
          [...asked, ['limit', String(HASHES)]],
          listOf('transactions', tonTransaction),
        )),
      )
    }
    return found
  }

  async function account(address: string): Promise<{ balance: bigint; newest: string | null }> {
    const asked: Query = [
      ['address', address],
      ['include_boc', 'false'],
    ]
    const [found] = await get('accountStates', asked, listOf('accounts', state))
    return { balance: found?.balance ?? 0n, newest: found?.last_transaction_lt?.toString() ?? null }
  }

  /** Balances by master contract. */
  async function jettons(owner: string): Promise<Map<string, bigint>> {
    const held = new Map<string, bigint>()
    for (let offset = 0; ; offset += PAGE_ROWS) {
      const asked: Query = [
        ['owner_address', owner],
        ['exclude_zero_balance', 'true'],
        ['limit', String(PAGE_ROWS)],
        ['offset', String(offset)],
      ]
      const wallets = await get('jetton/wallets', asked, listOf('jetton_wallets', jettonWallet))
      for (const { jetton, balance } of wallets) held.set(jetton, (held.get(jetton) ?? 0n) + balance)
      if (wallets.length < PAGE_ROWS) return held
    }
  }

  /** What masters state of their jettons on the chain, or at the address that they name there. */
  async function masters(addresses: readonly string[]): Promise<ChainToken[]> {
    const known = new Map<string, Omit<ChainToken, 'address'>>()
    for (const some of batchesOf(addresses, HASHES)) {
      const asked = some.map((one): [string, string] => ['address', one])
      const answer = await get(
        'jetton/masters',
        [...asked, ['limit', String(HASHES)]],
        z.object({ jetton_masters: z.array(master), metadata: metadata.nullish() }),
      )
      for (const { address, jetton_content: onChain } of answer.jetton_masters) {
        const indexed = answer.metadata?.[address]?.token_info?.[0]
        const decimals = indexed?.extra?.decimals ?? onChain?.decimals
        known.set(tonAddress(address), {
          symbol: indexed?.symbol ?? onChain?.symbol ?? null,
          name: indexed?.name ?? onChain?.name ?? null,
          decimals: /^\d{1,3}$/.test(decimals ?? '') ? Number(decimals) : USUAL_DECIMALS,
        })
      }
    }
    const nothing = { symbol: null, name: null, decimals: null }
    return addresses.map((address) => ({ address, ...(known.get(address) ?? nothing) }))
  }

  return { newest, blockAt, page, transactions, account, jettons, masters }
}

const listOf = <T>(name: string, row: z.ZodType<T>): z.ZodType<T[]> =>
  z.object({ [name]: z.array(row) }).transform((answer) => answer[name] as T[])

type Get = <T>(schema: z.ZodType<T>) => Promise<T>
const ROWS: Record<List, (get: Get) => Promise<{ rows: TonRow[]; transactions: TonTransaction[] }>> = {
  transactions: async (get) => {
    const transactions = await get(listOf('transactions', tonTransaction))
    return { rows: transactions.map(movesOf), transactions }
  },
  'jetton/transfers': async (get) => ({
    rows: await get(listOf('jetton_transfers', jettonTransfer)),
    transactions: [],
  }),
  'jetton/burns': async (get) => ({ rows: await get(listOf('jetton_burns', jettonBurn)), transactions: [] }),
}

const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')
