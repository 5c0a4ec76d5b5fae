import { expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { refusal } from '../setup/endpoint.ts'
import { query } from '../setup/query.ts'
import { insertWallet } from '../setup/wallet-factories.ts'

const database = await testDatabase()
const api = await startApi({ database, routes })
const { key } = await api.newAccount({ credits: 100_000 })
const LOWER = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
const CHECKSUM = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const synced = new Date('2026-03-01T00:00:00Z')
await insertWallet(api.owner, { address: LOWER, syncs: { ethereum: synced } })

const spent = async () =>
  (
    await query<{ n: string }>(database.ownerUrl, `select coalesce(sum(credits), 0) as n from ledger_entries`)
  )[0]!.n

test.each([LOWER, LOWER.toUpperCase().replace('0X', '0x'), CHECKSUM])(
  '%s is the same wallet',
  async (address) => {
    const response = await api.get(`/nft/wallet/${address}/assets`, key)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-data-as-of')).toBe(synced.toISOString())
    expect(await response.json()).toEqual({
      meta: { page: 1, limit: 20, itemCount: 0, pageCount: 0, hasPreviousPage: false, hasNextPage: false },
      data: [],
    })
  },
)

const badAddresses = [
  CHECKSUM.replace('dA6', 'da6'),
  LOWER.slice(2),
  LOWER.replace('0x', '0X'),
  LOWER.slice(0, -1),
  `${LOWER}0`,
  LOWER.replace('d8', 'g8'),
  ` ${LOWER}`,
  `${LOWER}\n`,
  'vitalik.eth',
  'vitalik🦄.eth',
  'bc1qrfr44n2j4czd5c9txwlnw0yj2h82x9566fglqj',
  '__proto__',
  '%00',
  "' or 1=1 --",
]
const paths = [
  (address: string) => `/nft/wallet/${address}/assets`,
  (address: string) => `/nft/collection/${address}`,
  (address: string) => `/nft/${address}/assets`,
  (address: string) => `/nft/${address}/asset/1`,
]

test('returns 404 for an invalid address in the path and charges nothing', async () => {
  const before = await spent()
  for (const pathOf of paths)
    for (const address of badAddresses) {
      const path = pathOf(address === '%00' ? address : encodeURIComponent(address))
      const [status, message] = await refusal(await api.get(path, key))
      // Longer segments match no route.
      const wanted = /^(Not Found|Invalid parameter: (address|collectionAddress))$/
      expect([path, status, message]).toEqual([path, 404, expect.stringMatching(wanted)])
    }
  expect(await spent()).toBe(before)
})

test('returns 400 for pages, limits and types that are out of range, misspelled or repeated', async () => {
  const bad = [
    'page=0',
    'page=-1',
    'page=1.5',
    'page=1e2',
    'page=0x10',
    'page=%205',
    'page=%2B5',
    'page=',
    'page=NaN',
    'page=2147483648',
    'page=9007199254740993',
    'page=1e30',
    'page=%EF%BC%95',
    'page=1&page=2',
    'limit=0',
    'limit=1001',
    'limit=x',
    'limit=1&limit=1',
  ]
  for (const query of bad) {
    const [status] = await refusal(await api.get(`/nft/wallet/${LOWER}/assets?${query}`, key))
    expect([query, status]).toEqual([query, 400])
    expect([query, (await api.get(`/nft/trending?${query}`, key)).status]).toEqual([query, 400])
  }
  expect((await api.get('/nft/trending?limit=1001', key)).status).toBe(400)
  for (const type of ['LISTED', ' listed', 'sold', '', 'listed,all', '__proto__'])
    expect((await api.get(`/nft/${LOWER}/assets?type=${encodeURIComponent(type)}`, key)).status).toBe(400)
  // Any page past the end is empty.
  const far = await api.get(`/nft/wallet/${LOWER}/assets?page=2147483647&limit=1000`, key)
  expect([far.status, ((await far.json()) as { data: unknown[] }).data]).toEqual([200, []])
  const trending = await api.get('/nft/trending?page=2147483647&limit=100', key)
  expect(trending.status).toBe(200)
})

test('returns an empty page past the last token of a collection, however far', async () => {
  const address = `0x${'c0'.repeat(20)}`
  await query(
    database.ownerUrl,
    `insert into nft_collections (network_id, address, name, coin_id, assets_count, source, fetched_at)
     values ('ethereum', $1, 'Far', 'ethereum', 1, 'test', now())`,
    [address],
  )
  for (const type of ['all', 'listed'])
    for (const page of [2, 2_147_484, 2_147_483_647]) {
      const far = await api.get(`/nft/${address}/assets?page=${page}&limit=1000&type=${type}`, key)
      expect([type, page, far.status]).toEqual([type, page, 200])
      expect(((await far.json()) as { data: unknown[] }).data).toEqual([])
    }
})

test('returns 404 for unknown contracts, unknown tokens and impossible token ids', async () => {
  for (const path of [`/nft/collection/${LOWER}`, `/nft/${LOWER}/assets`, `/nft/${LOWER}/asset/1`])
    expect(await refusal(await api.get(path, key))).toEqual([404, `NFT collection '${LOWER}' not found`])
  const most = (2n ** 256n - 1n).toString()
  expect((await api.get(`/nft/${LOWER}/asset/${most}`, key)).status).toBe(404)
  const noIds = [
    '-1',
    '01',
    '1.0',
    '1e3',
    '0x1',
    'abc',
    (2n ** 256n).toString(),
    '9'.repeat(5_000),
    '\0',
    ' ',
  ]
  for (const id of noIds) {
    const { status } = await api.get(`/nft/${LOWER}/asset/${encodeURIComponent(id)}`, key)
    expect([id.slice(0, 9), status]).toEqual([id.slice(0, 9), 404])
  }
  for (const path of [
    '/nft',
    '/nft/',
    '/nft/wallet',
    `/nft/wallet/${LOWER}`,
    `/nft/${LOWER}`,
    `/nft/${LOWER}/asset/`,
  ])
    expect([path, (await api.get(path, key)).status]).toEqual([path, 404])
})

test('returns 401 without a key', async () => {
  for (const path of [`/nft/wallet/${LOWER}/assets`, '/nft/trending', `/nft/collection/${LOWER}`])
    expect(await refusal(await api.get(path))).toEqual([401, 'Invalid API key'])
})
