import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { createHttpClient } from '../../activities/http.ts'
import { loadAssets } from '../../activities/nft/load-assets.ts'
import { createAlchemyNft } from '../../activities/nft/sources/alchemy-nft.ts'
import { startPriceWorld } from '../prices/price-world.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const { deps } = await startPriceWorld(database)
const key = { networkId: 'ethereum', address: `0x${'ab'.repeat(20)}` }

const following: Record<string, string> = { '': '0x2', '0x2': '0x3', '0x3': '0x2' }
const asked: string[] = []
const bad = { tokenId: '0x1' }
const server = createServer((request, response) => {
  const pageKey = new URL(request.url!, 'http://localhost').searchParams.get('pageKey') ?? ''
  asked.push(pageKey)
  const contract = { address: key.address, isSpam: null }
  const token = { contract, tokenId: String(asked.length), tokenType: 'ERC721', name: 'Round' }
  response.end(JSON.stringify({ nfts: [token, { ...bad, page: pageKey }], pageKey: following[pageKey] }))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const gate = { admit: async () => {}, succeeded: async () => {}, failed: async () => {} }
const http = createHttpClient({ gate, sources: { 'alchemy-nft': { url } }, random: () => 0 })
afterAll(async () => {
  await http.close()
  server.close()
})

test('rejects a cycle of pages, quarantines bad rows and restarts the token list', async () => {
  await query(
    database.ownerUrl,
    `insert into nft_collections (network_id, address, name, coin_id, source, fetched_at)
     values ($1, $2, 'Round', 'ethereum', 'test', now())`,
    [key.networkId, key.address],
  )
  const alchemy = createAlchemyNft({ http, url, key: 'alchemy-key' })
  await expect(loadAssets(deps, alchemy, key)).rejects.toThrow('a page points back to a page already read')
  expect(asked).toEqual(['', '0x2', '0x3'])
  const [stored] = await query(
    database.ownerUrl,
    `select assets_next, (select array_agg(token_id::text order by token_id) from nft_assets) as assets,
       (select array_agg(payload->>'page' order by payload->>'page') from quarantine where source = 'alchemy-nft') as quarantined
     from nft_collections`,
  )
  expect(stored).toEqual({ assets_next: null, assets: ['1', '2'], quarantined: ['', '0x2'] })
})
