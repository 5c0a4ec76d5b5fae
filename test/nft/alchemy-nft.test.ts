import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createHttpClient } from '../../activities/http.ts'
import { createAlchemyNft } from '../../activities/nft/sources/alchemy-nft.ts'
import { fixtureOf } from '../../activities/record-fixture.ts'

const KEY = 'k3y-Of_an.account'
const penguins = '0xbd3531da5cf5857e7cfaa92426877b022e612cf8'
const contract = { networkId: 'ethereum', address: penguins }

let answer: (url: URL) => { status?: number; text: string }
const asked: string[] = []
const server = createServer((request: IncomingMessage, response) => {
  asked.push(request.url!)
  const { status = 200, text } = answer(new URL(request.url!, 'http://localhost'))
  response.writeHead(status, { 'content-type': 'application/json' }).end(text)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/nft/v3`

const told: string[] = []
const http = createHttpClient({
  gate: {
    admit: async () => {},
    succeeded: async () => {},
    failed: async ({ reason }) => void told.push(reason),
  },
  sources: { 'alchemy-nft': { url } },
  random: () => 0,
  record: async (exchanged) => void told.push(JSON.stringify(fixtureOf(exchanged))),
})
const alchemy = createAlchemyNft({ http, url, key: KEY })
afterAll(async () => {
  await http.close()
  server.close()
})
beforeEach(() => {
  asked.length = 0
  told.length = 0
})

const row = (tokenId: string, more: object = {}) => ({
  contract: { address: '0xBd3531dA5CF5857e7CfAA92426877b022e612cf8', isSpam: null, spamClassifications: [] },
  tokenId,
  tokenType: 'ERC721',
  name: `Pudgy Penguin #${tokenId}`,
  tokenUri: `ipfs://x/${tokenId}`,
  image: {
    cachedUrl: `https://nft-cdn.alchemy.com/eth-mainnet/${tokenId}`,
    pngUrl: null,
    originalUrl: 'ipfs://y',
  },
  raw: { metadata: { name: 'x', attributes: [{ trait_type: 'Head', value: 'Beanie' }] }, error: null },
  ...more,
})

test('reads tokens to the last page and keeps the key out of everything but the path', async () => {
  const second = `0x${'0'.repeat(63)}2`
  answer = ({ searchParams }) => ({
    text: JSON.stringify(
      searchParams.get('pageKey') === second
        ? { nfts: [row('2')] }
        : { nfts: [row('0'), row('1')], pageKey: second },
    ),
  })
  const first = await alchemy.nfts({ ...contract, next: null })
  expect(first.rows[0]).toEqual({
    tokenId: '0',
    standard: 'erc721',
    name: 'Pudgy Penguin #0',
    url: null,
    imageUrl: 'https://nft-cdn.alchemy.com/eth-mainnet/0',
    traits: [{ key: 'Head', kind: 'string', value: 'Beanie' }],
  })
  expect([first.rows.length, first.next]).toEqual([2, second])
  const last = await alchemy.nfts({ ...contract, next: first.next })
  expect([last.rows.map(({ tokenId }) => tokenId), last.next]).toEqual([['2'], null])
  expect(asked.every((target) => target.startsWith(`/nft/v3/${KEY}/getNFTsForContract?`))).toBe(true)
  expect(told[0]).toContain('/nft/v3/KEY/getNFTsForContract?')
  expect(told.join()).not.toContain(KEY)
})

test('an empty page ends the list; bad rows are quarantined as sent, odd metadata is accepted', async () => {
  answer = () => ({ text: '{"nfts":[],"pageKey":"0x1"}' })
  expect(await alchemy.nfts({ ...contract, next: null })).toMatchObject({ rows: [], next: null })
  const other = { address: `0x${'1'.repeat(40)}`, isSpam: false }
  const bad = [
    row('-1'),
    row('9'.repeat(78)),
    row('5', { tokenType: 'UNKNOWN' }),
    row('6', { contract: other }),
    null,
  ]
  const odd = [
    row('1', { raw: { metadata: 'not json', error: 'Malformed' }, image: null }),
    row('2', { raw: null }),
    row('3', { contract: { address: penguins, isSpam: true } }),
  ]
  answer = () => ({ text: JSON.stringify({ nfts: [...odd, ...bad] }) })
  const { rows, quarantined, isSpam } = await alchemy.nfts({ ...contract, next: null })
  expect(rows.map(({ tokenId, traits }) => [tokenId, traits.length])).toEqual([
    ['1', 0],
    ['2', 0],
    ['3', 1],
  ])
  expect(quarantined.map(({ payload }) => payload)).toEqual(bad)
  expect(isSpam).toBe(true)
})

test("prefers OpenSea's fields of a contract to its own; an unknown contract has only nulls", async () => {
  const openSeaMetadata = {
    floorPrice: 10.5,
    collectionName: 'Pudgy Penguins',
    collectionSlug: 'pudgypenguins',
    safelistRequestStatus: 'verified',
    imageUrl: 'https://i.seadn.io/p.png',
    description: '<b>Birds</b>',
    externalUrl: 'javascript:alert(1)',
    twitterUsername: 'pudgypenguins',
    discordUrl: 'https://discord.gg/p',
  }
  const whole = {
    address: penguins,
    name: 'PudgyPenguins',
    symbol: 'PPG',
    totalSupply: '8888',
    tokenType: 'ERC721',
  }
  answer = () => ({ text: JSON.stringify({ ...whole, openSeaMetadata }) })
  expect(await alchemy.contract(contract)).toEqual({
    standard: 'erc721',
    name: 'Pudgy Penguins',
    slug: 'pudgypenguins',
    description: 'Birds',
    imageUrl: 'https://i.seadn.io/p.png',
    bannerUrl: null,
    verified: true,
    totalSupply: '8888',
    urls: [
      { name: 'Discord', url: 'https://discord.gg/p' },
      { name: 'Twitter', url: 'https://twitter.com/pudgypenguins' },
    ],
  })
  answer = () => ({ text: JSON.stringify({ ...whole, totalSupply: '9'.repeat(77), openSeaMetadata: {} }) })
  expect(await alchemy.contract(contract)).toMatchObject({
    name: 'PudgyPenguins',
    slug: null,
    totalSupply: null,
  })
  answer = () => ({ text: JSON.stringify({ address: penguins, name: null, tokenType: 'NOT_A_CONTRACT' }) })
  expect(await alchemy.contract(contract)).toMatchObject({ standard: null, name: null, verified: null })
})

test("reads OpenSea's floor with its time and rejects an error or a negative price", async () => {
  const looksRare = { floorPrice: 3, priceCurrency: 'ETH', retrievedAt: '2026-05-01T00:00:00.000Z' }
  const openSea = {
    floorPrice: 4.6701,
    priceCurrency: 'ETH',
    retrievedAt: '2026-05-18T12:49:21.599Z',
    error: null,
  }
  answer = () => ({ text: JSON.stringify({ openSea, looksRare }) })
  const at = new Date(openSea.retrievedAt)
  expect(await alchemy.floorPrice(contract)).toEqual({ price: '4.6701', symbol: 'ETH', at })
  answer = () => ({ text: JSON.stringify({ openSea: { error: 'unable to fetch floor price' }, looksRare }) })
  await expect(alchemy.floorPrice(contract)).rejects.toThrow('no floor price: unable to fetch floor price')
  answer = () => ({ text: JSON.stringify({ openSea: { ...openSea, floorPrice: -1 }, looksRare }) })
  await expect(alchemy.floorPrice(contract)).rejects.toThrow('unexpected answer')
})

test('hides the key when a gateway repeats the URL in its error', async () => {
  answer = ({ pathname }) => ({ status: 404, text: `Cannot GET ${pathname}` })
  const failure = (await alchemy.floorPrice(contract).catch((error: unknown) => error)) as Error
  expect(failure.message).toBe('alchemy-nft: status 404: Cannot GET /nft/v3/KEY/getFloorPrice')
  expect(told).toHaveLength(2)
  expect(told.join()).not.toContain(KEY)
})

test('asks the host of each network, and none of a network that the NFT API lacks', async () => {
  const hosts = createAlchemyNft({ http, url: url.replace('/nft/', '/{network}/nft/'), key: KEY })
  answer = () => ({ text: JSON.stringify({ address: penguins, name: 'P', tokenType: 'ERC721' }) })
  for (const networkId of ['ethereum', 'binancesmartchain', 'polygon-wallet', 'gnosis-wallet'])
    expect(await hosts.contract({ ...contract, networkId })).toMatchObject({ name: 'P' })
  expect(asked.map((path) => path.split('/')[1])).toEqual([
    'eth-mainnet',
    'bnb-mainnet',
    'polygon-mainnet',
    'gnosis-mainnet',
  ])
  for (const networkId of ['ink-wallet', 'hyperevm-wallet', 'plasma-wallet', 'solana']) {
    expect(hosts.serves(networkId)).toBe(false)
    await expect(hosts.contract({ ...contract, networkId })).rejects.toThrow(`does not serve ${networkId}`)
  }
  await expect(hosts.floorPrice({ ...contract, networkId: 'polygon-wallet' })).rejects.toThrow(
    'it has no floor prices on polygon-wallet',
  )
  // An address of one host is that of Ethereum.
  expect(alchemy.serves('ethereum')).toBe(true)
  expect(alchemy.serves('polygon-wallet')).toBe(false)
  expect(asked).toHaveLength(4)
})
