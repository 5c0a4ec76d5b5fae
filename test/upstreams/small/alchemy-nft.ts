import { alchemyUnits } from '../../../activities/nft/area.ts'
import type { Asked, FakeClock, Reply } from '../double.ts'
import { createMeter } from '../meter.ts'
import { partsOf, type RuledDouble, startRuled } from '../prices/ruled.ts'

/** Section 2.1: throughput of these calls in a second, which is not what they cost in a month. */
const THROUGHPUT: Record<string, number> = { getContractMetadata: 10, getFloorPrice: 10 }
/** The one that is known. */
export const COLLECTION = `0x${'ab'.repeat(20)}`
const failed = (status: number, message: string): Reply => ({ status, body: { error: { message } } })

/** Section 5 and row 15: Alchemy's NFT API v3 by a free plan. The key is a part of the path. */
export function startAlchemyNft(options: { clock: FakeClock; key: string }): Promise<RuledDouble> {
  const { clock, key } = options
  const bucket = createMeter(clock, [{ name: 'throughput', most: 5_000, span: 10_000 }])
  const month = createMeter(clock, [{ name: 'month', most: 30_000_000, span: 'month' }])
  const methodOf = (asked: Asked) => partsOf(asked).at(-1) ?? ''
  return startRuled(
    [
      {
        row: 15,
        refuse: (asked) => (partsOf(asked)[0] === key ? null : failed(401, 'Must be authenticated!')),
      },
      {
        row: 15,
        refuse: (asked) =>
          month.take(key, alchemyUnits(methodOf(asked)))
            ? failed(403, 'Monthly capacity limit exceeded.')
            : null,
      },
      {
        row: 15,
        refuse: (asked) =>
          bucket.take(key, THROUGHPUT[methodOf(asked)] ?? 100)
            ? failed(429, 'Your app has exceeded its compute units per second capacity.')
            : null,
      },
    ],
    (asked) => answer(asked),
  )
}

/** A collection of 150 tokens without much that is known of it, and with a floor on one marketplace only. */
function answer(asked: Asked): Reply {
  const address = asked.query.get('contractAddress') ?? ''
  if (!/^0x[0-9a-f]{40}$/i.test(address)) return failed(400, 'Contract address is not a valid address')
  const none = { error: 'unable to fetch floor price' }
  const isKnown = address.toLowerCase() === COLLECTION
  switch (partsOf(asked).at(-1)) {
    case 'getContractMetadata':
      return {
        body: isKnown
          ? {
              address: COLLECTION,
              tokenType: 'ERC721',
              name: 'Rocks',
              openSeaMetadata: { collectionName: null },
            }
          : { address, tokenType: 'NOT_A_CONTRACT', name: null, openSeaMetadata: {} },
      }
    case 'getFloorPrice':
      // An error has status 200.
      return {
        body: isKnown
          ? { openSea: { floorPrice: 0.5, priceCurrency: 'ETH', error: null }, looksRare: none }
          : { openSea: none },
      }
    case 'getNFTsForContract': {
      const from = Number(asked.query.get('pageKey') ?? 0)
      const ids = Array.from({ length: Math.min(100, 150 - from) }, (_, i) => from + i)
      return {
        body: {
          nfts: ids.map((id) => ({
            contract: { address: COLLECTION, isSpam: null },
            tokenId: String(id),
            tokenType: 'ERC721',
            // Not read yet: no name, no picture, no document.
            ...(id % 2 === 0 && { name: `Rock ${id}`, image: {}, raw: { metadata: 'broken' } }),
          })),
          pageKey: from + 100 < 150 ? String(from + 100) : null,
        },
      }
    }
    default:
      return failed(404, 'Unsupported method')
  }
}
