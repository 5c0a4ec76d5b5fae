import { placePositions } from '../defi/place-positions.ts'
import type { Market } from '../market/market.ts'
import { arbitrageur, exchanges, operator, router, spammer, type Address } from './actors.ts'
import { call, contractOf } from './calls.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { createPools, poolPlans, type Pools } from './pools.ts'
import type { Random } from './random.ts'
import { tokens, type NetworkId, type SandboxToken, type TokenKind } from './tokens.ts'

export type Chain = { ledger: Ledger; pools: Pools; approved: Set<string> }

/** State shared by the plan's operations. */
export type World = {
  market: Market
  random: Random
  chains: Record<NetworkId, Chain>
  /** Scheduled operations, such as the arrival of a bridged amount. */
  later: { at: number; run(at: number): void }[]
}

export const setupBalanceWei = 10n ** 25n
/** Addresses that start with a native balance, without any transaction. */
export const rich: Address[] = [...exchanges, operator, arbitrageur, spammer]

/** Kinds of which the rich get an initial amount. */
const plainKinds: TokenKind[] = ['erc20', 'erc3009', 'bytes32', 'no-decimals']

const day = 86_400
const million = 1_000_000n

function initToken(ledger: Ledger, token: SandboxToken, at: number): void {
  const setup = { kind: 'setup', from: operator, to: token.address, gas: 400_000n } as const
  const bytes32 = (text: string): string => `0x${Buffer.from(text).toString('hex').padEnd(64, '0')}`
  const args = {
    erc20: [token.name, token.symbol, token.decimals, token.feeBps],
    erc3009: [token.name, token.symbol, token.decimals, token.feeBps],
    spam: [token.name, token.symbol, token.decimals, 0],
    erc721: [token.name, token.symbol, 0, 0],
    erc1155: [token.name, token.symbol, 0, 0],
    bytes32: [bytes32(token.name), bytes32(token.symbol)],
    weth: null,
    'no-decimals': null,
  }[token.kind]
  if (args) ledger.send(at, { ...setup, data: call(contractOf[token.kind], 'init', args) })
  if (token.uri) ledger.send(at, { ...setup, data: call(contractOf[token.kind], 'setUri', [...token.uri]) })
  if (!plainKinds.includes(token.kind)) return
  const amount = 1000n * million * 10n ** BigInt(token.decimals)
  for (const owner of rich) {
    ledger.send(at, { ...setup, data: call(contractOf[token.kind], 'mint', [owner, amount]), gas: 120_000n })
    ledger.add(owner, token.key, amount)
  }
}

/** A chain with its contracts set up in the first block and its pools opened on their days. */
export function createChain(
  options: { market: Market; seed: number; genesis: number; network: NetworkId },
  later: World['later'],
): Chain {
  const { market, genesis, network } = options
  const ledger = createLedger(options)
  for (const owner of rich) ledger.add(owner, 'ETH', setupBalanceWei)
  const pools = createPools({ market, ledger })
  const at = genesis + 1800
  for (const token of tokens.filter((t) => t.network === network)) initToken(ledger, token, at)
  const weth = tokens.find((t) => t.network === network && t.kind === 'weth')!
  const init = call('Router', 'init', [weth.address])
  ledger.send(at, { kind: 'setup', from: operator, to: router, data: init, gas: 100_000n })
  for (const plan of poolPlans[network]) {
    const open = (when: number): void => {
      pools.openPool(plan, when)
      const token = tokens.find((t) => t.network === network && t.key === plan.key)!
      const data = call(contractOf[token.kind], 'approve', [router, 2n ** 256n - 1n])
      ledger.send(when, { kind: 'setup', from: arbitrageur, to: token.address, data, gas: 80_000n })
    }
    if (plan.openDaysBefore === null) open(at)
    else later.push({ at: market.anchor - plan.openDaysBefore * day, run: open })
  }
  const placed = market.anchor - 10 * day
  later.push({ at: placed, run: (when) => placePositions({ market, ledger, pools, at: when }) })
  return { ledger, pools, approved: new Set() }
}
