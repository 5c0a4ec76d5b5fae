import type { SandboxCoin } from '../market/coins.ts'
import { changeWindows, shown } from './coingecko-markets.ts'
import type { CoinGeckoWorld } from './coingecko.ts'
import { isoMs, ok, type UpstreamReply } from './upstream.ts'

const day = 86_400
const explorers: Record<string, string> = {
  ethereum: 'https://etherscan.io/token/',
  base: 'https://basescan.org/token/',
}

function linksOf(coin: SandboxCoin) {
  const home = `https://${coin.id.replace(/[^a-z0-9-]/g, '')}.example`
  return {
    homepage: [home, '', ''],
    whitepaper: `${home}/whitepaper.pdf`,
    blockchain_site: Object.entries(coin.platforms).map(
      ([platform, { address }]) => explorers[platform] + address,
    ),
    official_forum_url: [''],
    chat_url: [''],
    announcement_url: ['', ''],
    snapshot_url: null,
    twitter_screen_name: coin.id.replaceAll('-', '_'),
    facebook_username: '',
    bitcointalk_thread_identifier: null,
    telegram_channel_identifier: '',
    subreddit_url: `https://www.reddit.com/r/${coin.id.replaceAll('-', '')}/`,
    repos_url: {
      github: [`https://github.com/${coin.id}/${coin.id}`],
      bitbucket: [],
    },
  }
}

function marketData({ market, statistics }: CoinGeckoWorld, coin: SandboxCoin, now: number) {
  const extremes = statistics.extremes(coin, now)
  const inEach = <T>(value: (code: string) => T): Record<string, T> => {
    return Object.fromEntries(['btc', 'eth', 'eur', 'usd'].map((code) => [code, value(code)]))
  }
  const price = (code: string): number => statistics.price(coin, code, now)!
  const ath = (code: string): number => extremes.athUsd * statistics.perUsd(code, extremes.athAt)!
  const atl = (code: string): number => extremes.atlUsd * statistics.perUsd(code, extremes.atlAt)!
  const changes: Record<string, unknown> = {}
  for (const [window, seconds] of Object.entries(changeWindows)) {
    if (window !== '1h')
      changes[`price_change_percentage_${window}`] = statistics.changePercent(coin, 'usd', now, seconds)
    const each = inEach((code) => statistics.changePercent(coin, code, now, seconds))
    changes[`price_change_percentage_${window}_in_currency`] = each
  }
  const supply = coin.maxSupply ?? coin.totalSupply
  return {
    current_price: inEach((c) => shown(price(c))),
    total_value_locked: null,
    mcap_to_tvl_ratio: null,
    fdv_to_tvl_ratio: null,
    roi: null,
    ath: inEach((c) => shown(ath(c))),
    ath_change_percentage: inEach((c) => (price(c) / ath(c) - 1) * 100),
    ath_date: inEach(() => isoMs(extremes.athAt)),
    atl: inEach((c) => shown(atl(c))),
    atl_change_percentage: inEach((c) => (price(c) / atl(c) - 1) * 100),
    atl_date: inEach(() => isoMs(extremes.atlAt)),
    market_cap: inEach((c) => Math.round(price(c) * coin.circulatingSupply)),
    fully_diluted_valuation: inEach((c) => Math.round(price(c) * supply)),
    market_cap_fdv_ratio: Number((coin.circulatingSupply / supply).toFixed(2)),
    market_cap_rank: market.listedCoins(now).indexOf(coin) + 1,
    total_volume: inEach((c) => Math.round(market.volume24hUsd(coin, now) * statistics.perUsd(c, now)!)),
    price_change_24h: price('usd') - (statistics.price(coin, 'usd', now - day) ?? price('usd')),
    ...changes,
    total_supply: coin.totalSupply,
    max_supply: coin.maxSupply,
    max_supply_infinite: coin.maxSupply === null,
    circulating_supply: coin.circulatingSupply,
    outstanding_supply: null,
    last_updated: isoMs(now),
  }
}

/** GET /coins/{id}. */
export function coinDetail(
  world: CoinGeckoWorld,
  coin: SandboxCoin,
  { now, image }: { now: number; image: string },
): UpstreamReply {
  const platforms = Object.entries(coin.platforms)
  const native = platforms.length === 0
  const data = marketData(world, coin, now)
  return ok({
    id: coin.id,
    symbol: coin.symbol,
    name: coin.name,
    web_slug: coin.id,
    asset_platform_id: platforms[0]?.[0] ?? null,
    platforms: native ? { '': '' } : Object.fromEntries(platforms.map(([p, { address }]) => [p, address])),
    detail_platforms: native
      ? {
          '': {
            decimal_place: null,
            contract_address: '',
          },
        }
      : Object.fromEntries(
          platforms.map(([p, { address, decimals }]) => [
            p,
            {
              decimal_place: decimals,
              contract_address: address,
            },
          ]),
        ),
    block_time_in_minutes: native ? 10 : 0,
    hashing_algorithm: null,
    categories: coin.categories,
    preview_listing: false,
    public_notice: null,
    additional_notices: [],
    has_supply_breakdown: false,
    description: { en: `${coin.name} is a coin of the sandbox; its figures are invented.` },
    links: linksOf(coin),
    image: {
      thumb: image.replace('/large/', '/thumb/'),
      small: image.replace('/large/', '/small/'),
      large: image,
    },
    country_origin: '',
    genesis_date: null,
    sentiment_votes_up_percentage: null,
    sentiment_votes_down_percentage: null,
    watchlist_portfolio_users: 0,
    market_cap_rank: data.market_cap_rank,
    market_cap_rank_with_rehypothecated: data.market_cap_rank,
    status_updates: [],
    last_updated: isoMs(now),
    market_data: data,
  })
}
