import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { SourceRejected, SourceUnavailable } from '../../activities/errors.ts'
import {
  decodeSuiTransaction,
  SUI_TYPE,
  suiTransaction,
} from '../../activities/chain/sources/sui-transaction.ts'
import { createSui } from '../../activities/chain/sources/sui.ts'
import { NETWORKS } from '../../db/values/networks.ts'
import { isAddressOf, parseWalletAddress } from '../../db/values/wallet-address.ts'
import { createFaults } from '../../sandbox/faults.ts'
import { createSandboxServer } from '../../sandbox/server.ts'
import { gift, spammer, suiType, suiWallets, usdc } from '../../sandbox/sui/actors.ts'
import { createSuiGraphql } from '../../sandbox/sui/graphql.ts'
import { createSuiChain } from '../../sandbox/sui/ledger.ts'
import { ok, type Upstream } from '../../sandbox/upstream.ts'
import { freeHttp } from './free-http.ts'
import { fullHistory } from './full-history.ts'
import { historyRequest } from './history-request.ts'
import { ANCHOR, market } from './other-chains.ts'

const chain = createSuiChain({ market })
const { address: WALLET } = suiWallets[0]!
const stops: (() => unknown)[] = []
afterAll(async () => {
  for (const stop of stops) await stop()
})

interface Exchanged {
  query: string
  variables: Record<string, unknown>
  data: unknown
}

async function against(upstream: Upstream) {
  const exchanged: Exchanged[] = []
  const log: Upstream = async (request) => {
    const reply = await upstream(request)
    exchanged.push({ ...JSON.parse(request.bodyText), data: (reply.body as { data?: unknown }).data })
    return reply
  }
  const mounts = [{ base: '/sui', upstream: log }]
  const server = createSandboxServer({ mounts, faults: createFaults(), nowMs: () => ANCHOR * 1_000 })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sui`
  const http = freeHttp({ 'sui-graphql': { url } })
  stops.push(
    () => http.close(),
    () => (server.close(), server.closeAllConnections()),
  )
  return { source: createSui({ http, url }), exchanged }
}

test('an address is 0x and 64 digits, and one of Sui alone', () => {
  const text = '0xDBA34672E30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7'
  const address = text.toLowerCase()
  expect(parseWalletAddress(text)).toEqual({ kind: 'sui', address })
  expect(NETWORKS.filter((one) => isAddressOf(one, address)).map(({ id }) => id)).toEqual(['sui'])
  for (const other of [
    '0x2',
    address.slice(2),
    `${address}0`,
    address.slice(0, -1),
    address.replace('d', 'g'),
  ])
    expect(parseWalletAddress(other)).toBeNull()
})

/**
 * The part that is used of src/graphql/generated/schema.graphql of @mysten/sui 2.33.1 (Apache-2.0): fields by type.
 * `!`: never null. Types in lower case are those of JSON.
 */
const SCHEMA: Record<string, Record<string, string>> = {
  Query: {
    checkpoint: 'Checkpoint',
    serviceConfig: 'ServiceConfig!',
    transactions: 'TransactionConnection',
    transaction: 'Transaction',
    address: 'Address',
    coinMetadata: 'CoinMetadata',
  },
  Checkpoint: { sequenceNumber: 'number!', timestamp: 'string' },
  ServiceConfig: { availableRange: 'AvailableRange!' },
  AvailableRange: { first: 'Checkpoint', last: 'Checkpoint' },
  TransactionConnection: { pageInfo: 'PageInfo!', nodes: '[Transaction]!' },
  PageInfo: { hasNextPage: 'boolean!', endCursor: 'string' },
  Transaction: { digest: 'string!', sender: 'Address', gasInput: 'GasInput', effects: 'TransactionEffects' },
  Address: { address: 'string!', balances: 'BalanceConnection' },
  GasInput: { gasSponsor: 'Address' },
  TransactionEffects: {
    status: 'string',
    timestamp: 'string',
    checkpoint: 'Checkpoint',
    balanceChanges: 'BalanceChangeConnection',
    gasEffects: 'GasEffects',
  },
  BalanceChangeConnection: { pageInfo: 'PageInfo!', nodes: '[BalanceChange]!' },
  BalanceChange: { owner: 'Address', coinType: 'MoveType', amount: 'string' },
  MoveType: { repr: 'string!' },
  GasEffects: { gasSummary: 'GasCostSummary' },
  GasCostSummary: { computationCost: 'number', storageCost: 'number', storageRebate: 'number' },
  BalanceConnection: { pageInfo: 'PageInfo!', nodes: '[Balance]!' },
  Balance: { coinType: 'MoveType', totalBalance: 'string' },
  CoinMetadata: { symbol: 'string', name: 'string', decimals: 'number' },
}

/** Says where an answer is not of the schema. */
function problemsIn(value: unknown, type: string, path: string): string[] {
  const name = type.replaceAll(/[![\]]/g, '')
  if (value === null) return type.endsWith('!') ? [`${path} is null`] : []
  if (type.startsWith('['))
    return (value as unknown[]).flatMap((one, i) => problemsIn(one, name, `${path}.${i}`))
  const fields = SCHEMA[name]
  if (!fields) return typeof value === name ? [] : [`${path} is no ${name}`]
  return Object.entries(value as object).flatMap(([key, one]) =>
    fields[key] === undefined ? [`${name} has no ${key}`] : problemsIn(one, fields[key], `${path}.${key}`),
  )
}

/** Names of the fields that a question asks for, without its arguments. */
const fieldsAsked = (query: string): Set<string> =>
  new Set(
    query
      .slice(query.indexOf('{'))
      .replaceAll(/\([^)]*\)/g, '')
      .match(/\w+/g),
  )

test('questions and answers have the fields of the schema', async () => {
  const { source, exchanged } = await against(createSuiGraphql(() => chain))
  await fullHistory(source, WALLET)
  await source.readHoldings({ address: WALLET, contracts: [] })
  await source.readTokens([usdc.type, `${gift.type}S`])
  const known = new Set(Object.values(SCHEMA).flatMap((fields) => Object.keys(fields)))
  const asked = new Set(exchanged.map(({ query }) => query))
  expect(asked.size).toBe(6)
  for (const query of asked) expect([...fieldsAsked(query)].filter((field) => !known.has(field))).toEqual([])
  for (const { data } of exchanged) expect(problemsIn(data, 'Query', 'data')).toEqual([])
})

test('all pages are read: of transactions, and of the balances that one of them changed', async () => {
  const { source, exchanged } = await against(createSuiGraphql(() => chain))
  const { transactions, transfers } = await fullHistory(source, WALLET)
  const own = chain.affecting(WALLET).filter(({ checkpoint }) => checkpoint <= chain.newest(ANCHOR))
  expect(transactions.map(({ hash }) => hash)).toEqual(own.map(({ digest }) => digest))
  expect(own.length).toBeGreaterThan(50)
  const named = (name: string) => exchanged.filter(({ query }) => query.startsWith(`query ${name}(`))
  expect(named('history')).toHaveLength(Math.ceil(own.length / 50))
  const drops = own.filter(({ sender }) => sender === spammer)
  expect(named('changes')).toHaveLength(drops.length)
  const gifts = transfers.filter(({ token, to }) => token === gift.type && to === WALLET)
  expect(gifts.map(({ fanOut }) => fanOut)).toEqual(drops.map(() => 71))
})

test('balances are those of the checkpoint that is asked for', async () => {
  const { source } = await against(createSuiGraphql(() => chain))
  for (const days of [0, 100, 400]) {
    const headBlock = chain.newest(ANCHOR - days * 86_400)
    const held = chain.held(WALLET, headBlock)
    const asked = { address: WALLET, accounts: [], tokens: [usdc.type], headBlock }
    const found = await source.readBalances(asked)
    expect([found.native, ...found.tokens]).toEqual([held.get(suiType), held.get(usdc.type) ?? 0n])
    expect(found.block).toMatchObject({ number: headBlock, atMs: chain.timeOf(headBlock) })
  }
})

test('a server without the whole history is refused, and one that lags or is busy is asked again', async () => {
  const short = await against(createSuiGraphql(() => chain, { lost: 41_000_000 }))
  await expect(fullHistory(short.source, WALLET)).rejects.toThrow('name one with the full history')
  const lagging = await against(createSuiGraphql(() => chain))
  const asked = { address: WALLET, accounts: [], tokens: [], headBlock: chain.newest(ANCHOR) + 5 }
  await expect(lagging.source.readBalances(asked)).rejects.toThrow(SourceUnavailable)
  const refusing = (code: string) =>
    against(() => ({ status: 200, body: { data: null, errors: [{ message: 'no', extensions: { code } }] } }))
  await expect((await refusing('REQUEST_TIMEOUT')).source.head()).rejects.toThrow(SourceUnavailable)
  await expect((await refusing('BAD_USER_INPUT')).source.head()).rejects.toThrow(SourceRejected)
})

describe('parts of the history', () => {
  const own = chain.affecting(WALLET).filter(({ checkpoint }) => checkpoint <= chain.newest(ANCHOR))
  const requestOf = (rest: { cursor: number; headBlock: number }) =>
    historyRequest({ address: WALLET, ...rest })
  const request = requestOf({ cursor: own[2]!.checkpoint, headBlock: own[6]!.checkpoint })
  const inside = own.filter(
    ({ checkpoint }) => checkpoint > request.cursor && checkpoint <= request.headBlock,
  )

  test('a part begins after the cursor and ends with the head', async () => {
    const { source } = await against(createSuiGraphql(() => chain))
    const part = await source.readHistory(request)
    expect(part.range.transactions.map(({ hash }) => hash)).toEqual(inside.map(({ digest }) => digest))
    expect(part).toMatchObject({ through: request.headBlock, next: null })
  })

  test('a transaction of others that moves nothing of the wallet is left out', async () => {
    const { source } = await against(async (asked) => {
      const reply = await createSuiGraphql(() => chain)(asked)
      const { transactions } = (reply.body as { data: { transactions?: { nodes: any[] } } }).data
      const [first] = transactions?.nodes ?? []
      if (first)
        transactions!.nodes.unshift({
          ...first,
          digest: 'foreign',
          sender: { address: spammer },
          gasInput: null,
          effects: { ...first.effects, status: 'FAILURE' },
        })
      return reply
    })
    const { range } = await source.readHistory(request)
    expect(range.transactions.map(({ hash }) => hash)).toEqual(inside.map(({ digest }) => digest))
  })

  test('a server that does not say from where on it has transactions is not refused', async () => {
    const { source } = await against((asked) =>
      asked.bodyText.includes('availableRange')
        ? ok({ data: { serviceConfig: { availableRange: { first: null } } } })
        : createSuiGraphql(() => chain)(asked),
    )
    expect((await fullHistory(source, WALLET)).transactions).toHaveLength(own.length)
  })
})

describe('gas', () => {
  const [payer, other] = ['a', 'b'].map((digit) => `0x${digit.repeat(64)}`) as [string, string]
  const decoded = (facts: {
    gas: [computation: number, storage: number, rebate: number]
    changes: [owner: string, raw: string][]
    sponsor?: string
    status?: string
  }) => {
    const [computationCost, storageCost, storageRebate] = facts.gas
    const { sponsor = payer, status = 'SUCCESS' } = facts
    return decodeSuiTransaction(
      suiTransaction.parse({
        digest: 'D',
        sender: { address: payer },
        gasInput: { gasSponsor: { address: sponsor } },
        effects: {
          status,
          timestamp: '2026-01-02T03:04:05.678Z',
          checkpoint: { sequenceNumber: 7 },
          balanceChanges: {
            pageInfo: { hasNextPage: false, endCursor: null },
            nodes: facts.changes.map(([address, amount]) => ({
              owner: { address },
              coinType: { repr: SUI_TYPE },
              amount,
            })),
          },
          gasEffects: { gasSummary: { computationCost, storageCost, storageRebate } },
        },
      }),
    )
  }
  const flows = ({ transfers }: ReturnType<typeof decoded>) =>
    transfers.map(({ kind, from, to, raw }) => [kind, from, to, raw])

  test('is the fee of who pays it, and no part of what moved', () => {
    const changes: [string, string][] = [
      [payer, '-1300'],
      [other, '1000'],
    ]
    const found = decoded({ gas: [200, 150, 50], changes })
    expect(found.transaction).toMatchObject({ from: payer, fee: 300n })
    expect(flows(found)).toEqual([
      ['native', payer, '', 1_000n],
      ['native', '', other, 1_000n],
    ])
  })

  test('of a sponsor is not the fee of the sender', () => {
    const changes: [string, string][] = [
      [payer, '-1000'],
      [other, '700'],
    ]
    const found = decoded({ gas: [200, 150, 50], changes, sponsor: other })
    expect(found.transaction).toMatchObject({ from: other, fee: 300n })
    expect(flows(found)).toEqual([
      ['native', payer, '', 1_000n],
      ['native', '', other, 1_000n],
    ])
  })

  test('that gives back more than it costs is returned rent', () => {
    const found = decoded({ gas: [100, 100, 500], changes: [[payer, '300']] })
    expect(found.transaction.fee).toBe(0n)
    expect(flows(found)).toEqual([['rent', '', payer, 300n]])
  })

  test('that is just what was received is not listed as a change', () => {
    const found = decoded({ gas: [200, 150, 50], changes: [[other, '-300']] })
    expect(flows(found)).toEqual([
      ['native', other, '', 300n],
      ['native', '', payer, 300n],
    ])
  })

  test('of a failed transaction is all that moves', () => {
    const found = decoded({ gas: [200, 0, 0], changes: [[payer, '-200']], status: 'FAILURE' })
    expect(found.transaction).toMatchObject({ from: payer, fee: 200n, success: false })
    expect(found.transfers).toEqual([])
  })
})
