import type { Market } from '../market/market.ts'
import { arbitrageur, operator, router, type Address } from './actors.ts'
import { call, contractOf } from './calls.ts'
import type { Ledger } from './ledger.ts'
import { tokenOf, type NetworkId, type SandboxToken } from './tokens.ts'

export type PoolPlan = { key: string; address: Address; depthUsd: number; openDaysBefore: number | null }

const pool = (index: number): Address => `0x9001${index.toString(16).padStart(36, '0')}` as Address

/** Pools of a token against WETH; one without an opening day exists from the first block. */
export const poolPlans: Record<NetworkId, PoolPlan[]> = {
  ethereum: [
    { key: 'USDC', address: pool(1), depthUsd: 20_000_000, openDaysBefore: null },
    { key: 'DAI', address: pool(2), depthUsd: 6_000_000, openDaysBefore: null },
    { key: 'WBTC', address: pool(3), depthUsd: 12_000_000, openDaysBefore: null },
    { key: 'UNI', address: pool(4), depthUsd: 4_000_000, openDaysBefore: null },
    { key: 'LINK', address: pool(5), depthUsd: 4_000_000, openDaysBefore: null },
    { key: 'AAVE', address: pool(6), depthUsd: 3_000_000, openDaysBefore: null },
    { key: 'MKR', address: pool(7), depthUsd: 2_000_000, openDaysBefore: null },
    { key: 'MOSS', address: pool(8), depthUsd: 300_000, openDaysBefore: null },
    { key: 'FERN', address: pool(9), depthUsd: 250_000, openDaysBefore: null },
    { key: 'TAXED', address: pool(10), depthUsd: 200_000, openDaysBefore: null },
    { key: 'DROP', address: pool(11), depthUsd: 1_500_000, openDaysBefore: 299.5 },
  ],
  'base-wallet': [{ key: 'USDC', address: pool(21), depthUsd: 8_000_000, openDaysBefore: null }],
}

export type Pools = ReturnType<typeof createPools>

/** The plan's pools of one chain. Reserves are exact, because the plan knows every swap. */
export function createPools(options: { market: Market; ledger: Ledger }) {
  const { market, ledger } = options
  const open = new Map<string, { plan: PoolPlan; token: SandboxToken; weth: bigint; tokens: bigint }>()

  const priceUsd = (key: string, at: number): number => {
    const price = market.priceUsd(tokenOf(ledger.network, key).coinId!, at)
    if (price === null) throw new Error(`${key} has no price at ${at}`)
    return price
  }

  function opened(key: string) {
    const found = open.get(key)
    if (!found) throw new Error(`pool ${key} is not open`)
    return found
  }

  /**
   * Base units of a token for an amount in USD at the market price of the instant, to six significant digits.
   */
  function unitsFor(key: string, usd: number, at: number): bigint {
    const { decimals } = tokenOf(ledger.network, key)
    const amount = Number((usd / priceUsd(key, at)).toPrecision(6))
    return BigInt(Math.round(amount * 10 ** Math.min(decimals, 8))) * 10n ** BigInt(Math.max(0, decimals - 8))
  }

  function openPool(plan: PoolPlan, at: number): void {
    const token = tokenOf(ledger.network, plan.key)
    const weth = unitsFor('WETH', plan.depthUsd, at)
    const tokens = unitsFor(plan.key, plan.depthUsd, at)
    const wethToken = tokenOf(ledger.network, 'WETH')
    const setup = { kind: 'setup', from: operator, gas: 400_000n } as const
    const arrived = tokens - (tokens * BigInt(token.feeBps)) / 10_000n
    ledger.send(at, {
      ...setup,
      to: plan.address,
      data: call('Pool', 'init', [wethToken.address, token.address]),
    })
    ledger.send(at, { ...setup, to: wethToken.address, valueWei: weth, data: call('Weth', 'deposit', []) })
    ledger.send(at, { ...setup, to: wethToken.address, data: call('Weth', 'transfer', [plan.address, weth]) })
    const transfer = call(contractOf[token.kind], 'transfer', [plan.address, tokens])
    ledger.send(at, { ...setup, to: token.address, data: transfer })
    ledger.send(at, { ...setup, to: plan.address, data: call('Pool', 'mint', []) })
    open.set(plan.key, { plan, token, weth, tokens: arrived })
  }

  /** Records a swap and returns the output amount. Deducts token fees at the same points as the contract. */
  function swap(key: string, side: 'buy' | 'sell', amountIn: bigint): bigint {
    const p = opened(key)
    const afterTax = (amount: bigint): bigint => amount - (amount * BigInt(p.token.feeBps)) / 10_000n
    const arrived = side === 'buy' ? amountIn : afterTax(amountIn)
    const [rIn, rOut] = side === 'buy' ? [p.weth, p.tokens] : [p.tokens, p.weth]
    const out = (arrived * 997n * rOut) / (rIn * 1000n + arrived * 997n)
    p.weth += side === 'buy' ? arrived : -out
    p.tokens += side === 'buy' ? -out : arrived
    return side === 'buy' ? afterTax(out) : out
  }

  /** The arbitrageur trades the pool back to the market price when it is off by more than 1 %. */
  function recentre(key: string, at: number): void {
    const p = opened(key)
    const scale = 10 ** (18 - p.token.decimals)
    const target = (priceUsd(key, at) / priceUsd('WETH', at)) * scale
    const now = Number(p.weth) / Number(p.tokens)
    if (Math.abs(now / target - 1) <= 0.01) return
    const k = Number(p.weth) * Number(p.tokens)
    if (now < target) {
      const amount = BigInt(Math.round((Math.sqrt(k * target) - Number(p.weth)) * 1.0015))
      buy('arbitrage', arbitrageur, key, amount, at)
    } else {
      const amount = BigInt(Math.round((Math.sqrt(k / target) - Number(p.tokens)) * 1.0015))
      sell('arbitrage', arbitrageur, key, amount, at)
    }
  }

  function buy(kind: 'swap' | 'arbitrage', who: Address, key: string, wei: bigint, at: number): void {
    const data = call('Router', 'swapExactEthForTokens', [opened(key).plan.address, 0n, who])
    ledger.send(at, { kind, from: who, to: router, valueWei: wei, data, gas: 260_000n })
    ledger.add(router, 'ETH', -wei)
    ledger.add(who, key, swap(key, 'buy', wei))
  }

  function sell(kind: 'swap' | 'arbitrage', who: Address, key: string, amount: bigint, at: number): void {
    const p = opened(key)
    const data = call('Router', 'swapExactTokensForEth', [p.plan.address, p.token.address, amount, 0n, who])
    ledger.send(at, { kind, from: who, to: router, data, gas: 300_000n })
    ledger.add(who, key, -amount)
    ledger.add(who, 'ETH', swap(key, 'sell', amount))
  }

  function exchange(who: Address, from: string, to: string, amount: bigint, at: number): void {
    const [a, b] = [opened(from), opened(to)]
    const args = [a.plan.address, b.plan.address, a.token.address, amount, 0n, who]
    const data = call('Router', 'swapExactTokensForTokens', args)
    ledger.send(at, { kind: 'swap', from: who, to: router, data, gas: 400_000n })
    ledger.add(who, from, -amount)
    ledger.add(who, to, swap(to, 'buy', swap(from, 'sell', amount)))
  }

  return {
    openPool,
    recentre,
    buy,
    sell,
    exchange,
    unitsFor,
    keys: (): string[] => [...open.keys()],
    addressOf: (key: string): Address => opened(key).plan.address,
  }
}
