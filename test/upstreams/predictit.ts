import { type Asked, type DoubleServer, type FakeClock, type Reply, startDouble } from './double.ts'

export interface PredictItContract {
  id: number
  name: string
  /** null: none yet, or no offer */
  last: number | null
  close: number | null
  buyYes: number | null
  sellYes: number | null
  /** as the venue writes it; `NA`: none */
  dateEnd?: string
}

export interface PredictItMarket {
  id: number
  name: string
  status: 'Open' | 'Closed'
  contracts: PredictItContract[]
}

interface PredictItDouble extends DoubleServer {
  apiUrl: string
  state: { isEmpty: boolean }
}

const rest = (price: number | null) => (price === null ? null : Math.round((1 - price) * 100) / 100)

/**
 * www.predictit.org/api/marketdata/all/, in the shape of the venue's clients (michrob/predictit.js, kiernann/predictr):
 * all that trades in one answer, which it makes once a minute. Prices are dollars with two places, or null.
 */
export async function startPredictIt(options: {
  clock: FakeClock
  markets: PredictItMarket[]
}): Promise<PredictItDouble> {
  const { clock, markets } = options
  const state = { isEmpty: false }
  let made: { atMs: number; body: Reply['body'] } | null = null

  const marketOf = ({ id, name, status, contracts }: PredictItMarket) => ({
    id,
    name,
    shortName: name.slice(0, 20),
    image: `https://az620379.vo.msecnd.net/images/Markets/${id}.jpg`,
    url: `https://www.predictit.org/markets/detail/${id}`,
    contracts: contracts.map((one, i) => ({
      id: one.id,
      dateEnd: one.dateEnd ?? 'NA',
      image: `https://az620379.vo.msecnd.net/images/Contracts/${one.id}.jpg`,
      name: one.name,
      shortName: one.name.slice(0, 20),
      status,
      lastTradePrice: one.last,
      bestBuyYesCost: one.buyYes,
      bestBuyNoCost: rest(one.sellYes),
      bestSellYesCost: one.sellYes,
      bestSellNoCost: rest(one.buyYes),
      lastClosePrice: one.close,
      displayOrder: i,
    })),
    // Without a zone.
    timeStamp: new Date(clock.now()).toISOString().replace('Z', ''),
    status,
  })

  function answer({ path }: Asked): Reply {
    if (path !== '/api/marketdata/all/') return { status: 404, body: '<html>Not found</html>' }
    if (state.isEmpty) return { body: { markets: [] } }
    if (!made || clock.now() - made.atMs >= 60_000)
      made = {
        atMs: clock.now(),
        body: { markets: markets.filter(({ status }) => status === 'Open').map(marketOf) },
      }
    return { body: made.body }
  }

  const server = await startDouble(answer)
  return { ...server, apiUrl: `${server.url}/api`, state }
}
