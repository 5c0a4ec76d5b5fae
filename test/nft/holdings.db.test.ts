import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getWalletAssets } from '../../api/nft/get-wallet-assets.ts'
import { routes } from '../../api/routes.ts'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { undescribedTokens } from '../../db/nft/read-for-ingest.ts'
import { readHeldCollections, readHeldTokens } from '../../db/nft/read-wallet.ts'
import { storeMovedContracts } from '../../db/nft/write-collections.ts'
import { call, codeOf } from '../../sandbox/chain/calls.ts'
import { syncDirectly, testNetwork } from '../chain/sync-directly.ts'
import { branchOff, headOf, startChain, switchedNode } from '../chain/two-branches.ts'
import type { Anvil } from '../setup/anvil.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'

const SINGLE = '0x00000000000000000000000000000000000721aa'
const MULTIPLE = '0x00000000000000000000000000000000001155aa'
const WALLET = '0x00000000000000000000000000000000000000f1'
const OTHER = '0x00000000000000000000000000000000000000f2'
const MOST = 2n ** 256n - 1n

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const readonly = openReadonlyDb({ url: database.apiUrl, maxConnections: 1, applicationName: 'test' })
const api = await startApi({ database, routes })
const { key } = await api.newAccount()
const assets = endpoint(api, { route: getWalletAssets, key })
const nodes: Anvil[] = []
let first: Anvil
let node: Awaited<ReturnType<typeof switchedNode>>

beforeAll(async () => {
  first = await startChain()
  nodes.push(first)
  await first.call('anvil_setCode', SINGLE, codeOf('Nft'))
  await first.call('anvil_setCode', MULTIPLE, codeOf('MultiNft'))
  for (const who of [WALLET, OTHER]) await first.call('anvil_setBalance', who, '0x56bc75e2d63100000')
  node = await switchedNode(first)
})
afterAll(async () => {
  await Promise.all([close(), readonly.close(), node.stop(), ...nodes.map((one) => one.stop())])
})

/** Mines one block with these calls. */
async function mine(on: Anvil, calls: [from: string, to: string, data: string][]): Promise<void> {
  for (const [from, to, data] of calls)
    await on.call('eth_sendTransaction', { from, to, data, gas: '0x7a120' })
  const { timestamp } = await on.call('eth_getBlockByNumber', 'latest', false)
  await on.call('evm_mine', { timestamp: Number(timestamp) + 12 })
  const receipts = await on.call('eth_getBlockReceipts', 'latest')
  expect(receipts.map((one: any) => one.status)).toEqual(calls.map(() => '0x1'))
}

const gives = (from: string, to: string, id: bigint) => [from, SINGLE, call('Nft', 'transferFrom', [from, to, id])] as [string, string, string] // prettier-ignore
const mints = (to: string, id: bigint) =>
  [to, SINGLE, call('Nft', 'mint', [to, id])] as [string, string, string]
const copies = (to: string, id: bigint, count: bigint) =>
  [to, MULTIPLE, call('MultiNft', 'mint', [to, id, count])] as [string, string, string]
const batch = (from: string, to: string, ids: bigint[], counts: bigint[]) =>
  [from, MULTIPLE, call('MultiNft', 'safeBatchTransferFrom', [from, to, ids, counts, '0x'])] as [
    string,
    string,
    string,
  ]

async function expectHoldings(on: Anvil): Promise<void> {
  node.switchTo(on)
  const network = await testNetwork(pool, { networkId: 'ethereum', url: node.url, reorgDepth: 20 })
  await syncDirectly({ pool, network, address: WALLET })
  const expected: string[] = []
  for (const id of [1n, 2n, 3n, 4n, MOST]) {
    const owner = await on.call('eth_call', { to: SINGLE, data: call('Nft', 'ownerOf', [id]) }, 'latest')
    if (BigInt(owner) === BigInt(WALLET)) expected.push(`${SINGLE} ${id} 1`)
    const held = await on.call(
      'eth_call',
      { to: MULTIPLE, data: call('MultiNft', 'balanceOf', [WALLET, id]) },
      'latest',
    )
    if (BigInt(held) > 0n) expected.push(`${MULTIPLE} ${id} ${BigInt(held)}`)
  }
  const { body } = await assets(`/nft/wallet/${WALLET}/assets`)
  const told = body.data.flatMap((group: any) =>
    group.assets.map((one: any) => `${group.address} ${one.tokenId} ${one.count}`),
  )
  expect(told.sort()).toEqual(expected.sort())
}

describe('holdings on a real node', () => {
  test('Y17 equal what the contracts return: mints, gifts, batches, self-transfers, 256-bit ids and amounts', async () => {
    await mine(first, [mints(WALLET, 1n), mints(WALLET, 2n), mints(OTHER, 3n), copies(WALLET, 1n, 10n)])
    await expectHoldings(first)
    await mine(first, [gives(WALLET, WALLET, 1n), mints(WALLET, MOST), copies(WALLET, MOST, MOST)])
    await expectHoldings(first)
    await mine(first, [gives(WALLET, OTHER, 2n), gives(OTHER, WALLET, 3n)])
    await mine(first, [
      batch(WALLET, OTHER, [1n, MOST, 1n], [3n, MOST, 2n]),
      batch(WALLET, WALLET, [1n], [5n]),
    ])
    await expectHoldings(first)
  })

  test.each([1, 6])('follow a reorg of depth %i, and back', async (depth) => {
    for (let i = 0; i < depth; i++)
      await mine(first, [
        copies(WALLET, BigInt(i % 3) + 2n, BigInt(depth)),
        ...(i === 0 ? [gives(WALLET, OTHER, 1n)] : []),
      ])
    await expectHoldings(first)
    const second = await branchOff(first, (await headOf(first)) - depth)
    nodes.push(second)
    for (let i = 0; i <= depth; i++) await mine(second, [copies(WALLET, 4n, BigInt(100 + i))])
    await mine(second, [gives(WALLET, OTHER, 3n)])
    await expectHoldings(second)
    await mine(first, [gives(OTHER, WALLET, 1n)])
    await mine(first, [])
    await mine(first, [])
    await expectHoldings(first)
  })
})

test('holdings are the sum of any transfers in any order, without zero or negative entries', async () => {
  const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`
  const transfer = fc.record({
    from: fc.integer({ min: 0, max: 3 }),
    to: fc.integer({ min: 0, max: 3 }),
    token: fc.integer({ min: 50, max: 52 }),
    id: fc.bigInt({ min: 0n, max: 2n }),
    raw: fc.bigInt({ min: 0n, max: 2n ** 250n }),
  })
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(transfer, { maxLength: 40 }), async (transfers) => {
      run++
      // Each run has its own addresses.
      const who = (n: number) => address(run * 10 + n + 1_000_000)
      for (const [i, { from, to, token, id, raw }] of transfers.entries())
        await pool.query(
          `insert into transfers (network_id, tx_hash, kind, position, item, token_address, token_id, from_address,
             to_address, raw, block_number, block_hash, at, source, fetched_at)
           values ('base-wallet', $1, 'erc1155', $2, 0, $3, $4, $5, $6, $7, 1, '0x', now(), 'test', now())`,
          [`0x${run}`, i, address(token), id, who(from), who(to), raw],
        )
      const wallet = { address: who(1), networkIds: ['base-wallet'] }
      const sums = new Map<string, bigint>()
      for (const { from, to, token, id, raw } of transfers) {
        const of = `${address(token)} ${id}`
        sums.set(of, (sums.get(of) ?? 0n) + (to === 1 ? raw : 0n) - (from === 1 ? raw : 0n))
      }
      const expected = [...sums].filter(([, sum]) => sum > 0n).map(([of, sum]) => `${of} ${sum}`)
      const collections = await readHeldCollections(readonly.db, wallet)
      const tokens = await readHeldTokens(readonly.db, { ...wallet, collections })
      expect(tokens.map((one) => `${one.address} ${one.tokenId} ${one.copies}`).sort()).toEqual(
        expected.sort(),
      )
      expect(collections.reduce((sum, one) => sum + BigInt(one.copies), 0n)).toBe(
        tokens.reduce((sum, one) => sum + BigInt(one.copies), 0n),
      )
    }),
    { numRuns: 15 },
  )
})

// A wallet can sync while collections are read. Tokens described before their collection would not be counted
// in it.
test('moved tokens are described once their collection is known', async () => {
  const undescribed = () => undescribedTokens(db, { networkIds: ['ethereum'], at: new Date(), limit: 50 })
  expect(await undescribed()).toEqual([])
  await storeMovedContracts(db, { fetchedAt: new Date() })
  const addresses = (await undescribed()).map(({ address }) => address)
  expect([...new Set(addresses)]).toEqual([SINGLE, MULTIPLE])
})
