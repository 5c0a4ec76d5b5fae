import { createDasApiDecorator, type DasApiAsset } from '@metaplex-foundation/digital-asset-standard-api'
import { publicKey, type RpcInterface } from '@metaplex-foundation/umi'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { SourceRejected, SourceUnavailable } from '../../activities/errors.ts'
import { ASSETS_PER_PAGE, createDas } from '../../activities/nft/sources/das.ts'
import { assetRow, type DigitalAsset } from '../../activities/nft/sources/das-rows.ts'
import { assetAddress, assetNumber } from '../../db/values/solana-asset.ts'
import { createFaults } from '../../sandbox/faults.ts'
import { createSandboxServer } from '../../sandbox/server.ts'
import { solanaWallets } from '../../sandbox/solana/actors.ts'
import { solanaAssets, solanaCollections } from '../../sandbox/solana/assets.ts'
import { createSolanaChain } from '../../sandbox/solana/chain.ts'
import { createSolana } from '../../sandbox/solana/solana.ts'
import { ok, type Upstream } from '../../sandbox/upstream.ts'
import { freeHttp } from '../chain/free-http.ts'
import { ANCHOR, market } from '../chain/other-chains.ts'

const [TRADER, HOLDER] = solanaWallets.map(({ address }) => address) as [string, string]
const [rafts, drops] = solanaCollections as [
  (typeof solanaCollections)[number],
  (typeof solanaCollections)[number],
]

interface Call {
  method: string
  params: Record<string, unknown>
}
const asked: Call[] = []
let change: (call: Call) => unknown = () => undefined
const chain = createSolanaChain({ market })
const node = createSolana(() => chain)
const upstream: Upstream = (request) => {
  const call = JSON.parse(request.bodyText) as Call
  asked.push(call)
  const body = change(call)
  return body === undefined ? node(request) : ok(body)
}
const server = createSandboxServer({
  mounts: [{ base: '/solana', upstream }],
  faults: createFaults(),
  nowMs: () => ANCHOR * 1_000,
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/solana`
const http = freeHttp({ solana: { url } })
const das = createDas({ http, url })
afterAll(async () => {
  await http.close()
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  asked.length = 0
  change = () => undefined
})

/** The vendor's client, which needs no more of a node than its calls. */
const sdk = createDasApiDecorator({
  async call(method: string, params: unknown) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
    if (error) throw new Error(error.message)
    return result
  },
} as unknown as RpcInterface)

async function everything(owner: string) {
  const rows = []
  let next: string | null = null
  do {
    const page: Awaited<ReturnType<typeof das.assetsOfOwner>> = await das.assetsOfOwner(owner, next)
    expect(page.quarantined).toEqual([])
    rows.push(...page.rows)
    next = page.next
  } while (next !== null)
  return rows
}

const factsOf = ({ owner, collection, token }: DigitalAsset) => ({
  owner,
  collection: collection?.address,
  isCompressed: token?.standard === 'compressed',
  token: token && {
    id: assetAddress(token.tokenId),
    name: token.name,
    traits: token.traits.map(({ key, value }) => ({ trait_type: key, value })),
  },
})

test("holds what Metaplex's client finds of each wallet, over all pages, in the form of its types", async () => {
  for (const { address } of solanaWallets) {
    const items: DasApiAsset[] = []
    for (let page = 1; items.length === (page - 1) * ASSETS_PER_PAGE; page++)
      items.push(
        ...(await sdk.getAssetsByOwner({ owner: publicKey(address), page, limit: ASSETS_PER_PAGE })).items,
      )
    const found = await everything(address)
    expect(found.map(({ id }) => id)).toEqual(items.map(({ id }) => id))
    expect(found.map(factsOf)).toEqual(
      items.map((item) => ({
        owner: item.ownership.owner,
        collection: item.grouping[0]?.group_value,
        isCompressed: item.compression.compressed,
        token: item.burnt
          ? null
          : {
              id: item.id,
              name: item.content.metadata.name,
              traits: item.content.metadata.attributes,
            },
      })),
    )
  }
  expect((await everything(HOLDER)).length).toBeGreaterThan(ASSETS_PER_PAGE)
})

test('has frozen and delegated tokens, and neither burnt ones nor unverified collections', async () => {
  const found = new Map((await everything(TRADER)).map((one) => [one.id, one]))
  const own = solanaAssets.filter(({ owner }) => owner === TRADER)
  for (const state of ['free', 'frozen', 'delegated', 'burnt'] as const)
    expect(own.filter((one) => one.state === state).length, state).toBeGreaterThan(1)
  for (const { id, state, collection, verified } of own) {
    expect(found.get(id)?.token === null).toBe(state === 'burnt')
    expect(found.get(id)?.collection?.address ?? null).toBe(verified ? collection!.address : null)
  }
})

test("lists a collection as Metaplex's client does, and describes it", async () => {
  const listed = await sdk.getAssetsByGroup({ groupKey: 'collection', groupValue: drops.address, page: 2 })
  const { rows, next } = await das.nfts({ networkId: 'solana', address: drops.address, next: '2' })
  expect(rows.map(({ tokenId }) => assetAddress(tokenId))).toEqual(listed.items.map(({ id }) => id))
  expect([rows.length, next]).toEqual([drops.size - ASSETS_PER_PAGE, null])
  const asset = await sdk.getAsset(publicKey(rafts.address))
  expect(await das.contract({ networkId: 'solana', address: rafts.address })).toMatchObject({
    name: asset.content.metadata.name,
    description: asset.content.metadata.description,
    urls: [{ name: 'Website', url: 'https://river.example/' }],
  })
})

test('the double refuses what the standard refuses', async () => {
  const owner = publicKey(TRADER)
  await expect(sdk.getAssetsByOwner({ owner, limit: ASSETS_PER_PAGE + 1 })).rejects.toThrow('Limit')
  await expect(sdk.getAssetsByOwner({ owner, page: 1, cursor: 'x' })).rejects.toThrow('Only one pagination')
  await expect(sdk.getAsset(publicKey(solanaWallets[2]!.address))).rejects.toThrow('Asset Not Found')
  expect((await sdk.getAssetsByOwner({ owner, displayOptions: { showFungible: true } })).items.at(-1)).toMatchObject({ interface: 'FungibleToken' }) // prettier-ignore
})

test('a node that gives fewer on a page than asked for says so, and is read to its end', async () => {
  const { items } = await sdk.getAssetsByOwner({ owner: publicKey(HOLDER), page: 1, limit: 5 })
  change = ({ params }) => {
    const at = (Number(params['page']) - 1) * 2
    const result = { total: 2, limit: 2, page: params['page'], items: items.slice(at, at + 2) }
    return { jsonrpc: '2.0', id: 1, result }
  }
  expect((await everything(HOLDER)).map(({ id }) => id)).toEqual(items.map(({ id }) => String(id)))
  expect(asked.filter(({ method }) => method === 'getAssetsByOwner')).toHaveLength(1 + 3)
})

test('fungible tokens, collections and unknown mints in a list are no NFTs', async () => {
  const [one] = (await sdk.getAssetsByOwner({ owner: publicKey(TRADER), limit: 1 })).items
  const kinds = ['FungibleToken', 'FungibleAsset', 'Custom', 'Identity', 'Executable', 'MplCoreCollection']
  for (const kind of kinds)
    expect([kind, assetRow.parse({ ...one, interface: kind }).token]).toEqual([kind, null])
  const content = {
    ...one!.content,
    metadata: { ...one!.content.metadata, token_standard: 'Fungible' },
  }
  expect(assetRow.parse({ ...one, interface: 'V1_NFT', content }).token).toBeNull()
  // Indexers with older data say nothing of compression and groups.
  const { compression: _compression, grouping: _grouping, ...rest } = one!
  expect(assetRow.parse({ ...rest, burnt: false })).toMatchObject({
    collection: null,
    token: { standard: 'core' },
  })
})

test('a bad row goes to quarantine, whole, and the others are read', async () => {
  const { items } = await sdk.getAssetsByOwner({ owner: publicKey(TRADER), limit: 2 })
  const bad = { ...items[1], id: 'no account' }
  change = () => ({ jsonrpc: '2.0', id: 1, result: { total: 2, limit: 1_000, items: [items[0], bad] } })
  const { rows, quarantined } = await das.assetsOfOwner(TRADER, null)
  expect(rows.map(({ id }) => id)).toEqual([items[0]!.id])
  expect(quarantined).toMatchObject([{ reason: 'id: not an account', payload: bad }])
})

test('a node without the standard refuses, a busy one is asked later', async () => {
  const error = (code: number, message: string) => ({ jsonrpc: '2.0', id: 1, error: { code, message } })
  change = () => error(-32601, 'Method not found')
  await expect(das.assetsOfOwner(TRADER, null)).rejects.toThrow(SourceRejected)
  change = () => error(429, 'Too many requests for a specific RPC call')
  await expect(das.assetsOfOwner(TRADER, null)).rejects.toThrow(SourceUnavailable)
})

test('accounts are numbers of 256 bits, both ways, also with leading zeros', () => {
  const [least, most] = ['11111111111111111111111111111111', 'JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG']
  for (const address of [least!, most!, ...solanaAssets.slice(0, 50).map(({ id }) => id)])
    expect(assetAddress(assetNumber(address))).toBe(address)
  expect([assetNumber(least!), assetNumber(most!)]).toEqual(['0', String(2n ** 256n - 1n)])
})
