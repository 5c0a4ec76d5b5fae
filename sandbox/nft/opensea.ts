import type { SandboxCollection } from './catalogue.ts'
import type { NftWorld } from './nft-world.ts'
import { salesFigures } from './sales-figures.ts'
import { collectionRow, contractRow, listingRow, nftRow, saleRow } from './opensea-rows.ts'
import { numberOf, ok, type Upstream, type UpstreamReply, type UpstreamRequest } from '../upstream.ts'

const networkOf: Record<string, string> = { ethereum: 'ethereum', base: 'base-wallet' }

const failed = (status: number, text: string): UpstreamReply => ({ status, body: { errors: [text] } })

/** One page of a list with an opaque cursor; the last page has none. */
function page<T>(
  { query }: UpstreamRequest,
  list: { name: string; items: readonly T[]; row: (item: T) => unknown; most: number },
): UpstreamReply {
  const limit = numberOf(query, 'limit', { or: 50, max: Infinity })
  if (limit < 1 || limit > list.most) return failed(400, `limit must be between 1 and ${list.most}`)
  const from = query.get('next') ? Number(Buffer.from(query.get('next')!, 'base64url').toString()) : 0
  if (!Number.isInteger(from)) return failed(400, 'Invalid cursor')
  const end = from + limit
  const next = end < list.items.length ? Buffer.from(String(end)).toString('base64url') : null
  return ok({ [list.name]: list.items.slice(from, end).map(list.row), next })
}

async function stats(world: NftWorld, one: SandboxCollection, now: number): Promise<UpstreamReply> {
  const { total, day, week, month } = await salesFigures(world, one, now)
  const count = (await world.tokenIds(one)).length
  const isOffered = (await world.listings(one, now)).length > 0
  const interval = (name: string, { volume, sales, diff, change }: typeof day) => ({
    interval: name,
    volume,
    volume_symbol: 'ETH',
    volume_diff: 0,
    volume_change: change,
    sales,
    sales_diff: diff,
    average_price: sales > 0 ? volume / sales : 0,
  })
  return ok({
    total: {
      volume: total.volume,
      volume_symbol: 'ETH',
      sales: total.sales,
      average_price: total.sales > 0 ? total.volume / total.sales : 0,
      num_owners: world.owners(one, count),
      market_cap: 0,
      floor_price: isOffered ? world.floorEth(one, now) : null,
      floor_price_symbol: isOffered ? 'ETH' : '',
    },
    intervals: [interval('one_day', day), interval('seven_day', week), interval('thirty_day', month)],
  })
}

async function ofCollection(
  world: NftWorld,
  one: SandboxCollection,
  request: UpstreamRequest,
): Promise<UpstreamReply> {
  const { path, now, query } = request
  const [first, , , fourth] = path
  if (first === 'collections') {
    if (path[2] === 'stats') return stats(world, one, now)
    return ok(collectionRow(one, { world, count: (await world.tokenIds(one)).length, isWhole: true }))
  }
  if (first === 'listings' && (fourth === 'best' || fourth === 'all')) {
    const items = await world.listings(one, now)
    return page(request, {
      name: 'listings',
      items,
      row: (item) => listingRow(one, item, { world, now }),
      most: 100,
    })
  }
  if (first === 'events') {
    const items = (await world.sales(one, numberOf(query, 'after', { or: 0, max: Infinity }), now)).reverse()
    return page(request, { name: 'asset_events', items, row: (item) => saleRow(one, item, world), most: 50 })
  }
  return failed(404, 'Not found')
}

/** OpenSea's API v2 on the NFT market of the sandbox. */
export function createOpenSea(world: NftWorld): Upstream {
  return async (request) => {
    const { path, headers, query } = request
    if (!headers['x-api-key']) return failed(401, 'Expected an API key in the header X-API-KEY')
    const [first, second, third, fourth, fifth, sixth] = path
    if (first === 'collections' && second === 'trending') {
      if (query.get('timeframe') !== 'one_day') return failed(400, 'Invalid timeframe')
      const figures = await Promise.all(
        world.collections
          .filter(({ trending }) => trending)
          .map(async (one) => ({ one, sold: (await salesFigures(world, one, request.now)).day.volume })),
      )
      const items = figures.sort((a, b) => b.sold - a.sold).map(({ one }) => one)
      const row = (one: SandboxCollection) =>
        collectionRow(one, { world, count: one.size ?? 0, isWhole: false })
      return page(request, { name: 'collections', items, row, most: 100 })
    }
    if (first === 'chain' && third === 'contract') {
      const one = world.byContract(networkOf[second ?? ''] ?? '', fourth ?? '')
      if (!one) return failed(404, `Contract ${fourth ?? ''} not found`)
      const ids = await world.tokenIds(one)
      if (fifth === undefined) return ok(contractRow(one, ids.length))
      if (fifth !== 'nfts') return failed(404, 'Not found')
      if (sixth === undefined)
        return page(request, { name: 'nfts', items: ids, row: (id) => nftRow(one, id, world), most: 200 })
      const id = ids.find((known) => String(known) === sixth)
      return id === undefined ? failed(404, 'NFT not found') : ok({ nft: nftRow(one, id, world) })
    }
    const slug = first === 'collections' ? second : second === 'collection' ? third : undefined
    const one = slug === undefined ? null : world.bySlug(slug)
    return one ? ofCollection(world, one, request) : failed(404, `Collection ${slug ?? ''} not found`)
  }
}
