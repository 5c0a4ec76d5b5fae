import type { Exchange } from 'ccxt'

type Declared = Pick<Exchange, 'has' | 'requiredCredentials'>

/** Credentials that an account can hold here. */
const CREDENTIALS = ['apiKey', 'secret', 'password']

/**
 * What an account needs and CCXT's class of its exchange does not declare: fills, deposits and withdrawals, balances,
 * and a key of up to three parts. Empty: it can be connected.
 */
export function missingOf({ has, requiredCredentials }: Declared): string[] {
  const can = (method: string) => has[method] === true
  const transfers = (can('fetchDeposits') && can('fetchWithdrawals')) || can('fetchDepositsWithdrawals')
  const unknown = Object.entries(requiredCredentials).flatMap(([name, isNeeded]) =>
    isNeeded === true && !CREDENTIALS.includes(name) ? [name] : [],
  )
  return [
    ...(can('fetchMyTrades') ? [] : ['fills by account']),
    ...(transfers || can('fetchLedger') ? [] : ['deposits and withdrawals']),
    ...(can('fetchBalance') ? [] : ['balances']),
    ...unknown.map((name) => `a key without ${name}`),
  ]
}

/** Large exchanges that cannot be connected. `why`: the reason, if CCXT's class declares all that an account needs */
export const LEFT_OUT: readonly { id: string; name: string; why?: string }[] = [
  { id: 'upbit', name: 'Upbit' },
  { id: 'bithumb', name: 'Bithumb' },
  { id: 'bitmart', name: 'BitMart' },
  { id: 'ascendex', name: 'AscendEX' },
  { id: 'probit', name: 'ProBit' },
  { id: 'bingx', name: 'BingX', why: 'it gives the fills of one day only' },
  {
    id: 'lbank',
    name: 'LBank',
    why: 'fills come by date, at most 100 of two days, so those of a busy day cannot all be read',
  },
  { id: 'phemex', name: 'Phemex', why: 'CCXT passes no page of deposits and withdrawals' },
]

/** Why an exchange cannot be connected, in words. `declared`: its class; undefined: CCXT has none */
export function reasonOf({ why }: (typeof LEFT_OUT)[number], declared: Declared | undefined): string {
  if (!declared) return 'CCXT has no class of it'
  return why ?? `its class of CCXT does not declare ${missingOf(declared).join(', ')}`
}
