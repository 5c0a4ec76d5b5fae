import { z } from 'zod'
import { SourceRejected } from '../../errors.ts'
import type { HttpClient } from '../../http-client.ts'
import type { ChainBlock, ChainRange } from '../chain-data.ts'
import type { BalanceRequest, HistoryPart, HistoryRequest, Holdings, WalletSource } from '../wallet-source.ts'
import { createCosmosDecoder, cosmosTransaction } from './cosmos-transaction.ts'
import type { CosmosChain } from './cosmos-transaction.ts'
import { createDenoms } from './cosmos-denoms.ts'

/** Nodes give at most this many. */
const PAGE_ROWS = 100
/** The index of a node may lag behind its blocks by this. */
const LOOK_BACK_BLOCKS = 100

/** One list of what an account spent and one of what it received: fees are spent too, also by failed transactions. */
const LISTS = ['coin_spent.spender', 'coin_received.receiver'] as const

const amount = z.string().regex(/^\d+$/).transform(BigInt)
const coin = z.object({ denom: z.string(), amount })
const height = z.string().regex(/^\d+$/).transform(Number)

/** Seconds, as transactions have them. */
const second = z.iso.datetime().transform((text) => Math.floor(Date.parse(text) / 1_000) * 1_000)
const block = z
  .object({ block: z.object({ header: z.object({ height, time: second }) }) })
  .transform(({ block: { header } }): ChainBlock => ({
    number: header.height,
    hash: String(header.height),
    parentHash: null,
    atMs: header.time,
  }))
const page = z.object({ tx_responses: z.array(cosmosTransaction), total: height })

const pagination = z.object({ next_key: z.string().nullish() })
const balances = z.object({ balances: z.array(coin), pagination })
const delegations = z.object({ delegation_responses: z.array(z.object({ balance: coin })), pagination })
const unbondings = z.object({
  unbonding_responses: z.array(z.object({ entries: z.array(z.object({ balance: amount })) })),
  pagination,
})

/** Where to resume: a list, and the number of the page, from 1. */
interface Position {
  list: number
  page: number
}

export interface CosmosRest extends CosmosChain {
  http: HttpClient
  /** of the source */
  name: string
  url: string
}

/**
 * A chain of the Cosmos SDK (0.50 and later) by the REST interface of a node. Blocks are final, so reorgs cannot happen.
 * Balances are those of a block, so the node needs its recent states.
 */
export function createCosmos({ http, name, url, ...chain }: CosmosRest): WalletSource {
  const decode = createCosmosDecoder(chain)

  async function ask<T>(
    path: string,
    schema: z.ZodType<T>,
    options: { query?: Record<string, string>; at?: number; operation?: string } = {},
  ): Promise<T> {
    const { query, at, operation } = options
    return http.fetchJson({
      source: name,
      url: `${url}${path}${query ? `?${new URLSearchParams(query).toString()}` : ''}`,
      schema,
      ...(at !== undefined && { headers: { 'x-cosmos-block-height': String(at) } }),
      ...(operation && { operation }),
      refuse: (body) => {
        const { message = '' } = (body as { message?: string } | null) ?? {}
        // Of several nodes behind one address some are behind.
        return /height in the future|less than or equal to the current/i.test(message)
          ? { reason: message, later: true }
          : null
      },
    })
  }

  const blockAt = (number: number | 'latest') =>
    ask(`/cosmos/base/tendermint/v1beta1/blocks/${number}`, block, {
      operation: '/cosmos/base/tendermint/v1beta1/blocks/*',
    })

  async function readHistory(request: HistoryRequest): Promise<HistoryPart> {
    const { address, cursor, headBlock, next, lookBack } = request
    const from = Math.max(1, cursor + 1 - (lookBack ? LOOK_BACK_BLOCKS : 0))
    const position = next === null ? { list: 0, page: 1 } : (JSON.parse(next) as Position)
    const answer = await ask('/cosmos/tx/v1beta1/txs', page, {
      query: {
        query: `${LISTS[position.list]}='${address}' AND tx.height>=${from} AND tx.height<=${headBlock}`,
        order_by: 'ORDER_BY_ASC',
        page: String(position.page),
        limit: String(PAGE_ROWS),
      },
    })
    const expected = Math.min(PAGE_ROWS, answer.total - (position.page - 1) * PAGE_ROWS)
    if (answer.tx_responses.length < expected)
      throw new SourceRejected(name, 'the node gives fewer rows than it counts, so some would be missed')
    const range: ChainRange = { blocks: [], transactions: [], transfers: [] }
    const blocks = new Map<number, ChainBlock>()
    for (const { transaction, transfers } of answer.tx_responses.map(decode)) {
      const own = transfers.filter((one) => one.from === address || one.to === address)
      if (own.length === 0 && transaction.from !== address) continue
      const { blockNumber: number, blockHash: hash, atMs } = transaction
      blocks.set(number, { number, hash, parentHash: null, atMs })
      range.transactions.push(transaction)
      range.transfers.push(...own)
    }
    range.blocks = [...blocks.values()]
    request.onProgress()
    const rest = restOf(position, answer)
    return {
      source: name,
      range,
      accounts: [],
      fromBlock: Math.min(headBlock, ...range.transactions.map((one) => one.blockNumber)),
      through: rest === null ? headBlock : cursor,
      next: rest && JSON.stringify(rest),
    }
  }

  /** All pages of a list of an account as of a block. */
  async function readPages<T extends { pagination: z.output<typeof pagination> }>(
    path: string,
    { schema, address, at }: { schema: z.ZodType<T>; address: string; at: number },
  ): Promise<T[]> {
    const pages: T[] = []
    for (let key: string | null | undefined = null; ;) {
      const query: Record<string, string> = {
        'pagination.limit': '200',
        ...(key && { 'pagination.key': key }),
      }
      const operation = path.replace('ADDRESS', '*')
      const answer: T = await ask(path.replace('ADDRESS', address), schema, { query, at, operation })
      pages.push(answer)
      key = answer.pagination.next_key
      if (!key) return pages
    }
  }

  /** All that an account holds as of a block. The native coin includes what is staked and what is on its way back. */
  async function holdingsAt(address: string, at: number): Promise<Omit<Holdings, 'block'>> {
    const of = { address, at }
    const held = await readPages('/cosmos/bank/v1beta1/balances/ADDRESS', { schema: balances, ...of })
    const staked = await readPages('/cosmos/staking/v1beta1/delegations/ADDRESS', {
      schema: delegations,
      ...of,
    })
    const unstaking = await readPages('/cosmos/staking/v1beta1/delegators/ADDRESS/unbonding_delegations', {
      schema: unbondings,
      ...of,
    })
    const coins = held.flatMap((one) => one.balances)
    const native = [
      ...coins.filter(({ denom }) => denom === chain.denom).map((one) => one.amount),
      ...staked.flatMap((one) => one.delegation_responses.map(({ balance }) => balance.amount)),
      ...unstaking.flatMap((one) =>
        one.unbonding_responses.flatMap(({ entries }) => entries.map(({ balance }) => balance)),
      ),
    ]
    return {
      native: native.reduce((sum, raw) => sum + raw, 0n),
      tokens: coins
        .filter(({ denom }) => denom !== chain.denom)
        .map((one) => ({ address: one.denom, raw: one.amount })),
    }
  }

  async function readBalances({ address, tokens, headBlock }: BalanceRequest) {
    const held = await holdingsAt(address, headBlock)
    const raws = new Map(held.tokens.map((one) => [one.address, one.raw]))
    return {
      block: await blockAt(headBlock),
      native: held.native,
      tokens: tokens.map((one) => raws.get(one) ?? 0n),
    }
  }

  return {
    name,
    head: async () => {
      const newest = await blockAt('latest')
      return { block: newest, finalized: newest.number }
    },
    headers: null,
    readHistory,
    readTokens: createDenoms({ http, name, url }),
    readBalances,
    async readHoldings({ address }) {
      const newest = await blockAt('latest')
      return { block: newest, ...(await holdingsAt(address, newest.number)) }
    },
  }
}

/** The next page of the list, or the first of the next list; null after the last. */
function restOf({ list, page: number }: Position, { total }: { total: number }): Position | null {
  if (number * PAGE_ROWS < total) return { list, page: number + 1 }
  return list + 1 < LISTS.length ? { list: list + 1, page: 1 } : null
}
