import {
  AAVE_V3_MARKETS,
  COMPOUND_V3_COMETS,
  STAKED_AAVE,
} from '../../activities/defi/deployments/lending.ts'
import { LIDO } from '../../activities/defi/deployments/staking.ts'
import { UNISWAP_V3_MANAGERS } from '../../activities/defi/deployments/uniswap-v3.ts'
import { operator, wallets, type Address } from '../chain/actors.ts'
import { call, type ContractName } from '../chain/calls.ts'
import type { Ledger } from '../chain/ledger.ts'
import type { Pools } from '../chain/pools.ts'
import { tokenOf } from '../chain/tokens.ts'
import type { Market } from '../market/market.ts'
import { mossPool, usdcPools } from './contracts.ts'

type Where = { market: Market; ledger: Ledger; pools: Pools; at: number }

const ether = 10n ** 18n
const yearSeconds = 31_536_000n

const who = (label: string): Address => wallets.find((wallet) => wallet.label === label)!.address

/**
 * Books the wallets' positions as the operator at one instant of the story, at the prices of that instant.
 */
export function placePositions(where: Where): void {
  if (where.ledger.network === 'ethereum') {
    placeAave(where, { thresholds: { WETH: 8300n, USDC: 7800n, DAI: 7700n, WBTC: 7800n } })
    supply(where, 'DeFi', 'WETH', 30_000)
    supply(where, 'DeFi', 'WBTC', 12_000)
    borrow(where, 'DeFi', 'USDC', 14_000)
    supply(where, 'Savings', 'DAI', 8_000)
    supply(where, 'Main', 'USDC', 2_500)
    placeStaking(where)
    placeComet(where, { collateral: { WETH: 895n, WBTC: 770n } })
    book(where, 'DeFi', 'WETH', 18_000)
    book(where, 'DeFi', 'WBTC', 6_000)
    owe(where, 'DeFi', 9_000)
    book(where, 'Treasury', 'USDC', 40_000)
    placeLido(where)
    const pool = placePool(where, { key: 'USDC', fee: 500, pool: usdcPools.ethereum })
    pool.mint('DeFi', { from: -2000, to: 2000, usd: 16_000, owedUsd: 40 })
    pool.mint('DeFi', { from: 1000, to: 3000, usd: 4_000, owedUsd: 3 })
    pool.mint('DeFi', { from: -500, to: 500, usd: 0, owedUsd: 12 })
    pool.mint('DeFi', { from: -500, to: 500, usd: 0, owedUsd: 0 })
    pool.mint('Treasury', { from: -4000, to: 4000, usd: 25_000, owedUsd: 0 })
    const moss = placePool(where, { key: 'MOSS', fee: 3_000, pool: mossPool })
    moss.mint('Airdrop hunter', { from: -6000, to: 6000, usd: 700, owedUsd: 2 })
    return
  }
  placeAave(where, { thresholds: { WETH: 8300n, USDC: 7800n } })
  supply(where, 'Bridge user', 'WETH', 6_000)
  borrow(where, 'Bridge user', 'USDC', 1_500)
  supply(where, 'Main', 'USDC', 1_000)
  placeComet(where, { collateral: { WETH: 840n } })
  book(where, 'DeFi', 'USDC', 3_000)
  const pool = placePool(where, { key: 'USDC', fee: 500, pool: usdcPools['base-wallet'] })
  pool.mint('Bridge user', { from: -1000, to: 1000, usd: 5_000, owedUsd: 8 })
}

/** Sends a call to a placed contract as the operator. */
function send(
  { ledger, at }: Where,
  to: string,
  contract: ContractName,
  name: string,
  args: unknown[],
): void {
  const data = call(contract, name, args)
  ledger.send(at, { kind: 'setup', from: operator, to: to as Address, data, gas: 500_000n })
}

const addressOf = ({ ledger }: Where, key: string): Address => tokenOf(ledger.network, key).address
const unitOf = ({ ledger }: Where, key: string): bigint =>
  10n ** BigInt(tokenOf(ledger.network, key).decimals)

/** USD with 8 decimals, as the protocols' feeds give it. */
const feedPrice = ({ market, ledger, at }: Where, key: string): bigint =>
  BigInt(Math.round(market.priceUsd(tokenOf(ledger.network, key).coinId!, at)! * 1e8))

/** Growth of an index per second for an interest rate in percent per year. */
const perSecond = (indexScale: bigint, percent: bigint): bigint => (indexScale * percent) / 100n / yearSeconds

const aave = ({ ledger }: Where): string => AAVE_V3_MARKETS.aave[ledger.network]!['Core']!
const comet = ({ ledger }: Where): string => COMPOUND_V3_COMETS[ledger.network]!['USDC']!

function placeAave(where: Where, { thresholds }: { thresholds: Record<string, bigint> }): void {
  const [supplyRate, borrowRate] = [perSecond(10n ** 27n, 3n), perSecond(10n ** 27n, 5n)]
  for (const [key, threshold] of Object.entries(thresholds)) {
    const { decimals, address } = tokenOf(where.ledger.network, key)
    const args = [address, decimals, feedPrice(where, key), threshold, supplyRate, borrowRate]
    send(where, aave(where), 'AaveMarket', 'initReserve', args)
  }
}

function supply(where: Where, label: string, key: string, usd: number): void {
  const args = [addressOf(where, key), where.pools.unitsFor(key, usd, where.at), who(label), 0]
  send(where, aave(where), 'AaveMarket', 'supply', args)
}

function borrow(where: Where, label: string, key: string, usd: number): void {
  const args = [addressOf(where, key), where.pools.unitsFor(key, usd, where.at), 2n, 0, who(label)]
  send(where, aave(where), 'AaveMarket', 'borrow', args)
}

/** `collateral`: share of the value that counts against liquidation, in thousandths. */
function placeComet(where: Where, { collateral }: { collateral: Record<string, bigint> }): void {
  const rates = [perSecond(10n ** 15n, 4n), perSecond(10n ** 15n, 6n)]
  const base = [addressOf(where, 'USDC'), unitOf(where, 'USDC'), feedPrice(where, 'USDC')]
  send(where, comet(where), 'Comet', 'init', [...base, ...rates])
  for (const [key, thousandths] of Object.entries(collateral)) {
    const factor = (thousandths * ether) / 1_000n
    const args = [addressOf(where, key), unitOf(where, key), feedPrice(where, key), factor]
    send(where, comet(where), 'Comet', 'addAsset', args)
  }
}

function book(where: Where, label: string, key: string, usd: number): void {
  const args = [who(label), addressOf(where, key), where.pools.unitsFor(key, usd, where.at)]
  send(where, comet(where), 'Comet', 'supplyTo', args)
}

function owe(where: Where, label: string, usd: number): void {
  const args = [who(label), who(label), addressOf(where, 'USDC'), where.pools.unitsFor('USDC', usd, where.at)]
  send(where, comet(where), 'Comet', 'withdrawFrom', args)
}

function placeStaking(where: Where): void {
  const at = STAKED_AAVE[where.ledger.network]!
  const amount = (usd: number): bigint => where.pools.unitsFor('AAVE', usd, where.at)
  send(where, at, 'StakedAave', 'init', [addressOf(where, 'AAVE'), 10n ** 11n, 0n])
  send(where, at, 'StakedAave', 'stake', [who('DeFi'), amount(5_000)])
  send(where, at, 'StakedAave', 'cooldownOnBehalfOf', [who('DeFi')])
  send(where, at, 'StakedAave', 'stake', [who('Treasury'), amount(9_000)])
}

function placeLido(where: Where): void {
  const { stEth, wstEth, withdrawalQueue } = LIDO[where.ledger.network]!
  const startRate = (117n * ether) / 100n
  send(where, stEth, 'Steth', 'init', [startRate, perSecond(startRate, 3n)])
  send(where, wstEth, 'Wsteth', 'init', [stEth])
  const shares = { DeFi: 32n, Savings: 15n, Main: 2n }
  for (const [label, tenths] of Object.entries(shares))
    send(where, stEth, 'Steth', 'mintShares', [who(label), (tenths * ether) / 10n])
  send(where, wstEth, 'Wsteth', 'mint', [who('Treasury'), 4n * ether])
  send(where, wstEth, 'Wsteth', 'mint', [who('DeFi'), (8n * ether) / 10n])
  const request = [(7n * ether) / 10n, (11n * ether) / 10n]
  for (const amount of request)
    send(where, withdrawalQueue, 'WithdrawalQueue', 'requestWithdrawal', [who('DeFi'), amount])
  send(where, withdrawalQueue, 'WithdrawalQueue', 'finalize', [1n, 10_000n])
}

/** A pool of a token and WETH at the market's price. `fee` in hundredths of a basis point. */
function placePool(where: Where, { key, fee, pool }: { key: string; fee: number; pool: Address }) {
  const { ledger, market, pools, at } = where
  const manager = UNISWAP_V3_MANAGERS.uniswap[ledger.network]!
  const keys = [key, 'WETH'].sort((a, b) => (addressOf(where, a) < addressOf(where, b) ? -1 : 1))
  const tokens = keys.map((one) => tokenOf(ledger.network, one))
  const [units0 = 0, units1 = 0] = tokens.map(
    ({ coinId, decimals }) => 10 ** decimals / market.priceUsd(coinId!, at)!,
  )
  const tick = Math.floor(Math.log(units1 / units0) / Math.log(1.0001))
  const root = Math.sqrt(units1 / units0)
  const addresses = tokens.map(({ address }) => address)
  send(where, manager, 'PositionManager', 'addPool', [...addresses, fee, pool])
  const price = [BigInt(Math.round(root * 2 ** 96)), tick]
  send(where, pool, 'ConcentratedPool', 'setPrice', price)

  /**
   * Bounds are ticks relative to the price, in steps of 60; `usd` is the approximate value of the liquidity.
   */
  function mint(label: string, position: { from: number; to: number; usd: number; owedUsd: number }): void {
    const bound = (offset: number): number => Math.floor((tick + offset) / 60) * 60
    const rootAt = (of: number): number => 1.0001 ** (of / 2)
    const [lower, upper] = [rootAt(bound(position.from)), rootAt(bound(position.to))]
    const inside = Math.min(Math.max(root, lower), upper)
    // Value of one unit of liquidity, in base units of token1.
    const each = (1 / inside - 1 / upper) * root * root + (inside - lower)
    const owed = keys.map((one) => pools.unitsFor(one, position.owedUsd / 2, at))
    const args = {
      owner: who(label),
      token0: addresses[0],
      token1: addresses[1],
      fee,
      tickLower: bound(position.from),
      tickUpper: bound(position.to),
      liquidity: BigInt(Math.round((position.usd * units1) / each)),
      owed0: owed[0],
      owed1: owed[1],
      since: 0n,
    }
    send(where, manager, 'PositionManager', 'mint', [args])
  }
  return { mint }
}
