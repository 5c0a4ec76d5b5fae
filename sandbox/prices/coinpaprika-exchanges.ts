import { exchanges, type Exchanges, type SandboxExchange } from '../market/exchanges.ts'
import { isoSeconds, ok, type UpstreamReply } from '../upstream.ts'

/** GET /exchanges: all in one call. A closed exchange stays in the list, inactive, with its last volume. */
export function paprikaExchanges(world: Exchanges, now: number): UpstreamReply {
  const listed = exchanges.filter(({ paprikaId }) => paprikaId !== null)
  const rows = listed.map((exchange) => ({ exchange, volume: world.volume24hUsd(exchange, now) }))
  rows.sort((a, b) => b.volume - a.volume)
  return ok([...rows.map(({ exchange }, i) => exchangeRow(world, { exchange, rank: i + 1, now })), closed])
}

const closed = {
  id: 'closed-market',
  name: 'Closed Market',
  active: false,
  website_status: false,
  api_status: false,
  description: null,
  message: 'Closed',
  links: { website: ['https://closed.example/'] },
  markets_data_fetched: false,
  adjusted_rank: null,
  reported_rank: null,
  currencies: 0,
  markets: 0,
  quotes: {
    USD: {
      reported_volume_24h: 812_000,
      adjusted_volume_24h: 812_000,
      reported_volume_7d: 0,
      adjusted_volume_7d: 0,
      reported_volume_30d: 0,
      adjusted_volume_30d: 0,
    },
  },
  last_updated: '2024-02-14T07:20:00Z',
}

function exchangeRow(
  world: Exchanges,
  { exchange, rank, now }: { exchange: SandboxExchange; rank: number; now: number },
) {
  const volume = (days: number): number => Number(world.volumeUsd(exchange, { at: now, days }).toFixed(2))
  const [day, week, month] = [volume(1), volume(7), volume(30)]
  return {
    id: exchange.paprikaId,
    name: exchange.name,
    active: true,
    website_status: true,
    api_status: true,
    description: null,
    message: null,
    links: { website: [`https://${exchange.site}/`], twitter: [] },
    markets_data_fetched: true,
    adjusted_rank: rank,
    reported_rank: rank,
    currencies: exchange.coins,
    markets: exchange.coins * Object.keys(exchange.targets).length,
    fiats: Object.keys(exchange.targets)
      .filter((code) => code === 'USD' || code === 'EUR')
      .map((symbol) => ({ name: symbol === 'USD' ? 'US Dollars' : 'Euro', symbol })),
    quotes: {
      USD: {
        reported_volume_24h: day * 1.02,
        adjusted_volume_24h: day,
        reported_volume_7d: week * 1.02,
        adjusted_volume_7d: week,
        reported_volume_30d: month * 1.02,
        adjusted_volume_30d: month,
      },
    },
    last_updated: isoSeconds(now - (now % 60)),
  }
}
