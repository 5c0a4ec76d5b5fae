import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { SourceRejected } from '../../activities/errors.ts'
import { createHttpClient } from '../../activities/http.ts'
import { createCoinGeckoNfts } from '../../activities/nft/sources/coingecko.ts'
import { createOpenSea } from '../../activities/nft/sources/opensea.ts'
import { tokenMetadata } from '../../activities/nft/token-metadata.ts'
import type { Fixture } from '../../activities/record-fixture.ts'
import { realdata } from '../setup/realdata.ts'
import { startReplay } from '../setup/replay.ts'

const OPEN_GATE = { admit: async () => {}, succeeded: async () => {}, failed: async () => {} }

describe.skipIf(realdata === null)('adapters on recorded answers', async () => {
  if (realdata === null) return
  const read = (file: string) => readFileSync(join(realdata!, file), 'utf8')
  const examples = JSON.parse(read('coingecko-examples/demo-api-examples.json')) as Record<string, unknown>
  const v1 = 'blockatlas/mock/ext-api-data/opensea-api_api_v1_'
  const owner = '0x84E79D544B4b13bC3560069cfD56A9D5bbE7521d'
  const assets = read(`${v1}assets___collection_unstoppable-domains_limit_300_owner_${owner}.json`)
  const collections = read(`${v1}collections___asset_owner_${owner}_limit_1000.json`)
  const fixture = (source: string, path: string, text: string): Fixture => ({
    source,
    method: 'GET',
    path,
    status: 200,
    contentType: 'application/json',
    text,
  })
  const penguins = '0xbd3531da5cf5857e7cfaa92426877b022e612cf8'
  const record = examples['GET /nfts/{asset_platform_id}/contract/{contract_address}']
  const page = (list: string, rows: unknown[]) => JSON.stringify({ [list]: rows, next: null })
  const replay = await startReplay([
    fixture('coingecko', `/nfts/ethereum/contract/${penguins}`, JSON.stringify(record)),
    fixture('opensea', `/chain/ethereum/contract/${penguins}/nfts?limit=200`, assets),
    fixture(
      'opensea',
      '/collections/trending?timeframe=one_day&limit=100',
      page('collections', JSON.parse(collections)),
    ),
    fixture(
      'opensea',
      `/chain/base/contract/${penguins}/nfts?limit=200`,
      page('nfts', JSON.parse(assets).assets),
    ),
  ])
  const sources = { coingecko: { url: replay.url }, opensea: { url: replay.url } }
  const http = createHttpClient({ gate: OPEN_GATE, sources, random: () => 0 })
  const coingecko = createCoinGeckoNfts({ http, url: replay.url, key: null, now: () => new Date() })
  const opensea = createOpenSea({ http, url: replay.url, key: 'test' })
  afterAll(async () => {
    await http.close()
    replay.close()
  })

  test("reads every figure of CoinGecko's record exactly and returns null for an unlisted contract", async () => {
    expect(await coingecko.collection({ blockchain: 'ethereum', address: penguins })).toEqual({
      geckoId: 'pudgy-penguins',
      nativeCoin: 'ethereum',
      rank: 3,
      floorPrice: '4.67',
      floorPriceChange1d: '-0.6361858762952403',
      floorPriceChange7d: '-1.1974800093036855',
      marketCap: '41507',
      marketCapChange1d: '-0.6361858762952404',
      volume1d: '28.01',
      volumeChange1d: '-40.90698133583369',
      ownersCount: '5174',
      ownersChange1d: '-0.01932',
      totalSupply: '8888',
      sales1d: '6',
      averagePrice1d: '4.668316666666667',
    })
    expect(await coingecko.collection({ blockchain: 'ethereum', address: `0x${'9'.repeat(40)}` })).toBeNull()
  })

  test("quarantines every row of OpenSea's closed v1 as it was sent and guesses nothing", async () => {
    const rows = JSON.parse(collections) as unknown[]
    const trending = await opensea.trending()
    expect({ taken: trending.rows.length, quarantined: trending.quarantined.length }).toEqual({
      taken: 0,
      quarantined: 7,
    })
    expect(trending.quarantined.map(({ payload }) => payload)).toEqual(rows)
    const old = (JSON.parse(assets) as { assets: unknown[] }).assets
    const nfts = await opensea.nfts({ networkId: 'base-wallet', address: penguins, next: null })
    expect({ taken: nfts.rows.length, quarantined: nfts.quarantined.length }).toEqual({
      taken: 0,
      quarantined: old.length,
    })
    // The envelope of v1 differs as well.
    const answer = opensea.nfts({ networkId: 'ethereum', address: penguins, next: null })
    await expect(answer).rejects.toThrow(SourceRejected)
  })

  test('reads names, pictures and both forms of traits from metadata of real tokens', () => {
    const documentOf = (file: string) =>
      tokenMetadata.parse(
        (JSON.parse(read(`blockatlas/platform/ethereum/bounce/mocks/${file}.json`)) as { metadata: unknown })
          .metadata,
      )
    expect(documentOf('artwork_nft')).toEqual({
      name: 'Hungry',
      image:
        'https://d3ggs2vjn5heyw.cloudfront.net/static/nfts/artworks/d9dc679ec0614eb78b479aed21694305.jpg',
      traits: [
        { key: 'artist', kind: 'string', value: 'srnArt' },
        { key: 'public_profile_link', kind: 'string', value: 'https://twitter.com/srn_art?s=09' },
      ],
    })
    expect(documentOf('pancake_bunny')).toEqual({
      name: 'Swapsies',
      image: 'ipfs://QmXdHqg3nywpNJWDevJQPtkz93vpfoHcZWQovFz2nmtPf5/swapsies.png',
      traits: [{ key: 'bunnyId', kind: 'string', value: '0' }],
    })
  })
})
