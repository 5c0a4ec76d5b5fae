import {
  callImplicit,
  depositStream,
  FILL_LOOKBACK_MS,
  fillStream,
  timeWindow,
  TRANSFER_LOOKBACK_MS,
  withdrawalStream,
} from '../streams.ts'
import type { StreamSpec, ExchangeSpec } from '../exchange.ts'

const OPENED = '2017-01-01'
const transfers = timeWindow({
  page: 500,
  windowDays: 30,
  history: OPENED,
  lookbackMs: TRANSFER_LOOKBACK_MS,
})

interface KeyInfo {
  key?: string
  perms?: { name?: string; read_only?: boolean }[]
}

/** Gate spot, in windows of 30 days. */
export const gate: ExchangeSpec = {
  source: {
    name: 'gate',
    urlVariable: 'GATE_URL',
    defaultUrl: 'https://api.gateio.ws',
    requestsPerSecond: 5,
    burst: 10,
  },
  options: { fetchMarkets: { types: ['spot'] }, unifiedAccount: false },
  signsTime: true,
  streams: [
    byAsset(depositStream(transfers)),
    byAsset(withdrawalStream(transfers)),
    fillStream(timeWindow({ page: 1_000, windowDays: 30, history: OPENED, lookbackMs: FILL_LOOKBACK_MS }), {
      lists: 'one',
    }),
  ],
  rights: async (client) => {
    const answer: unknown = await callImplicit(client, 'privateAccountGetMainKeys')
    const keys = (Array.isArray(answer) ? answer : [answer]) as KeyInfo[]
    return keys
      .filter(({ key }) => key === undefined || key === client.apiKey)
      .flatMap(({ perms = [] }) => perms)
      .flatMap(({ name, read_only }) => (read_only === false ? [name ?? 'write'] : []))
  },
}

/** Removes the network that Gate can append to an asset in transfers: `USDT_TRX`. */
function byAsset(stream: StreamSpec): StreamSpec {
  const assetOf = (text: string) => text.replace(/_.*$/, '')
  return {
    ...stream,
    read: async (client, request) => {
      const page = await stream.read(client, request)
      const rows = page.rows.map((row) => ({
        ...row,
        asset: assetOf(row.asset),
        fee_asset: row.fee_asset && assetOf(row.fee_asset),
      }))
      return { ...page, rows }
    },
  }
}
