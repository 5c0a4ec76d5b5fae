import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { SourceUnavailable } from '../../activities/errors.ts'
import {
  jettonBurn,
  jettonTransfer,
  movesOf,
  tonTransaction,
} from '../../activities/chain/sources/ton-transaction.ts'
import { createToncenter as createSource } from '../../activities/chain/sources/toncenter.ts'
import { NETWORKS } from '../../db/values/networks.ts'
import { tonAddress, isAddressOf, parseWalletAddress } from '../../db/values/wallet-address.ts'
import { createFaults } from '../../sandbox/faults.ts'
import { createSandboxServer } from '../../sandbox/server.ts'
import { friendly, rawOf, tonWallets, usdt, voucher } from '../../sandbox/ton/actors.ts'
import { createTonChain } from '../../sandbox/ton/ledger.ts'
import { createToncenter } from '../../sandbox/ton/toncenter.ts'
import type { Upstream, UpstreamRequest } from '../../sandbox/upstream.ts'
import { freeHttp } from './free-http.ts'
import { fullHistory } from './full-history.ts'
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

/** From api/v3/adjacentTransactions of TON Center on a test net, with the fields that are read. */
const recorded = {
  account: '0:5B6A643CF4E32FF0391C476456FED5BDB17EF10A55CBB7C2980C76D4AAD07875',
  hash: 'Jv81SPUJbodVgsHB+lo0/jEJDaidYQYivJDg+rz+ITA=',
  lt: '24264044000001',
  now: 1722422624,
  mc_block_seqno: 21586062,
  trace_id: 'Jv81SPUJbodVgsHB+lo0/jEJDaidYQYivJDg+rz+ITA=',
  total_fees: '2123803',
  description: { type: 'ord', aborted: false },
  in_msg: {
    hash: 'RhrVTJxVy89oSoONtxcjAemKpyWyYva5L7XmXPPdn20=',
    source: null,
    destination: '0:5B6A643CF4E32FF0391C476456FED5BDB17EF10A55CBB7C2980C76D4AAD07875',
    value: null,
    fwd_fee: null,
    ihr_fee: null,
  },
  out_msgs: [
    {
      hash: 'UOCirTmzfXVxvp2+H6lyCTJZjXTMNNLGye+c/w2TskQ=',
      source: '0:5B6A643CF4E32FF0391C476456FED5BDB17EF10A55CBB7C2980C76D4AAD07875',
      destination: '0:835767AEB969C3845872D4633FBBAFDF20F92F7CED1FAE0F79804AC09F332A19',
      value: '30000000',
      fwd_fee: '266669',
      ihr_fee: '0',
    },
  ],
}
const BEFORE = 17_301_017_743n
const AFTER = 17_268_627_271n

test('what a recorded transaction moves and costs is what its account has less after it', () => {
  const { account, out_msgs: sent } = recorded
  const { trace, moves } = movesOf(tonTransaction.parse(recorded))
  expect(trace).toBe('26ff3548f5096e875582c1c1fa5a34fe31090da89d610622bc90e0fabcfe2130')
  const [own, other] = [tonAddress(account), tonAddress(sent[0]!.destination)]
  expect(moves.map(({ kind, from, to, raw }) => [kind, from, to, raw])).toEqual([
    ['native', own, other, 30_000_000n],
    ['fee', own, '', 2_390_472n],
  ])
  expect(moves.reduce((sum, { raw }) => sum + raw, 0n)).toBe(BEFORE - AFTER)
})

test('a recorded transfer of a jetton is one between owners', () => {
  // From api/v3/jetton/transfers of TON Center.
  const row = {
    query_id: '6083770390912224534',
    source: '0:21D6615A74625CA8BEB3C7A5777978A1239EE8148B1DF18C7B8A8A3215523DA0',
    destination: '0:D8CA6DD04573304609A70EE5104A8D29090E1FC631B29A8E0411172AAA52885A',
    amount: '1000000000000',
    source_wallet: '0:0B4523C3A3BA59606082414C58EBAF79AFE15AF2144887BB10F341DCD7FC5042',
    jetton_master: '0:D3061B39DA35C0F52ECFDF1B92BC2A21818A9B92541D2502D0F7C03736577B40',
    transaction_hash: 's6/eLba2wuwZOnoqTgtpMbOb7lT2gdotmpwmIbMSsq8=',
    transaction_lt: '93307129000003',
    transaction_now: 1785330624,
    transaction_aborted: false,
    trace_id: 'HtbPMwKll14sNQmZrudwwTmAP278pIdP5DDkEVHpZL4=',
  }
  const { trace, now, moves } = jettonTransfer.parse(row)
  expect([trace.slice(0, 8), now]).toEqual(['1ed6cf33', 1785330624])
  const { source, destination, jetton_master: master } = row
  expect(moves).toMatchObject([
    {
      kind: 'issued',
      token: tonAddress(master),
      from: tonAddress(source),
      to: tonAddress(destination),
      raw: 1_000_000_000_000n,
    },
  ])
  const burned = jettonBurn.parse({ ...row, owner: source, trace_id: null })
  expect(burned.trace.slice(0, 6)).toBe('b3afde')
  expect(burned.moves).toMatchObject([{ from: tonAddress(source), to: '' }])
  const refused = { ...row, owner: source, transaction_aborted: true }
  expect([jettonTransfer, jettonBurn].flatMap((schema) => schema.parse(refused).moves)).toEqual([])
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
