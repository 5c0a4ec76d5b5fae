import { type SolanaCollection, solanaCollections } from '../solana/assets.ts'
import type { SandboxCollection } from './catalogue.ts'
import type { NftWorld } from './nft-world.ts'
import { salesFigures } from './sales-figures.ts'
import { numberOf, ok, type Upstream, type UpstreamReply } from '../upstream.ts'

const day = 86_400
const notFound: UpstreamReply = { status: 404, body: { error: 'coin not found' } }
const platformOf = ({ network }: SandboxCollection): string => (network === 'ethereum' ? 'ethereum' : 'base')

/** What a record says of a collection, in its native currency. */
interface Facts {
  geckoId: string | null
  address: string
  platform: string
  name: string
  symbol: string
  description: string
  currency: { id: string; symbol: string }
  rank: number
  floorAt: (at: number) => number
  count: number
  owners: number
  sold: { volume: number; sales: number; change: number }
}

async function factsOf(world: NftWorld, one: SandboxCollection, now: number): Promise<Facts> {
  const listed = world.collections.filter(({ geckoId }) => geckoId !== null)
  const count = (await world.tokenIds(one)).length
  const capOf = async (other: SandboxCollection) =>
    world.floorEth(other, now) * (await world.tokenIds(other)).length
  const caps = await Promise.all(listed.map(capOf))
  const cap = await capOf(one)
  const { geckoId, address, name, symbol, description } = one
  return {
    geckoId,
    address,
    name,
    symbol,
    description,
    platform: platformOf(one),
    currency: { id: 'ethereum', symbol: 'ETH' },
    rank: 1 + caps.filter((other) => other > cap).length,
    floorAt: (at) => world.floorEth(one, at),
    count,
    owners: world.owners(one, count),
    sold: (await salesFigures(world, one, now)).day,
  }
}

/** After those of EVM networks. Its floor does not move, and nothing is sold. */
function factsOnSolana(world: NftWorld, one: SolanaCollection): Facts {
  const { geckoId, address, name, symbol, floor, size } = one
  return {
    geckoId,
    address,
    name,
    symbol,
    description: `${name} on the river.`,
    platform: 'solana',
    currency: { id: 'solana', symbol: 'SOL' },
    rank: world.collections.length + 1,
    floorAt: () => floor,
    count: size,
    owners: Math.ceil(size / 2),
    sold: { volume: 0, sales: 0, change: 0 },
  }
}

function record(world: NftWorld, facts: Facts, now: number) {
  const { geckoId, address, platform, name, symbol, currency, rank, floorAt, count, owners, sold } = facts
  const floorChange = (days: number): number => (floorAt(now) / floorAt(now - days * day) - 1) * 100
  const coinUsd = (at: number): number => world.market.priceUsd(currency.id, at)!
  const pair = (amount: number) => ({ native_currency: amount, usd: amount * coinUsd(now) })
  const changes = (percent: number, days: number) => ({
    native_currency: percent,
    usd: ((1 + percent / 100) * (coinUsd(now) / coinUsd(now - days * day)) - 1) * 100,
  })
  const slug = name.toLowerCase().replaceAll(' ', '-')
  const image = `https://coin-images.coingecko.example/nft_contracts/images/${slug}.png`
  return {
    id: geckoId,
    web_slug: geckoId,
    contract_address: address,
    asset_platform_id: platform,
    name,
    symbol,
    image: { small: image, small_2x: image },
    banner_image: image,
    description: `<p>${facts.description}</p>`,
    native_currency: currency.id,
    native_currency_symbol: currency.symbol,
    market_cap_rank: rank,
    floor_price: pair(floorAt(now)),
    market_cap: pair(floorAt(now) * count),
    volume_24h: pair(sold.volume),
    floor_price_in_usd_24h_percentage_change: changes(floorChange(1), 1).usd,
    floor_price_24h_percentage_change: changes(floorChange(1), 1),
    market_cap_24h_percentage_change: changes(floorChange(1), 1),
    volume_24h_percentage_change: changes(sold.change * 100, 1),
    number_of_unique_addresses: owners,
    number_of_unique_addresses_24h_percentage_change: 0.8,
    volume_in_usd_24h_percentage_change: changes(sold.change * 100, 1).usd,
    total_supply: count,
    one_day_sales: sold.sales,
    one_day_sales_24h_percentage_change: 0,
    one_day_average_sale_price: sold.sales > 0 ? sold.volume / sold.sales : null,
    links: { homepage: `https://${slug}.example`, twitter: '', discord: '' },
    floor_price_7d_percentage_change: changes(floorChange(7), 7),
    explorers: [],
    user_favorites_count: 0,
  }
}

/** Days of history before the sandbox's first day. */
const historyDays = 400

/** Floors, caps and volumes: daily at 00:00 UTC from 15 days on and each five minutes below, and of this moment. */
function chart(world: NftWorld, facts: Facts, { days, now }: { days: string | null; now: number }) {
  const count = days === 'max' ? historyDays : Number(days)
  if (!Number.isInteger(count) || count < 1) return { status: 400, body: { error: 'invalid days' } }
  const step = count > 14 ? day : 300
  const times = [now]
  for (let at = Math.floor(now / step) * step; at > now - count * day; at -= step) times.unshift(at)
  const series = (value: (at: number) => number) => times.map((at) => [at * 1_000, value(at)])
  const coinUsd = (at: number): number => world.market.priceUsd(facts.currency.id, at) ?? 0
  const { floorAt, count: size } = facts
  return ok({
    floor_price_usd: series((at) => floorAt(at) * coinUsd(at)),
    floor_price_native: series(floorAt),
    h24_volume_usd: series(() => 0),
    h24_volume_native: series(() => 0),
    market_cap_usd: series((at) => floorAt(at) * size * coinUsd(at)),
    market_cap_native: series((at) => floorAt(at) * size),
  })
}

/**
 * CoinGecko's endpoints under /nfts: list, {id}, {id}/market_chart for paid plans, and
 * {platform}/contract/{address}, which has none of Solana.
 */
export function createCoinGeckoNfts(world: NftWorld): Upstream {
  const listed = world.collections.filter(({ geckoId }) => geckoId !== null)
  const onSolana = solanaCollections.filter(({ geckoId }) => geckoId !== null)
  return async ({ path, query, now }) => {
    const [first, second, third] = path
    if (first === 'list' && second === undefined) {
      const size = numberOf(query, 'per_page', { or: 100, max: 250 })
      const from = (numberOf(query, 'page', { or: 1, max: Infinity }) - 1) * size
      const all = [
        ...listed.map((one) => ({ ...one, platform: platformOf(one) })),
        ...onSolana.map((one) => ({ ...one, platform: 'solana' })),
      ]
      return ok(
        all.slice(from, from + size).map(({ geckoId, address, name, platform, symbol }) => ({
          id: geckoId,
          contract_address: address,
          name,
          asset_platform_id: platform,
          symbol,
        })),
      )
    }
    const isContract = second === 'contract'
    if (!isContract && second !== undefined && second !== 'market_chart') return notFound
    const one = listed.find((known) =>
      isContract
        ? platformOf(known) === first && known.address === third?.toLowerCase()
        : known.geckoId === first,
    )
    const other = isContract ? undefined : onSolana.find(({ geckoId }) => geckoId === first)
    if (!one && !other) return notFound
    const facts = one ? await factsOf(world, one, now) : factsOnSolana(world, other!)
    if (second === 'market_chart') return chart(world, facts, { days: query.get('days'), now })
    return ok(record(world, facts, now))
  }
}
