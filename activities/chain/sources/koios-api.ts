import { z } from 'zod'
import { batchesOf } from '../../../db/values/batches.ts'
import { isStakeAddress } from '../../../db/values/cardano-address.ts'
import { SourceUnavailable } from '../../errors.ts'
import type { HttpClient } from '../../http-client.ts'
import type { ChainBlock, ChainToken } from '../chain-data.ts'
import { amount, asset, hash, koiosReward, koiosTransaction } from './koios-transaction.ts'
import type { KoiosReward, KoiosTransaction } from './koios-transaction.ts'

export const NAME = 'koios'
/** Koios gives at most this many rows, however many are asked for. */
export const PAGE_ROWS = 1_000
/** Bytes of a body that Koios takes without a token, and with one. */
const BODY_BYTES = { public: 1_000, registered: 5_000 }
/** Bytes of a body around its list. */
const OTHER_BYTES = 120
/** A hash or a token with its quotes, brackets and commas. */
const [HASH_BYTES, TOKEN_BYTES] = [67, 128]
/** Numbers that one address of a request bears. */
const NUMBERS = 100
/** The slot of the main network is this many seconds behind Unix time since Shelley, where slots are seconds. */
const SLOT_ZERO = 1_591_566_291

const block = z
  .object({ hash, block_height: z.int().min(0), block_time: z.int(), epoch_no: z.int().min(0) })
  .transform((one) => ({
    number: one.block_height,
    hash: one.hash,
    parentHash: null,
    atMs: one.block_time * 1_000,
    epoch: one.epoch_no,
  }))
export type KoiosBlock = ChainBlock & { epoch: number }

const listed = z
  .object({ tx_hash: hash, block_height: z.int().min(0), block_time: z.int(), epoch_no: z.int().min(0) })
  .transform((one) => ({
    hash: one.tx_hash,
    number: one.block_height,
    atMs: one.block_time * 1_000,
    epoch: one.epoch_no,
  }))
export type ListedTransaction = z.output<typeof listed>

const account = z
  .object({ utxo: amount, rewards_available: amount })
  .transform((one) => one.utxo + one.rewards_available)
const payment = z.object({ balance: amount }).transform((one) => one.balance)
const text = z.string().nullish().catch(null)
const tokenInfo = z.object({
  policy_id: z.string(),
  asset_name: z.string().nullish(),
  asset_name_ascii: text,
  token_registry_metadata: z
    .object({ name: text, ticker: text, decimals: z.int().min(0).max(255).nullish().catch(null) })
    .nullish(),
})

interface Question<T> {
  row: z.ZodType<T>
  /** filters, order and columns of PostgREST, and arguments of a GET */
  query?: Record<string, string>
  /** arguments of a POST */
  body?: Record<string, unknown>
}

/** The calls of Koios (API v1) that wallets need. A stake address stands for all payment addresses that name it. */
export function createKoiosApi(options: { http: HttpClient; url: string; key: string | null }) {
  const { http, url, key } = options
  const bodyBytes = (key === null ? BODY_BYTES.public : BODY_BYTES.registered) - OTHER_BYTES

  async function ask<T>(path: string, { row, query = {}, body }: Question<T>): Promise<T[]> {
    return http.fetchJson({
      source: NAME,
      url: `${url}/${path}?${new URLSearchParams(query).toString()}`,
      operation: `/${path}`,
      ...(key !== null && { headers: { authorization: `Bearer ${key}` } }),
      ...(body && { body }),
      schema: z.array(row),
    })
  }

  /** All rows in a stated order, page by page. */
  async function askAll<T>(path: string, { row, query = {}, body }: Question<T>): Promise<T[]> {
    const rows: T[] = []
    for (let offset = 0; ; offset += PAGE_ROWS) {
      const paged = { ...query, limit: String(PAGE_ROWS), offset: String(offset) }
      const page = await ask(path, { row, query: paged, ...(body && { body }) })
      rows.push(...page)
      if (page.length < PAGE_ROWS) return rows
    }
  }

  async function tip(): Promise<KoiosBlock> {
    const [newest] = await ask('tip', { row: block })
    if (!newest) throw new SourceUnavailable(NAME, 'no tip')
    return newest
  }

  /** Blocks by number or slot, by what was asked; those that the chain does not have are left out. */
  async function blocksBy(column: 'block_height' | 'abs_slot', numbers: readonly number[]) {
    const found: KoiosBlock[] = []
    for (const asked of batchesOf(numbers, NUMBERS)) {
      const select = 'hash,block_height,block_time,epoch_no'
      found.push(
        ...(await ask('blocks', { row: block, query: { [column]: `in.(${asked.join()})`, select } })),
      )
    }
    return found
  }

  /** Blocks by number; null for one that the chain does not have. */
  async function blocks(numbers: readonly number[]): Promise<(KoiosBlock | null)[]> {
    const found = new Map((await blocksBy('block_height', numbers)).map((one) => [one.number, one]))
    return numbers.map((number) => found.get(number) ?? null)
  }

  /** The first block of each epoch. */
  async function firstBlocks(epochs: readonly number[]): Promise<Map<number, KoiosBlock>> {
    const row = z.object({ epoch_no: z.int(), first_block_time: z.int() })
    const filter = [`gte.${Math.min(...epochs)}`, `lte.${Math.max(...epochs)}`].map(
      (one) => `epoch_no.${one}`,
    )
    const query = { and: `(${filter.join()})`, select: 'epoch_no,first_block_time' }
    const infos = (await ask('epoch_info', { row, query })).filter((one) => epochs.includes(one.epoch_no))
    const slots = infos.map((one) => one.first_block_time - SLOT_ZERO)
    const found = new Map((await blocksBy('abs_slot', slots)).map((one) => [one.epoch, one]))
    const lost = epochs.find((epoch) => !found.has(epoch))
    if (lost !== undefined)
      throw new SourceUnavailable(NAME, `no first block of epoch ${lost}: the service lags`)
    return found
  }

  /** Transactions that an address is paid or spends in, between two blocks, oldest first: one page. */
  async function list(
    address: string,
    { from, to }: { from: number; to: number },
  ): Promise<ListedTransaction[]> {
    const page = {
      block_height: `lte.${to}`,
      order: 'block_height.asc,tx_hash.asc',
      limit: String(PAGE_ROWS),
    }
    if (isStakeAddress(address)) {
      const query = { _stake_address: address, _after_block_height: String(from), ...page }
      return ask('account_txs', { row: listed, query })
    }
    const body = { _addresses: [address], _after_block_height: from }
    return ask('address_txs', { row: listed, query: page, body })
  }

  /** Of a stake address: the transactions with its certificates and withdrawals. `after`: Unix milliseconds */
  async function updates(stake: string, { after, to }: { after: number; to: number }): Promise<string[]> {
    const filter = [`block_time.gt.${after / 1_000}`, `block_time.lte.${to / 1_000}`]
    const rows = await askAll('account_update_history', {
      row: z.object({ tx_hash: hash }),
      query: { and: `(${filter.join()})`, order: 'absolute_slot.asc,tx_hash.asc,action_type.asc' },
      body: { _stake_addresses: [stake] },
    })
    return rows.map((one) => one.tx_hash)
  }

  /** Of a stake address: what became spendable after one epoch and up to another. */
  async function rewards(
    stake: string,
    { after, to }: { after: number; to: number },
  ): Promise<KoiosReward[]> {
    const filter = [`spendable_epoch.gt.${after}`, `spendable_epoch.lte.${to}`]
    return askAll('account_reward_history', {
      row: koiosReward,
      query: {
        and: `(${filter.join()})`,
        order: 'spendable_epoch.asc,earned_epoch.asc,type.asc,pool_id_bech32.asc',
      },
      body: { _stake_addresses: [stake] },
    })
  }

  async function transactions(hashes: readonly string[]): Promise<KoiosTransaction[]> {
    const found: KoiosTransaction[] = []
    for (const asked of batchesOf(hashes, Math.floor(bodyBytes / HASH_BYTES))) {
      const parts = { _inputs: true, _assets: true, _withdrawals: true, _certs: true }
      const rows = await ask('tx_info', { row: koiosTransaction, body: { _tx_hashes: asked, ...parts } })
      const lost = asked.find((one) => !rows.some((row) => row.tx_hash === one))
      if (lost !== undefined) throw new SourceUnavailable(NAME, `no transaction ${lost}: the service lags`)
      found.push(...rows)
    }
    return found
  }

  /** What an address holds now. Coins of a stake address include the rewards that it may withdraw. */
  async function held(address: string): Promise<{ native: bigint; tokens: Map<string, bigint> }> {
    const isStake = isStakeAddress(address)
    const body = isStake ? { _stake_addresses: [address] } : { _addresses: [address] }
    const [native = 0n] = isStake
      ? await ask('account_info', { row: account, body })
      : await ask('address_info', { row: payment, query: { select: 'balance' }, body })
    const rows = await askAll(isStake ? 'account_assets' : 'address_assets', {
      row: asset,
      query: { order: 'policy_id.asc,asset_name.asc' },
      body,
    })
    return { native, tokens: new Map(rows.map(({ unit, raw }) => [unit, raw])) }
  }

  /** What is registered of tokens. One without an entry has no decimal places, and is called as its name reads. */
  async function tokens(units: readonly string[]): Promise<ChainToken[]> {
    const known = new Map<string, Omit<ChainToken, 'address'>>()
    for (const asked of batchesOf(units, Math.floor(bodyBytes / TOKEN_BYTES))) {
      const list = asked.map((unit) => [unit.slice(0, 56), unit.slice(56)])
      const select = Object.keys(tokenInfo.shape).join()
      const rows = await ask('asset_info', { row: tokenInfo, query: { select }, body: { _asset_list: list } })
      for (const { policy_id, asset_name, asset_name_ascii: ascii, token_registry_metadata: told } of rows)
        known.set(policy_id + (asset_name ?? ''), {
          symbol: told?.ticker || ascii || null,
          name: told?.name || ascii || null,
          decimals: told?.decimals ?? 0,
        })
    }
    const nothing = { symbol: null, name: null, decimals: null }
    return units.map((address) => ({ address, ...(known.get(address) ?? nothing) }))
  }

  return { tip, blocks, firstBlocks, list, updates, rewards, transactions, held, tokens }
}
