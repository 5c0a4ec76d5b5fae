import type { ExchangeSpec } from '../exchange.ts'
import { callImplicit } from '../streams.ts'

const OPENED = '2017-01-01'
const TRANSFERS = { page: 500, windowDays: 30, history: OPENED } as const

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
  probe: '/api/v4/spot/time',
  options: { fetchMarkets: { types: ['spot'] }, unifiedAccount: false },
  signsTime: true,
  lists: [
    { name: 'deposits', method: 'fetchDeposits', ...TRANSFERS },
    { name: 'withdrawals', method: 'fetchWithdrawals', ...TRANSFERS },
    { name: 'fills', method: 'fetchMyTrades', history: OPENED },
  ],
  // Gate can append the network to an asset in transfers: `USDT_TRX`.
  assetOf: (code) => code.replace(/_.*$/, ''),
  statuses: {
    BLOCKED: 'failed',
    CANCELPEND: 'pending',
    // Only its withdrawal is locked.
    DEP_CREDITED: 'ok',
    FVERIFY: 'pending',
    LOCKED: 'pending',
    TRACK: 'pending',
  },
  rights: async (client) => {
    const answer: unknown = await callImplicit(client, 'privateAccountGetMainKeys')
    const keys = (Array.isArray(answer) ? answer : [answer]) as KeyInfo[]
    return keys
      .filter(({ key }) => key === undefined || key === client.apiKey)
      .flatMap(({ perms = [] }) => perms)
      .flatMap(({ name, read_only }) => (read_only === false ? [name ?? 'write'] : []))
  },
}
