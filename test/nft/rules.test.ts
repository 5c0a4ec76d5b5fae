import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { convertAmount, paymentCoin, unitAmount } from '../../activities/nft/convert-payment.ts'
import { marketPoint } from '../../activities/nft/market-point.ts'
import { ipfsPath, pictureUrl } from '../../activities/nft/media-url.ts'
import type { CollectionStats } from '../../activities/nft/nft-data.ts'
import { plainText } from '../../activities/plain-text.ts'
import { documentIn } from '../../activities/nft/read-metadata.ts'
import { collectionRow, listingRow, nftRow, statsRow } from '../../activities/nft/sources/opensea-rows.ts'

const GATEWAY = 'https://gateway.example'
const contract = `0x${'a'.repeat(40)}`

describe('picture URLs', () => {
  test.each([
    ['ipfs://bafy/1.png', `${GATEWAY}/ipfs/bafy/1.png`],
    ['ipfs://ipfs/Qm12/a.png', `${GATEWAY}/ipfs/Qm12/a.png`],
    // Our gateway replaces any other.
    ['https://gateway.pinata.cloud/ipfs/Qm12', `${GATEWAY}/ipfs/Qm12`],
    ['https://pictures.example/1.png', 'https://pictures.example/1.png'],
    ['data:image/svg+xml;base64,PHN2Zy8+', 'data:image/svg+xml;base64,PHN2Zy8+'],
    ['data:text/html,<script>', null],
    ['javascript:alert(1)', null],
    ['ipfs://bafy/../../secret', null],
    ['', null],
  ])('resolves %s', (uri, expected) => {
    expect(pictureUrl(uri, GATEWAY)).toBe(expected)
  })

  test('IPFS paths stay on the gateway, whatever a contract returns', () => {
    fc.assert(
      fc.property(fc.webUrl(), fc.string(), (url, text) => {
        for (const uri of [url, text, `ipfs://${text}`, `ipfs://Qm${text}`]) {
          const path = ipfsPath(uri)
          if (path !== null)
            expect(new URL(`${GATEWAY}/ipfs/${path}`).href).toMatch(/^https:\/\/gateway\.example\/ipfs\//)
        }
      }),
    )
  })
})

test.each([
  ['data:application/json,{"name":"100% Tide"}', '100% Tide'],
  [`data:application/json;base64,${Buffer.from('{"name":"Ünïcode"}').toString('base64')}`, 'Ünïcode'],
  ['data:application/json;charset=utf-8,%7B%22name%22%3A%22escaped%22%7D', 'escaped'],
  ['data:application/json,{"name":', undefined],
  ['data:image/png;base64,AAAA', undefined],
  ['data:application/json,[1,2]', undefined],
])('reads the document in %s', (uri, name) => {
  expect(documentIn(uri)?.name).toBe(name)
})

test('plainText removes only markup and control characters', () => {
  expect(plainText('<h3>What</h3>\n\n<p>A &amp; B</p>', 100)).toBe('What\nA & B')
  expect(plainText('<script>alert(1)</script>ok\u0000\u202e', 100)).toBe('ok')
  expect(plainText('  ', 10)).toBeNull()
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const plain = plainText(text, 50) ?? ''
      expect(plain.length).toBeLessThanOrEqual(50)
      expect(plain).not.toMatch(/[<>\0]/)
      expect(plain.isWellFormed()).toBe(true)
    }),
  )
})

const stats = (given: object): CollectionStats =>
  statsRow.parse({
    total: { volume: 12, sales: 4, num_owners: 3, floor_price: 30, floor_price_symbol: 'USDG', ...given },
    intervals: [{ interval: 'one_day', volume: 2, sales: 2, volume_change: -0.25 }],
  })
const collection = {
  slug: 'x',
  blockchain: 'ethereum',
  nativeSymbol: 'ETH',
  nativeCoinId: 'ethereum',
  coinId: 'ethereum',
  currencies: { USDG: 'global-dollar' },
  assetsNext: null,
  newestSaleAt: null,
}

describe('figures of a collection', () => {
  test('converts floor and volume from different currencies to the main currency', () => {
    const quotes = new Map([
      ['ethereum', '2000'],
      ['global-dollar', '1'],
    ])
    expect(marketPoint(stats({}), { collection, quotes })).toMatchObject({
      floor_price: '0.015',
      volume_total: '12',
      average_price: '3',
      sales_total: '4',
      volume_1d: '2',
      average_price_1d: '1',
      volume_change_1d: '-25',
      volume_7d: null,
    })
  })

  test('returns null for an unlisted symbol or an unpriced coin instead of guessing', () => {
    const quotes = new Map([['ethereum', '2000']])
    expect(marketPoint(stats({}), { collection, quotes }).floor_price).toBeNull()
    const named = marketPoint(stats({ floor_price_symbol: 'FAKE' }), { collection, quotes })
    expect(named.floor_price).toBeNull()
    expect(
      marketPoint(stats({ floor_price: 0, floor_price_symbol: '' }), { collection, quotes }).floor_price,
    ).toBeNull()
  })

  test('divides a payment for several tokens exactly, without losing a digit', () => {
    const payment = {
      token: contract,
      decimals: 18,
      raw: '115792089237316195423570985008687907853269984665640564039457',
    }
    expect(unitAmount({ payment, quantity: '1' })).toBe(
      '115792089237316195423570985008687907853269.984665640564039457',
    )
    expect(unitAmount({ payment: { ...payment, raw: '3000000', decimals: 6 }, quantity: '4' })).toBe('0.75')
    expect(paymentCoin(payment, { nativeCoinId: 'ethereum', coins: new Map() })).toBeNull()
    expect(
      convertAmount('5', { from: null, to: 'ethereum', quotes: new Map([['ethereum', '2']]) }),
    ).toBeNull()
    expect(
      convertAmount('5', {
        from: 'x',
        to: 'ethereum',
        quotes: new Map([
          ['x', '1'],
          ['ethereum', '0'],
        ]),
      }),
    ).toBeNull()
  })
})

describe("OpenSea's rows", () => {
  const base = { identifier: '7', contract, token_standard: 'erc721', traits: null }

  test('accepts token ids up to 2^256 - 1 and strips leading zeros', () => {
    const most = (2n ** 256n - 1n).toString()
    expect(nftRow.parse({ ...base, identifier: most }).tokenId).toBe(most)
    expect(nftRow.parse({ ...base, identifier: '007' }).tokenId).toBe('7')
    for (const identifier of ['-1', '1.5', '1e3', '0x10', (2n ** 256n).toString(), '', null])
      expect(nftRow.safeParse({ ...base, identifier }).success, String(identifier)).toBe(false)
  })

  test('drops invalid traits and keeps the token', () => {
    const traits = [
      { trait_type: 'A', value: 'x' },
      { trait_type: 'B', value: 3 },
      { trait_type: 'C', value: {} },
      { value: 1 },
    ]
    expect(nftRow.parse({ ...base, traits }).traits).toEqual([
      { key: 'A', kind: 'string', value: 'x' },
      { key: 'B', kind: 'number', value: '3' },
    ])
  })

  test("reads creator fees in percent without the marketplace's own, and drops an invalid date", () => {
    const fees = [
      { fee: 1, recipient: '0x0000A26b00c1F0DF003000390027140000fAa719' },
      { fee: 2.5, recipient: contract },
    ]
    const row = {
      collection: 'x',
      name: '<b>X</b>',
      is_disabled: false,
      is_nsfw: false,
      fees,
      created_date: '0001-01-01',
      contracts: [
        { address: contract, chain: 'polygon' },
        { address: 'So1ana', chain: 'solana' },
      ],
    }
    expect(collectionRow.parse(row)).toMatchObject({
      name: 'X',
      creatorFeeBps: 250,
      createdAt: null,
      contracts: [{ networkId: 'polygon-wallet', address: contract }],
    })
  })

  test('does not accept a bundle, which has no price per token', () => {
    const item = { itemType: 2, token: contract, identifierOrCriteria: '1', startAmount: '1' }
    const listing = (offer: unknown[]) => ({
      order_hash: `0x${'1'.repeat(64)}`,
      price: { current: { decimals: 18, value: '1000000000000000000' } },
      protocol_data: {
        parameters: {
          offerer: contract,
          offer,
          consideration: [{ itemType: 0, token: contract }],
          endTime: '1893456000',
        },
      },
    })
    expect(listingRow.parse(listing([item]))).toMatchObject({ tokenId: '1', quantity: '1' })
    expect(listingRow.safeParse(listing([item, item])).success).toBe(false)
    expect(listingRow.safeParse(listing([])).success).toBe(false)
  })
})
