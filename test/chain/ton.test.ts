import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { SourceUnavailable } from '../../activities/errors.ts'
import { createToncenter as createSource } from '../../activities/chain/sources/toncenter.ts'
import { NETWORKS } from '../../db/values/networks.ts'
import { tonAddress, isAddressOf, parseWalletAddress } from '../../db/values/wallet-address.ts'
import { createFaults } from '../../sandbox/faults.ts'
import { createSandboxServer } from '../../sandbox/server.ts'
import { friendly, rawOf, tonWallets, usdt, voucher } from '../../sandbox/ton/actors.ts'
import { createTonChain } from '../../sandbox/ton/ledger.ts'
import { createToncenter } from '../../sandbox/ton/toncenter.ts'
import { ok, type Upstream, type UpstreamRequest } from '../../sandbox/upstream.ts'
import { freeHttp } from './free-http.ts'
import { fullHistory } from './full-history.ts'
import { historyRequest } from './history-request.ts'
import { ANCHOR, market } from './other-chains.ts'

const chain = createTonChain({ market })
const { account: ACCOUNT, address: WALLET } = tonWallets[0]!
const SETTLED = ANCHOR - 30
const stops: (() => unknown)[] = []
afterAll(async () => {
  for (const stop of stops) await stop()
})

async function against(upstream: Upstream, atSeconds = ANCHOR) {
  const asked: UpstreamRequest[] = []
  const log: Upstream = (request) => {
    asked.push(request)
    return upstream(request)
  }
  const mounts = [{ base: '/toncenter', upstream: log }]
  const server = createSandboxServer({ mounts, faults: createFaults(), nowMs: () => atSeconds * 1_000 })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/toncenter`
  const http = freeHttp({ toncenter: { url } })
  stops.push(
    () => http.close(),
    () => (server.close(), server.closeAllConnections()),
  )
  return { source: createSource({ http, url, key: null }), asked }
}
const service = createToncenter(() => chain)

describe('an address', () => {
  // docs.ton.org, "TON cookbook", which lists one account in all of its forms.
  const forms = {
    raw: '0:ca6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a3e',
    bounceable: 'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF',
    plain: 'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA',
    alphabet: 'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff+W72r5gqPrHF',
  }

  test('has one canonical form for what apps show, and is one of TON alone', () => {
    const { raw, bounceable: address, plain, alphabet } = forms
    for (const text of [address, plain, alphabet])
      expect(parseWalletAddress(text)).toEqual({ kind: 'ton', address })
    expect(tonAddress(raw)).toBe(address)
    expect(NETWORKS.filter((one) => isAddressOf(one, address)).map(({ id }) => id)).toEqual(['ton'])
  })

  test('is refused with a wrong checksum, for a test net or in part', () => {
    const { bounceable } = forms
    for (const text of [
      bounceable.replace('DK', 'DL'),
      `k${bounceable.slice(1)}`,
      bounceable.slice(0, -1),
      `${bounceable}A`,
      // Of the same account on a test net.
      'kQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPgpP',
    ])
      expect(parseWalletAddress(text)).toBeNull()
  })

  test('of the simulator is made with a checksum of its own', () => {
    for (const { account, address, shown } of tonWallets) {
      expect(tonAddress(account)).toBe(address)
      expect(parseWalletAddress(shown)?.address).toBe(address)
      expect(rawOf(address)).toBe(account)
    }
    expect(friendly(usdt.master)).toBe(usdt.address)
  })
})

/**
 * Fields by answer, with what JSON has there, from the types of ton-index-go in toncenter/ton-indexer (eb9fbfa3,
 * Apache-2.0). `?`: it may be null or absent.
 */
const TYPES: Record<string, Record<string, string>> = {
  blocks: { workchain: 'number', shard: 'string', seqno: 'number', gen_utime: 'string', tx_count: 'number' },
  transactions: {
    account: 'string',
    hash: 'string',
    lt: 'string',
    now: 'number',
    mc_block_seqno: 'number',
    trace_id: 'string?',
    total_fees: 'string',
    description: 'object',
    in_msg: 'object?',
    out_msgs: 'object',
    emulated: 'boolean',
    finality: 'string',
  },
  jetton_transfers: {
    query_id: 'string',
    source: 'string',
    destination: 'string',
    amount: 'string',
    source_wallet: 'string',
    jetton_master: 'string',
    transaction_hash: 'string',
    transaction_lt: 'string',
    transaction_now: 'number',
    transaction_aborted: 'boolean',
    trace_id: 'string?',
  },
  jetton_burns: {
    owner: 'string',
    jetton_wallet: 'string',
    jetton_master: 'string',
    amount: 'string',
    transaction_hash: 'string',
    transaction_now: 'number',
    trace_id: 'string?',
  },
  jetton_wallets: { address: 'string', balance: 'string', owner: 'string', jetton: 'string' },
  jetton_masters: {
    address: 'string',
    total_supply: 'string',
    mintable: 'boolean',
    jetton_content: 'object',
  },
  accounts: { address: 'string', balance: 'string?', status: 'string?', last_transaction_lt: 'string?' },
}

test('answers of the simulator have the fields and types of the indexer', async () => {
  const seen = new Map<string, Record<string, unknown>[]>()
  const { source } = await against(async (request) => {
    const reply = await service(request)
    for (const [name, rows] of Object.entries(reply.body as Record<string, unknown>))
      if (name in TYPES) seen.set(name, [...(seen.get(name) ?? []), ...(rows as Record<string, unknown>[])])
    return reply
  })
  await fullHistory(source, WALLET)
  await source.readHoldings({ address: WALLET, contracts: [] })
  await source.readTokens([usdt.address, voucher.address])
  expect([...seen.keys()].sort()).toEqual(Object.keys(TYPES).sort())
  for (const [name, rows] of seen) {
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows)
      for (const [field, type] of Object.entries(TYPES[name]!)) {
        const value = row[field]
        if (value === null || value === undefined)
          expect([field, type]).toEqual([field, `${type.replace('?', '')}?`])
        else expect([field, typeof value]).toEqual([field, type.replace('?', '')])
      }
  }
})

test('all pages of all lists are read, and first transactions that they do not have are asked for by hash', async () => {
  const { source, asked } = await against(service)
  const { transactions, transfers } = await fullHistory(source, WALLET)
  const txs = chain.of(ACCOUNT).filter(({ now }) => now <= SETTLED)
  const moves = chain.movesOf(ACCOUNT).filter(({ now }) => now <= SETTLED)
  const pages = (list: string) =>
    asked.filter(({ path, query }) => path.slice(2).join('/') === list && query.has('offset')).length
  expect(txs.length).toBeGreaterThan(100)
  expect(pages('transactions')).toBe(Math.floor(txs.length / 100) + 1)
  expect(pages('jetton/transfers')).toBe(1)
  expect(pages('jetton/burns')).toBe(1)
  expect(asked.filter(({ query }) => query.has('hash')).length).toBeGreaterThan(0)
  const traces = new Set([...txs, ...moves].map(({ trace }) => Buffer.from(trace, 'base64').toString('hex')))
  expect(new Set(transactions.map(({ hash }) => hash))).toEqual(traces)
  const jettons = new Set(transfers.flatMap(({ kind, position }) => (kind === 'issued' ? [position] : [])))
  expect(jettons.size).toBe(moves.filter(({ aborted }) => !aborted).length)
})

test('a trace is the same for both of its wallets', async () => {
  const { source } = await against(service)
  const [one, other] = await Promise.all([
    fullHistory(source, WALLET),
    fullHistory(source, tonAddress(chain.of(ACCOUNT).find(({ in: { from } }) => from !== null)!.in.from!)),
  ])
  const byHash = new Map(one.transactions.map((tx) => [tx.hash, tx]))
  const shared = other.transactions.filter(({ hash }) => byHash.has(hash))
  expect(shared.length).toBeGreaterThan(0)
  for (const tx of shared) expect(tx).toEqual(byHash.get(tx.hash))
  const keyOf = ({ txHash, kind, position }: (typeof one.transfers)[number]) =>
    `${txHash} ${kind} ${position}`
  const known = new Map(one.transfers.map((row) => [keyOf(row), row]))
  const common = other.transfers.filter((row) => known.has(keyOf(row)))
  expect(common.length).toBeGreaterThan(0)
  for (const row of common) expect(row).toEqual(known.get(keyOf(row)))
})

test('balances are those of the block that is asked for, less what does not count yet', async () => {
  const { source } = await against(service)
  for (const days of [0, 100, 400]) {
    const headBlock = chain.newest(ANCHOR - days * 86_400)
    const settled = chain.timeOf(headBlock) - 30
    const found = await source.readBalances({
      address: WALLET,
      accounts: [],
      tokens: [usdt.address],
      headBlock,
    })
    expect([found.native, ...found.tokens]).toEqual([
      chain.native(ACCOUNT, settled),
      chain.held(ACCOUNT, settled).get(usdt.master) ?? 0n,
    ])
    expect(found.block).toMatchObject({ number: headBlock, atMs: chain.timeOf(headBlock) * 1_000 })
  }
})

test('balances wait for a jetton that may be on its way, and for lists that lag', async () => {
  const { now } = chain.movesOf(ACCOUNT).findLast((one) => one.now < ANCHOR && !one.aborted)!
  const readAt = async (seconds: number, upstream = service) => {
    const { source } = await against(upstream, seconds)
    const headBlock = chain.newest(seconds)
    return await source.readBalances({ address: WALLET, accounts: [], tokens: [], headBlock })
  }
  await expect(readAt(now + 10)).rejects.toThrow(SourceUnavailable)
  await expect(readAt(now + 60)).resolves.toMatchObject({ tokens: [] })
  // A refused payment, whose rest comes back after ten seconds.
  const own = chain.of(ACCOUNT)
  const last = own.findLast((one) => one.now < ANCHOR && one.in.bounced)!
  const lagging: Upstream = async (request) => {
    const reply = await service(request)
    const { transactions } = reply.body as { transactions?: { hash: string }[] }
    if (!transactions) return reply
    return { ...reply, body: { transactions: transactions.filter(({ hash }) => hash !== last.hash) } }
  }
  await expect(readAt(last.now + 10)).resolves.toMatchObject({ tokens: [] })
  await expect(readAt(last.now + 10, lagging)).rejects.toThrow('the wallet changed')
})

test('a block or a first transaction that the indexer lacks is asked for again later', async () => {
  const { source } = await against(service)
  const asked = { address: WALLET, accounts: [], tokens: [], headBlock: chain.newest(ANCHOR) + 5 }
  await expect(source.readBalances(asked)).rejects.toThrow('the indexer lags')
  const rootless: Upstream = async (request) =>
    request.query.has('hash') ? { status: 200, body: { transactions: [] } } : await service(request)
  await expect(fullHistory((await against(rootless)).source, WALLET)).rejects.toThrow(SourceUnavailable)
})

test('jettons are named by their masters, or by the indexer where a master names a page', async () => {
  const { source } = await against(service)
  const unknown = tonWallets[1]!.address
  expect(await source.readTokens([usdt.address, voucher.address, unknown])).toEqual([
    { address: usdt.address, symbol: 'USD₮', name: 'Tether USD', decimals: 6 },
    { address: voucher.address, symbol: 'VOUCHER', name: 'Claim at tonvoucher.example', decimals: 9 },
    { address: unknown, symbol: null, name: null, decimals: null },
  ])
})

describe('parts of the history', () => {
  const own = chain.of(ACCOUNT)
  const [head, middle] = [chain.newest(ANCHOR), own[Math.floor(own.length / 2)]!.block]
  const requestOf = (rest: { cursor: number; lookBack?: boolean; next?: string | null }) =>
    historyRequest({ address: WALLET, headBlock: head, ...rest })

  test.each([
    [
      'a minute before what counts at the cursor',
      { cursor: middle, lookBack: false },
      chain.timeOf(middle) - 90,
    ],
    ['ten minutes before it where lists lag', { cursor: middle, lookBack: true }, chain.timeOf(middle) - 630],
    ['the beginning where there is none', { cursor: -1, lookBack: true }, 0],
  ])('a part is asked for from %s to what counts at the head', async (_from, rest, from) => {
    const { source, asked } = await against(service)
    await source.readHistory(requestOf(rest))
    const { query } = asked.find((one) => one.query.has('offset'))!
    expect([query.get('start_utime'), query.get('end_utime')].map(Number)).toEqual([
      from,
      chain.timeOf(head) - 30,
    ])
  })

  test('the head is read through with the last page of the last list, no earlier', async () => {
    const { source, asked } = await against(service)
    const through: number[] = []
    for (let next: string | null | undefined = null; next !== undefined;) {
      const part = await source.readHistory(requestOf({ cursor: own[0]!.block, next }))
      through.push(part.through)
      next = part.next ?? undefined
    }
    expect(through.length).toBeGreaterThan(3)
    expect(through).toEqual([...through.slice(1).map(() => own[0]!.block), head])
    // The indexer has another name for the wallet in lists of jettons, and gives rows of everybody without it.
    for (const { path, query } of asked.filter((one) => one.query.has('offset')))
      expect(query.get(path[2] === 'transactions' ? 'account' : 'owner_address')).toBe(WALLET)
  })
})

test('what happened in the last second that counts at a block is in its balances', async () => {
  const { source } = await against(service)
  const blocks = chain
    .of(ACCOUNT)
    .filter(({ now }) => now < SETTLED - 60)
    .flatMap(({ now, block }) =>
      Array.from({ length: 60 }, (_, i) => block + i).filter((one) => chain.timeOf(one) === now + 30),
    )
  expect(blocks.length).toBeGreaterThan(0)
  for (const headBlock of blocks.slice(-3)) {
    const asked = { address: WALLET, accounts: [], tokens: [], headBlock }
    const { native } = await source.readBalances(asked)
    expect(native).toBe(chain.native(ACCOUNT, chain.timeOf(headBlock) - 30))
  }
})

test('all pages of jetton wallets are held, asked for without those that are empty', async () => {
  const master = (i: number) => `0:${i.toString(16).toUpperCase().padStart(64, '0')}`
  const all = Array.from({ length: 103 }, (_, i) => ({ jetton: master(i), balance: String(i + 1) }))
  const { source, asked } = await against((request) => {
    if (!request.path.includes('wallets')) return service(request)
    const [offset, limit] = ['offset', 'limit'].map((name) => Number(request.query.get(name)))
    return ok({ jetton_wallets: all.slice(offset, offset! + limit!) })
  })
  const { tokens } = (await source.readHoldings({ address: WALLET, contracts: [] }))!
  expect(tokens).toEqual(
    all.map(({ jetton, balance }) => ({ address: tonAddress(jetton), raw: BigInt(balance) })),
  )
  const pages = asked.filter(({ path }) => path.includes('wallets'))
  expect(pages.map(({ query }) => query.get('exclude_zero_balance'))).toEqual(['true', 'true'])
  // The code of a contract may take some 100 kB.
  expect(asked.find(({ path }) => path.includes('accountStates'))!.query.get('include_boc')).toBe('false')
})
