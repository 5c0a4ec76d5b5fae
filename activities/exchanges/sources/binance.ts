import type { Exchange } from 'ccxt'
import type { PageRequest } from '../paging.ts'
import { tradePage, transferPage } from '../rows.ts'
import { callImplicit, depositStream, fillStream, timeWindow, TRANSFER_LOOKBACK_MS } from '../streams.ts'
import type { ExchangeSpec } from '../exchange.ts'

const OPENED = '2017-07-01'
const transfers = timeWindow({
  page: 1_000,
  windowDays: 90,
  history: OPENED,
  lookbackMs: TRANSFER_LOOKBACK_MS,
})

/** Rights of a key beyond reading, by the field of the answer. */
const RIGHTS = {
  enableSpotAndMarginTrading: 'trade',
  enableMargin: 'margin',
  enableFutures: 'futures',
  enableVanillaOptions: 'options',
  enablePortfolioMarginTrading: 'portfolio margin',
  enableFixApiTrade: 'trade',
  enableWithdrawals: 'withdraw',
  enableInternalTransfer: 'transfer',
  permitsUniversalTransfer: 'transfer',
} as const

/**
 * Binance spot. Fills are read by id. Ids are unique only within a symbol and cannot be combined with times,
 * but reach back to the beginning without the 24-hour windows that times would need. Small balances converted
 * to BNB (dust) have their own list.
 */
export const binance: ExchangeSpec = {
  source: {
    name: 'binance',
    sandbox: { path: '/binance' },
    urlVariable: 'BINANCE_URL',
    defaultUrl: 'https://api.binance.com',
    // A page of fills weighs 20; the limit is 6,000 a minute.
    requestsPerSecond: 4,
    burst: 8,
  },
  options: { fetchMarkets: { types: ['spot'] } },
  signsTime: true,
  streams: [
    depositStream(transfers),
    {
      name: 'withdrawals',
      lists: 'one',
      paging: transfers,
      // Without `endTime`, CCXT sets an end 90 days after the start.
      read: async (client, request) =>
        transferPage(
          await client.fetchWithdrawals(undefined, request.sinceMs, request.limit, {
            endTime: request.untilMs,
          }),
          'withdrawal',
        ),
    },
    {
      name: 'dust',
      lists: 'one',
      paging: timeWindow({
        page: 100,
        windowDays: 90,
        history: OPENED,
        lookbackMs: TRANSFER_LOOKBACK_MS,
      }),
      read: async (client, request) => tradePage(await dustTrades(client, request), 'dust'),
    },
    fillStream({ kind: 'id', page: 1_000, first: '0' }, { lists: 'symbols' }),
  ],
  rights: async (client) => {
    const answer = await callImplicit(client, 'sapiGetAccountApiRestrictions')
    return Object.entries(RIGHTS).flatMap(([field, right]) => (answer[field] === true ? [right] : []))
  },
}

/** One transaction converts several assets to BNB, each once: its id and the symbol identify the trade. */
async function dustTrades(client: Exchange, { sinceMs, untilMs }: PageRequest): Promise<unknown[]> {
  const trades = (await client['fetchMyDustTrades'](undefined, sinceMs, undefined, {
    endTime: untilMs,
  })) as { order?: string }[]
  return trades.map((trade) => ({ ...trade, id: trade.order }))
}
