import { z } from 'zod'
import { SourceRejected, SourceUnavailable } from '../../errors.ts'
import type { HttpClient } from '../../http-client.ts'
import type { ChainBlock, ChainRange, ChainToken } from '../chain-data.ts'
import type { BalanceRequest, HistoryPart, HistoryRequest, Holdings, WalletSource } from '../wallet-source.ts'
import { keepOwn } from './keep-own.ts'
import {
  balanceChanges,
  CHANGE_FIELDS,
  decodeSuiTransaction,
  SUI_TYPE,
  suiTransaction,
  TRANSACTION_FIELDS,
} from './sui-transaction.ts'
import type { SuiTransaction } from './sui-transaction.ts'

const NAME = 'sui-graphql'
/** Codes of errors that pass. */
const TRANSIENT = new Set(['REQUEST_TIMEOUT', 'RESOURCE_EXHAUSTED', 'INTERNAL_SERVER_ERROR'])

/** The questions, in the schema that @mysten/sui 2.33.1 has. */
const SUI_QUERIES = {
  checkpoint: `query checkpoint($number: UInt53) { checkpoint(sequenceNumber: $number) { sequenceNumber timestamp } }`,
  range: `query range { serviceConfig {
    availableRange(type: "Query", field: "transactions", filters: ["affectedAddress"]) { first { sequenceNumber } } } }`,
  history: `query history($address: SuiAddress!, $after: UInt53, $before: UInt53!, $cursor: String) {
    transactions(first: 50, after: $cursor,
      filter: { affectedAddress: $address, afterCheckpoint: $after, beforeCheckpoint: $before }) {
      pageInfo { hasNextPage endCursor } nodes { ${TRANSACTION_FIELDS} } } }`,
  changes: `query changes($digest: String!, $cursor: String) { transaction(digest: $digest) {
    effects { balanceChanges(first: 50, after: $cursor) { ${CHANGE_FIELDS} } } } }`,
  balances: `query balances($address: SuiAddress!, $at: UInt53!, $cursor: String) {
    address(address: $address, atCheckpoint: $at) { balances(first: 50, after: $cursor) {
      pageInfo { hasNextPage endCursor } nodes { coinType { repr } totalBalance } } } }`,
  coin: `query coin($type: String!) { coinMetadata(coinType: $type) { symbol name decimals } }`,
} as const
type Query = keyof typeof SUI_QUERIES

const checkpoint = z.object({
  checkpoint: z
    .object({ sequenceNumber: z.int().min(0), timestamp: z.iso.datetime().transform(Date.parse) })
    .nullable(),
})
const range = z.object({
  serviceConfig: z.object({
    availableRange: z.object({ first: z.object({ sequenceNumber: z.int() }).nullable() }),
  }),
})
const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() })
const history = z.object({ transactions: z.object({ pageInfo, nodes: z.array(suiTransaction) }) })
const changes = z.object({ transaction: z.object({ effects: z.object({ balanceChanges }) }) })
const balances = z.object({
  address: z
    .object({
      balances: z.object({
        pageInfo,
        nodes: z.array(
          z.object({
            coinType: z.object({ repr: z.string() }),
            totalBalance: z.string().regex(/^\d+$/).transform(BigInt),
          }),
        ),
      }),
    })
    .nullable(),
})
const coin = z.object({
  coinMetadata: z
    .object({ symbol: z.string().nullable(), name: z.string().nullable(), decimals: z.int().nullable() })
    .nullable(),
})
const errors = z.object({
  errors: z.array(z.object({ message: z.string(), extensions: z.object({ code: z.string() }).optional() })),
})

/**
 * Sui by the GraphQL server of Mysten Labs. Checkpoints are final, so reorgs cannot happen. The server needs the whole
 * history of a wallet. It tells balances of recent checkpoints.
 */
export function createSui({ http, url }: { http: HttpClient; url: string }): WalletSource {
  function ask<T>(query: Query, variables: object, data: z.ZodType<T>): Promise<T> {
    return http
      .fetchJson({
        source: NAME,
        url,
        body: { query: SUI_QUERIES[query], variables },
        operation: `/${query}`,
        schema: z.object({ data }),
        refuse(body) {
          const [first] = errors.safeParse(body).data?.errors ?? []
          if (!first) return null
          const isAhead = /in the future|not yet/i.test(first.message)
          return { reason: first.message, later: isAhead || TRANSIENT.has(first.extensions?.code ?? '') }
        },
      })
      .then((answer) => answer.data)
  }

  async function block(number: number | null): Promise<ChainBlock> {
    const { checkpoint: found } = await ask('checkpoint', { number }, checkpoint)
    if (found === null) throw new SourceUnavailable(NAME, `no checkpoint ${number}`)
    const { sequenceNumber, timestamp: atMs } = found
    return { number: sequenceNumber, hash: String(sequenceNumber), parentHash: null, atMs }
  }

  /** With the balance changes that are not on the first page, as those of an airdrop. */
  async function complete(tx: SuiTransaction): Promise<SuiTransaction> {
    let page = tx.effects.balanceChanges
    const nodes = [...page.nodes]
    while (page.pageInfo.hasNextPage) {
      const asked = { digest: tx.digest, cursor: page.pageInfo.endCursor }
      page = (await ask('changes', asked, changes)).transaction.effects.balanceChanges
      nodes.push(...page.nodes)
    }
    return { ...tx, effects: { ...tx.effects, balanceChanges: { ...page, nodes } } }
  }

  async function readHistory(request: HistoryRequest): Promise<HistoryPart> {
    const { address, cursor, headBlock, next } = request
    if (cursor < 0 && next === null) await refusePruned()
    const page = await ask(
      'history',
      { address, after: cursor < 0 ? null : cursor, before: headBlock + 1, cursor: next },
      history,
    )
    const found: ChainRange = { blocks: [], transactions: [], transfers: [] }
    const blocks = new Map<number, ChainBlock>()
    for (const node of page.transactions.nodes) {
      const { transaction, transfers } = decodeSuiTransaction(await complete(node))
      request.onProgress()
      const own = keepOwn(new Set([address]), transfers)
      if (own.length === 0 && transaction.from !== address) continue
      const { blockNumber: number, blockHash: hash, atMs } = transaction
      blocks.set(number, { number, hash, parentHash: null, atMs })
      found.transactions.push(transaction)
      found.transfers.push(...own)
    }
    found.blocks = [...blocks.values()]
    const { hasNextPage, endCursor } = page.transactions.pageInfo
    return {
      source: NAME,
      range: found,
      accounts: [],
      fromBlock: Math.min(headBlock, ...found.transactions.map((one) => one.blockNumber)),
      through: hasNextPage ? cursor : headBlock,
      next: hasNextPage ? endCursor : null,
    }
  }

  async function refusePruned(): Promise<void> {
    const { first } = (await ask('range', {}, range)).serviceConfig.availableRange
    if (first !== null && first.sequenceNumber > 0)
      throw new SourceRejected(
        NAME,
        `the server has no transactions before checkpoint ${first.sequenceNumber}: name one with the full history`,
      )
  }

  /** All that an account holds as of a checkpoint. */
  async function holdingsAt(address: string, at: number): Promise<Omit<Holdings, 'block'>> {
    const held = new Map<string, bigint>()
    for (let cursor: string | null = null; ;) {
      const answer: z.output<typeof balances> = await ask('balances', { address, at, cursor }, balances)
      const page = answer.address?.balances
      for (const { coinType, totalBalance } of page?.nodes ?? []) held.set(coinType.repr, totalBalance)
      if (!page?.pageInfo.hasNextPage) break
      cursor = page.pageInfo.endCursor
    }
    const native = held.get(SUI_TYPE) ?? 0n
    held.delete(SUI_TYPE)
    return { native, tokens: [...held].map(([type, raw]) => ({ address: type, raw })) }
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

  async function readToken(type: string): Promise<ChainToken> {
    const { coinMetadata } = await ask('coin', { type }, coin)
    return { address: type, ...(coinMetadata ?? { symbol: null, name: null, decimals: null }) }
  }

  return {
    name: NAME,
    head: async () => {
      const newest = await block(null)
      return { block: newest, finalized: newest.number }
    },
    headers: null,
    readHistory,
    async readTokens(types) {
      const tokens: ChainToken[] = []
      for (const type of types) tokens.push(await readToken(type))
      return tokens
    },
    readBalances,
    async readHoldings({ address }) {
      const newest = await block(null)
      return { block: newest, ...(await holdingsAt(address, newest.number)) }
    },
  }
}
