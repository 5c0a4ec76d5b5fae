import type { SandboxCollection } from './catalogue.ts'
import type { NftWorld } from './nft-world.ts'
import { salesFigures } from './sales-figures.ts'
import { ok, type Upstream, type UpstreamReply } from '../upstream.ts'

const day = 86_400
const notFound: UpstreamReply = { status: 404, body: { error: 'coin not found' } }
const platformOf = ({ network }: SandboxCollection): string => (network === 'ethereum' ? 'ethereum' : 'base')

async function record(world: NftWorld, one: SandboxCollection, now: number) {
  const listed = world.collections.filter(({ geckoId }) => geckoId !== null)
  const count = (await world.tokenIds(one)).length
  const capOf = async (other: SandboxCollection) =>
    world.floorEth(other, now) * (await world.tokenIds(other)).length
  const caps = await Promise.all(listed.map(capOf))
  const cap = await capOf(one)
  const sold = (await salesFigures(world, one, now)).day
  const floorChange = (days: number): number =>
    (world.floorEth(one, now) / world.floorEth(one, now - days * day) - 1) * 100
  const ethUsd = (at: number): number => world.market.priceUsd('ethereum', at)!
  const pair = (eth: number) => ({ native_currency: eth, usd: eth * ethUsd(now) })
  const changes = (percent: number, days: number) => ({
    native_currency: percent,
    usd: ((1 + percent / 100) * (ethUsd(now) / ethUsd(now - days * day)) - 1) * 100,
  })
  const image = `https://coin-images.coingecko.example/nft_contracts/images/${one.slug}.png`
  return {
    id: one.geckoId,
    web_slug: one.geckoId,
    contract_address: one.address,
    asset_platform_id: platformOf(one),
    name: one.name,
    symbol: one.symbol,
    image: { small: image, small_2x: image },
    banner_image: image,
    description: `<p>${one.description}</p>`,
    native_currency: 'ethereum',
    native_currency_symbol: 'ETH',
    market_cap_rank: 1 + caps.filter((other) => other > cap).length,
    floor_price: pair(world.floorEth(one, now)),
    market_cap: pair(cap),
    volume_24h: pair(sold.volume),
    floor_price_in_usd_24h_percentage_change: changes(floorChange(1), 1).usd,
    floor_price_24h_percentage_change: changes(floorChange(1), 1),
    market_cap_24h_percentage_change: changes(floorChange(1), 1),
    volume_24h_percentage_change: changes(sold.change * 100, 1),
    number_of_unique_addresses: world.owners(one, count),
    number_of_unique_addresses_24h_percentage_change: 0.8,
    volume_in_usd_24h_percentage_change: changes(sold.change * 100, 1).usd,
    total_supply: count,
    one_day_sales: sold.sales,
    one_day_sales_24h_percentage_change: 0,
    one_day_average_sale_price: sold.sales > 0 ? sold.volume / sold.sales : null,
    links: { homepage: `https://${one.slug}.example`, twitter: '', discord: '' },
    floor_price_7d_percentage_change: changes(floorChange(7), 7),
    explorers: [],
    user_favorites_count: 0,
  }
}

/** CoinGecko's endpoints under /nfts: list, {id} and {platform}/contract/{address}. */
export function createCoinGeckoNfts(world: NftWorld): Upstream {
  const listed = world.collections.filter(({ geckoId }) => geckoId !== null)
  return async ({ path, now }) => {
    const [first, second, third] = path
    if (first === 'list' && second === undefined)
      return ok(
        listed.map((one) => ({
          id: one.geckoId,
          contract_address: one.address,
          name: one.name,
          asset_platform_id: platformOf(one),
          symbol: one.symbol,
        })),
      )
    const one = listed.find((known) =>
      second === 'contract'
        ? platformOf(known) === first && known.address === third?.toLowerCase()
        : second === undefined && known.geckoId === first,
    )
    return one ? ok(await record(world, one, now)) : notFound
  }
}
