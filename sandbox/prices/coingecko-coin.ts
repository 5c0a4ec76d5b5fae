import type { SandboxCoin } from '../market/coins.ts'
import { coinMarketData } from './coingecko-market-data.ts'
import type { CoinGeckoWorld } from './coingecko.ts'
import { isoMs, ok, type UpstreamReply } from '../upstream.ts'

const explorers: Record<string, string> = {
  ethereum: 'https://etherscan.io/token/',
  base: 'https://basescan.org/token/',
  solana: 'https://solscan.io/token/',
}

function linksOf(coin: SandboxCoin) {
  const native = Object.keys(coin.platforms).length === 0
  const home = `https://${coin.id.replace(/[^a-z0-9-]/g, '')}.example`
  return {
    homepage: [home, '', ''],
    whitepaper: `${home}/whitepaper.pdf`,
    blockchain_site: native
      ? [`${home}/explorer`]
      : Object.entries(coin.platforms).map(([platform, { address }]) => explorers[platform] + address),
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

/** GET /coins/{id}. */
export function coinDetail(
  world: CoinGeckoWorld,
  coin: SandboxCoin,
  { now, image }: { now: number; image: string },
): UpstreamReply {
  const platforms = Object.entries(coin.platforms)
  const native = platforms.length === 0
  const data = coinMarketData(world, coin, now)
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
