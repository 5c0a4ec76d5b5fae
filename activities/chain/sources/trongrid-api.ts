import { z } from 'zod'
import { tronHex } from '../../../db/values/wallet-address.ts'
import { SourceUnavailable } from '../../errors.ts'
import type { HttpClient } from '../../http-client.ts'
import { numberIn } from '../../nodes/rpc-contracts.ts'
import type { ChainBlock } from '../chain-data.ts'
import { tronInfo, tronTransaction } from './tron-transaction.ts'
import type { TronInfo, TronTransaction } from './tron-transaction.ts'

export const NAME = 'trongrid'
/** At most 200. Each contract call of a page costs one or two further requests. */
const PAGE_ROWS = 50
/** Owner of calls that only read. */
const ANYBODY = 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'

const header = z
  .object({
    block_header: z.object({ raw_data: z.object({ number: z.int().min(0).default(0), timestamp: z.int() }) }),
  })
  .transform(({ block_header: { raw_data: raw } }): ChainBlock => ({
    number: raw.number,
    // Final blocks alone are read, so the number stands for the block.
    hash: String(raw.number),
    parentHash: null,
    atMs: raw.timestamp,
  }))

const amount = z.union([z.int().min(0), z.string().regex(/^\d+$/)]).transform(BigInt)
const frozen = z.object({ frozen_balance: amount.default(0n) })
const account = z.object({
  balance: amount.default(0n),
  frozen: z.array(frozen).default([]),
  delegated_frozen_balance_for_bandwidth: amount.default(0n),
  delegated_frozenV2_balance_for_bandwidth: amount.default(0n),
  frozenV2: z.array(z.object({ amount: amount.default(0n) })).default([]),
  unfrozenV2: z.array(z.object({ unfreeze_amount: amount.default(0n) })).default([]),
  tron_power: frozen.optional(),
  account_resource: z
    .object({
      frozen_balance_for_energy: frozen.optional(),
      delegated_frozen_balance_for_energy: amount.default(0n),
      delegated_frozenV2_balance_for_energy: amount.default(0n),
    })
    .optional(),
  trc20: z.array(z.record(z.string(), amount)).default([]),
})
type Account = z.output<typeof account>

const meta = z.object({ fingerprint: z.string().optional() })
/** Rows of before 2020 do not tell their block. */
const ownRow = tronTransaction
  .and(
    z.object({
      blockNumber: z.int().min(0).optional(),
      block_timestamp: z.int(),
      ret: z.array(z.object({ fee: amount.default(0n) })).default([]),
    }),
  )
  .transform(({ blockNumber, block_timestamp: blockTimeStamp, ret, ...tx }): TronRow => {
    const fee = ret[0]?.fee ?? 0n
    const simple = { blockTimeStamp, fee, log: [], internals: [], reward: 0n }
    return { hash: tx.hash, tx, simple: blockNumber === undefined ? null : { ...simple, blockNumber } }
  })
const innerRow = z
  .object({ internal_tx_id: z.string(), tx_id: z.string() })
  .transform((one): TronRow => ({ hash: one.tx_id, tx: null, simple: null }))
const row = z.union([ownRow, innerRow])
const tokenRow = z
  .object({ transaction_id: z.string() })
  .transform((one): TronRow => ({ hash: one.transaction_id, tx: null, simple: null }))

/** A row of a list. */
export interface TronRow {
  hash: string
  /** null: it names the account only inside, or in an event of a token */
  tx: TronTransaction | null
  /** What a node found, if the row tells it and the transaction ran no code. null: a node has to be asked */
  simple: TronInfo | null
}

const constant = z.object({
  constant_result: z.array(z.string().regex(/^[0-9a-f]*$/)).default([]),
})

export type TrongridApi = ReturnType<typeof createTrongridApi>

/** The lists of an account: its own transactions and those with internal payments, and those of TRC-20 tokens. */
export const LISTS = ['transactions', 'transactions/trc20'] as const

/** The calls of TronGrid that wallets need: its lists by account, and a node's answers of final blocks. */
export function createTrongridApi(options: { http: HttpClient; url: string; key: string | null }) {
  const { http, url, key } = options
  const headers = key ? { 'TRON-PRO-API-KEY': key } : {}

  const get = <T>(path: string, schema: z.ZodType<T>): Promise<T> =>
    http.fetchJson({ source: NAME, url: `${url}/v1/${path}`, headers, schema, refuse })
  const post = <T>(method: string, body: object, schema: z.ZodType<T>): Promise<T> =>
    http.fetchJson({ source: NAME, url: `${url}/walletsolidity/${method}`, headers, body, schema, refuse })

  /** The newest final block, or the one with a number. */
  async function block(number?: number): Promise<ChainBlock> {
    const asked = number === undefined ? {} : { id_or_num: String(number) }
    const found = await post('getblock', { ...asked, detail: false }, orNothing(header))
    if (found === null) throw new SourceUnavailable(NAME, `no final block ${number}: the node lags`)
    return found
  }

  /** null: it was never used */
  async function readAccount(address: string): Promise<Account | null> {
    const answer = await get(`accounts/${address}?only_confirmed=true`, z.object({ data: z.array(account) }))
    return answer.data[0] ?? null
  }

  /** The next rows of a list between two times, oldest first. */
  async function page(request: {
    address: string
    list: (typeof LISTS)[number]
    fromMs: number
    toMs: number
    fingerprint: string | null
  }): Promise<{ rows: TronRow[]; next: string | null }> {
    const { address, list, fromMs, toMs, fingerprint } = request
    const query = new URLSearchParams({
      only_confirmed: 'true',
      limit: String(PAGE_ROWS),
      order_by: 'block_timestamp,asc',
      min_timestamp: String(fromMs),
      max_timestamp: String(toMs),
      ...(fingerprint !== null && { fingerprint }),
    })
    const schema: z.ZodType<TronRow> = list === 'transactions' ? row : tokenRow
    const answer = await get(
      `accounts/${address}/${list}?${query.toString()}`,
      z.object({ data: z.array(schema), meta }),
    )
    return { rows: answer.data, next: answer.meta.fingerprint ?? null }
  }

  async function transaction(hash: string): Promise<TronTransaction> {
    return await known(hash, post('gettransactionbyid', { value: hash }, orNothing(tronTransaction)))
  }

  async function info(hash: string): Promise<TronInfo> {
    return await known(hash, post('gettransactioninfobyid', { value: hash }, orNothing(tronInfo)))
  }

  async function known<T>(hash: string, asked: Promise<T | null>): Promise<T> {
    const found = await asked
    if (found === null) throw new SourceUnavailable(NAME, `no transaction ${hash}: the node lags`)
    return found
  }

  /** What a function of a contract returns, in hexadecimal digits. null: nothing */
  async function read(
    contract: string,
    call: { selector: string; parameter?: string },
  ): Promise<string | null> {
    const { selector: function_selector, parameter = '' } = call
    const asked = {
      owner_address: ANYBODY,
      contract_address: contract,
      function_selector,
      parameter,
      visible: true,
    }
    const { constant_result: results } = await post('triggerconstantcontract', asked, constant)
    return results[0] || null
  }

  async function tokenBalance(address: string, contract: string): Promise<bigint | null> {
    const parameter = tronHex(address).padStart(64, '0')
    return numberIn(await read(contract, { selector: 'balanceOf(address)', parameter }))
  }

  return { block, readAccount, page, transaction, info, read, tokenBalance }
}

/** Nodes answer an empty object where there is nothing. */
const orNothing = <T>(schema: z.ZodType<T>) => z.union([z.strictObject({}).transform(() => null), schema])

/** All TRX of an account: spendable, frozen in either version, delegated, and on its way back. */
export function heldTrx(account: Account | null): bigint {
  if (account === null) return 0n
  const { account_resource: resource } = account
  const sum = (all: readonly bigint[]) => all.reduce((total, one) => total + one, 0n)
  return sum([
    account.balance,
    ...account.frozen.map((one) => one.frozen_balance),
    ...account.frozenV2.map((one) => one.amount),
    ...account.unfrozenV2.map((one) => one.unfreeze_amount),
    account.delegated_frozen_balance_for_bandwidth,
    account.delegated_frozenV2_balance_for_bandwidth,
    account.tron_power?.frozen_balance ?? 0n,
    resource?.frozen_balance_for_energy?.frozen_balance ?? 0n,
    resource?.delegated_frozen_balance_for_energy ?? 0n,
    resource?.delegated_frozenV2_balance_for_energy ?? 0n,
  ])
}

/** Nodes name errors in `Error`, lists in `error`. */
function refuse(body: unknown) {
  const { Error: ofNode, error: ofList } = (body ?? {}) as { Error?: unknown; error?: unknown }
  const reason = [ofNode, ofList].find((one) => typeof one === 'string')
  return reason === undefined ? null : { reason, later: /exceed|frequency|limit/i.test(reason) }
}
