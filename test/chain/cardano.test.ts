import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { SourceRejected, SourceUnavailable } from '../../activities/errors.ts'
import type { ChainRange } from '../../activities/chain/chain-data.ts'
import { createKoios } from '../../activities/chain/sources/koios.ts'
import {
  decodeKoios,
  decodeRewards,
  koiosReward,
  koiosTransaction,
} from '../../activities/chain/sources/koios-transaction.ts'
import type { HistoryPart } from '../../activities/chain/wallet-source.ts'
import { cardanoWallets, hashOf, outsiders, picture, usdc } from '../../sandbox/cardano/actors.ts'
import { createKoios as createDouble } from '../../sandbox/cardano/koios.ts'
import {
  type CardanoChain,
  type CardanoTx,
  createCardanoChain,
  epochAt,
} from '../../sandbox/cardano/ledger.ts'
import { createFaults } from '../../sandbox/faults.ts'
import { createSandboxServer } from '../../sandbox/server.ts'
import type { Upstream, UpstreamRequest } from '../../sandbox/upstream.ts'
import { freeHttp } from './free-http.ts'
import { historyRequest } from './history-request.ts'
import { ANCHOR, market } from './other-chains.ts'

const chain = createCardanoChain({ market })
const stops: (() => unknown)[] = []
afterAll(async () => {
  for (const stop of stops) await stop()
})

async function against(upstream: Upstream, key: string | null = null) {
  const asked: UpstreamRequest[] = []
  const log: Upstream = (request) => (asked.push(request), upstream(request))
  const mounts = [{ base: '/koios', upstream: log }]
  const server = createSandboxServer({ mounts, faults: createFaults(), nowMs: () => ANCHOR * 1_000 })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/koios/api/v1`
  const http = freeHttp({ koios: { url } })
  stops.push(
    () => http.close(),
    () => (server.close(), server.closeAllConnections()),
  )
  return { source: createKoios({ http, url, key }), asked, url }
}

const STAKE = cardanoWallets[0]!.stake!
const [MINE, OTHER] = [cardanoWallets[0]!.addressAt(0), outsiders[1]!.addressAt(0)]
const utxo = (address: string, value: number, more: object = {}) => ({
  payment_addr: { bech32: address, cred: null },
  stake_addr: address === MINE ? STAKE : null,
  tx_hash: hashOf(`${address} ${value}`),
  tx_index: 0,
  value: String(value),
  asset_list: [],
  ...more,
})
const txOf = (facts: object) =>
  koiosTransaction.parse({
    tx_hash: hashOf('tx'),
    block_hash: hashOf('block'),
    block_height: 11_000_000,
    tx_timestamp: 1_700_000_000,
    tx_block_index: 4,
    fee: '170000',
    treasury_donation: '0',
    withdrawals: [],
    certificates: [],
    ...facts,
  })
const rowsOf = (facts: object) =>
  decodeKoios(txOf(facts)).transfers.map(({ kind, token, from, to, raw }) => [kind, token, from, to, raw])
const certificate = (type: string, info: object = { stake_address: STAKE }) => ({ index: 0, type, info })

describe('a transaction', () => {
  test('spends inputs and a withdrawal, in the order of what they are, whatever order they are told in', () => {
    const inputs = [utxo(MINE, 5_000_000), utxo(OTHER, 7_000_000), utxo(MINE, 1_000_000)]
    const drawn = [STAKE, cardanoWallets[1]!.stake!].map((one) => ({ amount: '500000', stake_addr: one }))
    const facts = {
      inputs,
      outputs: [utxo(MINE, 13_830_000, { tx_hash: hashOf('tx') })],
      withdrawals: drawn,
    }
    const { transaction } = decodeKoios(txOf(facts))
    expect(transaction).toMatchObject({ fee: 170_000n, value: 14_000_000n, index: 4, success: true })
    expect(transaction.atMs).toBe(1_700_000_000_000)
    const rows = rowsOf(facts)
    const [turnedInputs, turnedDrawn] = [inputs.toReversed(), drawn.toReversed()]
    expect(rowsOf({ ...facts, inputs: turnedInputs, withdrawals: turnedDrawn })).toEqual(rows)
    const spent = rows.filter(([kind]) => kind === 'input').slice(inputs.length)
    expect(spent).toEqual(
      expect.arrayContaining(drawn.map(({ stake_addr: from }) => ['input', null, from, '', 500_000n])),
    )
  })

  test('that registers a stake address locks its deposit, and one that ends that gives it back', () => {
    const registered = rowsOf({
      inputs: [utxo(MINE, 10_000_000)],
      outputs: [utxo(MINE, 7_830_000)],
      certificates: [certificate('stake_registration', { stake_address: STAKE, deposit: '2000000' })],
    })
    expect(registered).toEqual([
      ['input', null, MINE, '', 10_000_000n],
      ['output', null, '', MINE, 7_830_000n],
      ['output', null, '', STAKE, 2_000_000n],
      ['rent', null, STAKE, '', 2_000_000n],
    ])
    const ended = rowsOf({
      inputs: [utxo(MINE, 10_000_000)],
      outputs: [utxo(MINE, 11_830_000)],
      certificates: [certificate('stake_deregistration')],
    })
    expect(ended).toEqual([
      ['input', null, MINE, '', 10_000_000n],
      ['input', null, STAKE, '', 2_000_000n],
      ['output', null, '', MINE, 11_830_000n],
      ['rent', null, '', STAKE, 2_000_000n],
    ])
  })

  test('shares the refund of several stake addresses, and leaves deposits of all else to the payer', () => {
    const other = cardanoWallets[1]!.stake!
    const both = rowsOf({
      inputs: [utxo(MINE, 10_000_000)],
      outputs: [utxo(MINE, 13_830_000)],
      certificates: [STAKE, other].map((one) => certificate('stake_deregistration', { stake_address: one })),
    })
    expect(both.filter(([kind]) => kind === 'rent')).toEqual([
      ['rent', null, '', STAKE, 2_000_000n],
      ['rent', null, '', other, 2_000_000n],
    ])
    // A representative is registered with its deposit, a pool without; a donation is no deposit.
    const locked = rowsOf({
      inputs: [utxo(MINE, 2_000_000_000)],
      outputs: [utxo(MINE, 998_830_000)],
      treasury_donation: '1000000',
      certificates: [
        certificate('drep_registration', { drep_id: 'drep1', deposit: '500000000' }),
        certificate('pool_update', { pool_id_bech32: 'pool1', reward_addr: STAKE }),
      ],
    })
    expect(locked.filter(([kind]) => kind === 'rent')).toEqual([
      ['rent', null, MINE, '', 500_000_000n],
      ['rent', null, MINE, '', 500_000_000n],
    ])
  })

  test.each<[what: string, types: string[], change: bigint, rents: unknown[]]>([
    ['an untold deposit', ['stake_registration'], -2_000_000n, [[MINE, '', 2_000_000n]]],
    ['more than a refund', ['stake_deregistration', 'pool_update'], -9n, [[MINE, '', 9n]]],
    ['an untold refund', ['drep_deregistration'], 9n, [['', MINE, 9n]]],
    [
      'a rest',
      Array.from({ length: 2 }, () => 'stake_deregistration'),
      5n,
      [3n, 2n].map((raw) => ['', STAKE, raw]),
    ],
  ])('with %s is balanced to the last unit', (_what, types, change, rents) => {
    const rows = rowsOf({
      inputs: [utxo(MINE, 10_000_000)],
      outputs: [utxo(MINE, 9_830_000 + Number(change))],
      certificates: types.map((type) => certificate(type)),
    })
    expect(rows.filter(([kind]) => kind === 'rent').map((row) => row.slice(2))).toEqual(rents)
  })

  test('whose script failed loses the collateral that does not come back, and one that succeeded loses none', () => {
    const collateral = [utxo(MINE, 5_000_000)]
    const failed = rowsOf({
      valid_contract: false,
      fee: '500000',
      inputs: collateral,
      outputs: [utxo(MINE, 4_500_000)],
      collateral_inputs: [],
    })
    expect(failed).toEqual([
      ['input', null, MINE, '', 5_000_000n],
      ['output', null, '', MINE, 4_500_000n],
    ])
    const facts = { inputs: [utxo(OTHER, 3_000_000)], outputs: [utxo(OTHER, 2_830_000)] }
    expect(rowsOf({ ...facts, collateral_inputs: collateral })).toEqual(rowsOf(facts))
  })

  test('moves tokens by their unit, also those without a name, and counts who receives them', () => {
    const assetOf = (unit: string, quantity: string) => ({
      policy_id: unit.slice(0, 56),
      asset_name: unit.slice(56) || null,
      fingerprint: 'asset1',
      decimals: 0,
      quantity,
    })
    const nameless = usdc.policy
    const { transfers } = decodeKoios(
      txOf({
        inputs: [utxo(MINE, 5_000_000, { asset_list: [assetOf(usdc.unit, '9007199254740993')] })],
        outputs: [
          utxo(OTHER, 1_200_000, { asset_list: [assetOf(usdc.unit, '9007199254740990')] }),
          utxo(MINE, 3_630_000, {
            tx_index: 1,
            asset_list: [assetOf(usdc.unit, '3'), assetOf(picture.unit, '1'), assetOf(nameless, '7')],
          }),
        ],
      }),
    )
    const tokens = transfers.filter(({ kind }) => kind === 'issued')
    const found = tokens.map(({ token, from, to, raw, fanOut }) => [token, from || to, raw, fanOut])
    expect(found).toHaveLength(5)
    expect(found).toEqual(
      expect.arrayContaining([
        [usdc.unit, MINE, 9_007_199_254_740_993n, 2],
        [usdc.unit, OTHER, 9_007_199_254_740_990n, 2],
        [usdc.unit, MINE, 3n, 2],
        [picture.unit, MINE, 1n, 1],
        [nameless, MINE, 7n, 1],
      ]),
    )
  })
})

test('what an epoch credits is income of its first block, except deposits that come back', () => {
  const block = { number: 11_000_001, hash: hashOf('first'), parentHash: null, atMs: 1_700_000_000_000 }
  const types = ['member', 'leader', 'treasury', 'reserves', 'refund', 'proposal_refund']
  const rows = types.map((type, i) =>
    koiosReward.parse({
      earned_epoch: 398,
      spendable_epoch: 400,
      amount: `${i + 1}`,
      type,
      pool_id_bech32: null,
    }),
  )
  const { transaction, transfers } = decodeRewards(STAKE, block, rows)
  expect(transaction).toMatchObject({ hash: block.hash, blockHash: block.hash, from: '', fee: 0n, value: 0n })
  expect(transaction).toMatchObject({ success: true, atMs: block.atMs })
  expect(transfers.map(({ kind, to, raw }) => [kind, to, raw])).toEqual([
    ...[1n, 2n, 3n, 4n].map((raw) => ['reward', STAKE, raw]),
    ...[5n, 6n].map((raw) => ['rent', STAKE, raw]),
  ])
  expect(new Set(transfers.map(({ position }) => position)).size).toBe(6)
})

/** Reads all parts of a history, each after the other. */
async function historyOf(source: ReturnType<typeof createKoios>, address: string) {
  const { block } = await source.head()
  const range: ChainRange = { blocks: [], transactions: [], transfers: [] }
  const accounts: HistoryPart['accounts'][number][] = []
  let [cursor, parts] = [-1, 0]
  for (; cursor < block.number; parts++) {
    const asked = { address, accounts, cursor, headBlock: block.number, settled: 0, lookBack: false }
    const part = await source.readHistory(historyRequest(asked))
    accounts.push(...part.accounts)
    range.blocks.push(...part.range.blocks)
    range.transactions.push(...part.range.transactions)
    range.transfers.push(...part.range.transfers)
    expect(part.through).toBeGreaterThan(cursor)
    cursor = part.through
  }
  return { ...range, accounts, parts }
}

describe('the adapter against its double', () => {
  const { name } = cardanoWallets[0]!

  test('keeps to the size of bodies, which a token makes larger, and finds the addresses of the account', async () => {
    const free = await against(createDouble(() => chain))
    const paid = await against(
      createDouble(() => chain),
      'token',
    )
    const found = await historyOf(free.source, name)
    const rows = ({ transfers }: ChainRange) =>
      new Map(transfers.map((one) => [`${one.txHash} ${one.position}`, one]))
    expect(rows(await historyOf(paid.source, name))).toEqual(rows(found))
    expect(found.parts).toBeGreaterThan(1)
    const sizes = ({ asked }: typeof free) => asked.map((one) => Buffer.byteLength(one.bodyText))
    expect(Math.max(...sizes(free))).toBeLessThanOrEqual(1_000)
    expect(Math.max(...sizes(paid))).toBeGreaterThan(4_000)
    expect(Math.max(...sizes(paid))).toBeLessThanOrEqual(5_000)
    expect(paid.asked.every((one) => one.headers['authorization'] === 'Bearer token')).toBe(true)
    const used = chain
      .txs(chain.tipAt(ANCHOR))
      .flatMap(({ inputs, outputs }) => [...inputs, ...outputs])
      .filter(({ stake }) => stake === name)
    expect(new Set(found.accounts.map((one) => one.account))).toEqual(new Set(used.map((one) => one.address)))
  })

  test('goes on where a page of 1,000 rows ends inside a block', async () => {
    const address = cardanoWallets[2]!.name
    const many = Array.from({ length: 2_100 }, (_, i): CardanoTx => {
      const out = { tx: hashOf(`many ${i}`), index: 0, address, stake: null, value: 1_000_000n, assets: [] }
      const template = chain.txs(Infinity)[0]!
      return {
        ...template,
        hash: out.tx,
        block: chain.firstBlock + 1_000 + Math.floor(i / 7),
        outputs: [out],
      }
    })
    const byHash = new Map(many.map((tx) => [tx.hash, tx]))
    const busy: CardanoChain = { ...chain, txs: () => many, tx: (hash) => byHash.get(hash) }
    const { source } = await against(
      createDouble(() => busy),
      'token',
    )
    const { transactions } = await historyOf(source, address)
    expect(transactions.map(({ hash }) => hash).sort()).toEqual(many.map(({ hash }) => hash).sort())
  })

  test('waits if the service lags behind the head, or a reorg replaces the head during the read', async () => {
    let isForked = false
    const fork = createCardanoChain({ market, fork: { above: chain.tipAt(ANCHOR) - 5, delay: 1 } })
    const { source, asked } = await against((request) => {
      if (request.path.at(-1) === 'account_txs') isForked = true
      return createDouble(() => (isForked ? fork : chain))(request)
    })
    await expect(historyOf(source, name)).rejects.toBeInstanceOf(SourceUnavailable)
    expect(asked.length).toBeGreaterThan(3)
    const head = chain.tipAt(ANCHOR)
    const ahead = { address: name, accounts: [], tokens: [], headBlock: head + 5 }
    await expect(source.readBalances(ahead)).rejects.toThrow('the service lags')
  })

  test('reads balances of an older block by what happened since, also across an epoch', async () => {
    const { source } = await against(createDouble(() => chain))
    for (const days of [1, 12, 200]) {
      const headBlock = chain.tipAt(ANCHOR - days * 86_400)
      const unspent = chain.unspent(headBlock).filter(({ stake }) => stake === name)
      const credited = chain.credits(name).filter((one) => one.spendable <= epochAt(chain.timeOf(headBlock)))
      const drawn = chain
        .txs(headBlock)
        .flatMap(({ withdrawals }) => withdrawals.filter(([of]) => of === name))
      const sum = (all: readonly bigint[]) => all.reduce((total, one) => total + one, 0n)
      const { accounts } = await historyOf(source, name)
      const found = await source.readBalances({ address: name, accounts, tokens: [usdc.unit], headBlock })
      const [hash, atMs] = [chain.hashAt(headBlock), chain.timeOf(headBlock) * 1_000]
      expect(found.block).toMatchObject({ hash, atMs })
      expect(found.native).toBe(
        sum(unspent.map(({ value }) => value)) +
          sum(credited.map(({ raw }) => raw)) -
          sum(drawn.map(([, raw]) => raw)),
      )
      const tokens = unspent.flatMap(({ assets }) => assets.filter(([unit]) => unit === usdc.unit))
      expect(found.tokens).toEqual([sum(tokens.map(([, raw]) => raw))])
    }
  })

  const own = chain
    .txs(chain.tipAt(ANCHOR))
    .filter(({ inputs, outputs }) => [...inputs, ...outputs].some(({ stake }) => stake === name))
  const last = own.at(-1)!

  test.each([
    [false, 0],
    [true, 60],
  ])('a part begins after the cursor, where lists lag (%s) %i blocks earlier', async (lookBack, earlier) => {
    const { source } = await against(createDouble(() => chain))
    const headBlock = chain.tipAt(ANCHOR)
    const read = async (cursor: number) => {
      const asked = { address: name, cursor, headBlock, settled: 0, lookBack }
      const { range, fromBlock } = await source.readHistory(historyRequest(asked))
      const numbers = range.transactions.map(({ blockNumber }) => blockNumber)
      expect(fromBlock).toBe(Math.min(headBlock, ...numbers))
      return numbers.includes(last.block)
    }
    expect(await read(last.block + earlier - 1)).toBe(true)
    expect(await read(last.block + earlier)).toBe(false)
  })

  test('the balance at the block of a transaction includes it', async () => {
    const { source } = await against(createDouble(() => chain))
    expect(source.readsOldBalances).toBe(true)
    const nativeAt = async (headBlock: number) =>
      (await source.readBalances({ address: name, accounts: [], tokens: [], headBlock })).native
    expect(await nativeAt(last.block)).toBe(await nativeAt(chain.tipAt(ANCHOR)))
    expect(await nativeAt(last.block - 1)).not.toBe(await nativeAt(last.block))
  })

  test('asks about tokens in parts, and gives what the registry lacks no decimals', async () => {
    const { source } = await against(createDouble(() => chain))
    const unknown = Array.from({ length: 20 }, (_, i) => hashOf(`unknown ${i}`) + hashOf('name').slice(0, 56))
    const found = await source.readTokens([...unknown, usdc.unit, picture.unit])
    expect(found.slice(20)).toEqual([
      { address: usdc.unit, symbol: 'USDC', name: 'USD Coin', decimals: 6 },
      { address: picture.unit, symbol: 'SandboxPicture0042', name: 'SandboxPicture0042', decimals: 0 },
    ])
    expect(found.slice(0, 20).every(({ symbol, decimals }) => symbol === null && decimals === null)).toBe(
      true,
    )
  })

  test('an address that was never used holds nothing', async () => {
    const { source } = await against(createDouble(() => chain))
    for (const address of [
      'stake178phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gtcccycj5',
      'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8',
    ])
      expect(await source.readHoldings({ address, contracts: [] })).toMatchObject({ native: 0n, tokens: [] })
  })
})

describe('the double', () => {
  const call = async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const { url } = await against(createDouble(() => chain))
    const reply = await fetch(`${url}/${path}`, {
      method: body ? 'POST' : 'GET',
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: reply.status, range: reply.headers.get('content-range'), text: await reply.text() }
  }
  const hashes = (count: number) => Array.from({ length: count }, (_, i) => hashOf(`${i}`))

  test('refuses what Koios refuses: long bodies, unknown columns, functions and arguments, and broken text', async () => {
    expect((await call('tx_info', { _tx_hashes: hashes(15) })).status).toBe(413)
    const token = { authorization: 'Bearer token' }
    expect((await call('tx_info', { _tx_hashes: hashes(70) }, token)).status).toBe(200)
    expect((await call('tx_info', { _tx_hashes: hashes(80) }, token)).status).toBe(413)
    expect((await call('tip', undefined, { authorization: 'Basic token' })).status).toBe(401)
    expect((await call('tx_info', { hashes: hashes(1) })).status).toBe(404)
    expect((await call('nothing')).status).toBe(404)
    expect((await call('tx_info')).status).toBe(405)
    expect((await call('tx_info', { _tx_hashes: ['xyz'] })).status).toBe(400)
    expect((await call('account_info', { _stake_addresses: ['stake1nothing'] })).status).toBe(400)
    expect(JSON.parse((await call('tip?select=height')).text)).toMatchObject({ code: '42703' })
  })

  test('gives 1,000 rows at most, and says which', async () => {
    const { text, range } = await call('blocks?limit=5000')
    expect(JSON.parse(text)).toHaveLength(1_000)
    expect(range).toBe('0-999/*')
  })
})

test('a refusal that stays is not tried again', async () => {
  const refusal = { code: 'PGRST202', details: null, hint: null, message: 'Could not find the function' }
  const { source } = await against(() => ({ status: 404, body: refusal }))
  await expect(source.head()).rejects.toBeInstanceOf(SourceRejected)
})
