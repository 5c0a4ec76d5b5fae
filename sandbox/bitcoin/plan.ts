import { createRandom, type Random } from '../chain/random.ts'
import type { Market } from '../market/market.ts'
import { hashText } from '../market/noise.ts'
import { type BitcoinWallet, hashOf, type UtxoCoin } from './actors.ts'
import { rawTransaction } from './raw.ts'

const day = 86_400
const satoshisPerCoin = 100_000_000
/** Seconds after which `passOn` spends received coins. */
const hop = 1_300
/** Nodes do not relay outputs below this, in satoshis. */
const dust = 546

export type Coin = { txid: string; vout: number; address: string; value: number }
/** An output without an address contains data or pays to a bare key. */
export type Output = { address: string | null; value: number }
export type PlannedTx = { txid: string; at: number; vin: Coin[]; vout: Output[]; fee: number }

type Scene = {
  coin: UtxoCoin
  at: number
  random: Random
  wallet: BitcoinWallet
  state: State
  satoshisOf: (usd: number) => number
}
type State = { coins: Coin[]; received: number; changed: number }

/**
 * Plans the tracked wallets' transactions from `days` before the anchor to `daysAhead` after it. A pure
 * function.
 */
export function planUtxoCoin(options: {
  coin: UtxoCoin
  market: Market
  days: number
  daysAhead: number
}): PlannedTx[] {
  const { coin, market, days, daysAhead } = options
  const random = createRandom(hashText(market.seed, coin.id))
  const states = new Map(
    coin.wallets.map((wallet) => [wallet, { coins: [], received: 0, changed: 0 } as State]),
  )
  const [from, to] = [market.anchor - days * day, market.anchor + daysAhead * day]
  const count = Math.round((to - from) / (2.5 * day))
  const times = Array.from({ length: count }, () => Math.floor(random.between(from, to))).sort(
    (a, b) => a - b,
  )
  let last = -Infinity
  return times
    .map((at) => (last = Math.max(at, last + 2 * hop)))
    .flatMap((at) => {
      const wallet = random.weighted(coin.wallets.map((one) => [one, one.weight] as const))
      const price = market.priceUsd(coin.id, at)!
      const satoshisOf = (usd: number): number => Math.round((usd / price) * satoshisPerCoin)
      const scene = { coin, at, random, wallet, state: states.get(wallet)!, satoshisOf }
      const act = random.weighted(acts)
      return act(scene) ?? deposit(scene)!
    })
}

const acts: (readonly [(scene: Scene) => PlannedTx | PlannedTx[] | null, number])[] = [
  [passOn, 8],
  [deposit, 34],
  [payout, 12],
  [pay, 34],
  [toSelf, 7],
  [consolidate, 6],
  [joint, 7],
]

function deposit(scene: Scene): PlannedTx | null {
  const { random } = scene
  const value = scene.satoshisOf(random.size(150, 9_000))
  const payer = random.pick(scene.coin.outsiders)
  const vin = [foreignCoin(scene, payer, Math.round(value * random.between(1.1, 3)))]
  return build(scene, vin, [{ address: receiveAddress(scene), value }], payer)
}

/** Receives a payment and sends everything on two blocks later. */
function passOn(scene: Scene): PlannedTx[] {
  const received = deposit(scene)!
  const vin = scene.state.coins.splice(0, scene.state.coins.length)
  const payment = {
    address: scene.random.pick(scene.coin.outsiders),
    value: Math.floor(sumOf(vin) * 0.99) - 20_000,
  }
  return [received, build({ ...scene, at: scene.at + hop }, vin, [payment], null)]
}

/** An exchange pays many receivers in one transaction. */
function payout(scene: Scene): PlannedTx | null {
  const { random } = scene
  const others = Array.from({ length: 8 + random.integer(40) }, () => ({
    address: random.pick(scene.coin.outsiders),
    value: scene.satoshisOf(random.size(50, 20_000)),
  }))
  const own = { address: receiveAddress(scene), value: scene.satoshisOf(random.size(100, 5_000)) }
  const vout = [...others.slice(0, 3), own, ...others.slice(3)]
  const total = sumOf(vout)
  const { exchange } = scene.coin
  return build(scene, [foreignCoin(scene, exchange, Math.round(total * 1.2))], vout, exchange)
}

function pay(scene: Scene): PlannedTx | null {
  const { random, state } = scene
  const held = sumOf(state.coins)
  const value = Math.min(scene.satoshisOf(random.size(40, 6_000)), Math.floor(held * 0.8))
  const vin = value > 2 * dust ? take(scene, value + 20_000) : null
  if (!vin) return null
  const data = random.chance(0.15) ? [{ address: null, value: 0 }] : []
  return build(scene, vin, [{ address: random.pick(scene.coin.outsiders), value }, ...data], null)
}

function toSelf(scene: Scene): PlannedTx | null {
  const held = sumOf(scene.state.coins)
  const value = Math.floor(held * 0.3)
  const vin = value > 20_000 ? take(scene, value + 20_000) : null
  return vin && build(scene, vin, [{ address: receiveAddress(scene), value }], null)
}

function consolidate(scene: Scene): PlannedTx | null {
  const { coins } = scene.state
  if (coins.length < 5 || sumOf(coins) < 100_000) return null
  return build(scene, coins.splice(0, coins.length), [], null)
}

/** Several people contribute inputs to one transaction. */
function joint(scene: Scene): PlannedTx | null {
  const { random } = scene
  const vin = take(scene, scene.satoshisOf(300))
  if (!vin) return null
  const share = sumOf(vin)
  const others = [random.pick(scene.coin.outsiders), random.pick(scene.coin.outsiders)]
  const vout = others.map((address) => ({ address, value: Math.floor(share * 0.9) }))
  return build(scene, [...vin, ...others.map((one) => foreignCoin(scene, one, share))], vout, null)
}

const sumOf = (rows: readonly { value: number }[]): number => rows.reduce((sum, one) => sum + one.value, 0)

/** Takes the wallet's coins, largest first, until they cover `value`; null when they do not. */
function take({ state }: Scene, value: number): Coin[] | null {
  state.coins.sort((a, b) => b.value - a.value)
  let sum = 0
  const count = state.coins.findIndex((one) => (sum += one.value) >= value) + 1
  return count === 0 ? null : state.coins.splice(0, count)
}

/** Usually the next address; sometimes skips some, like people who create more addresses than they use. */
function receiveAddress({ wallet, state, random }: Scene): string {
  if (random.chance(0.8)) state.received += random.chance(0.05) ? 15 : 1
  return wallet.addressAt(0, state.received)
}

function foreignCoin({ at, random }: Scene, address: string, value: number): Coin {
  return { txid: hashOf(`${address} ${at} ${random.next()}`), vout: random.integer(3), address, value }
}

/** Builds a transaction with a fee and change to `changeTo`, or to the wallet when null. */
function build(scene: Scene, vin: Coin[], outputs: Output[], changeTo: string | null): PlannedTx {
  const { at, random, wallet, state } = scene
  const virtualBytes = 11 + 68 * vin.length + 31 * (outputs.length + 1)
  const spare = sumOf(vin) - sumOf(outputs)
  if (spare <= 0) throw new Error(`sandbox ${scene.coin.id}: a transaction at ${at} spends more than it has`)
  const fee = Math.min(Math.round(virtualBytes * random.size(1.2, 60)), Math.floor(spare / 2))
  const rest = spare - fee
  const change = changeTo ?? wallet.addressAt(1, state.changed++)
  const vout = rest > dust ? [...outputs, { address: change, value: rest }] : outputs
  const txid = rawTransaction({ vin, vout }, scene.coin.network).getId()
  vout.forEach(({ address, value }, index) => {
    const isOwn = address !== null && isOwnAddress(scene, address)
    if (isOwn) state.coins.push({ txid, vout: index, address, value })
  })
  return { txid, at, vin, vout, fee: rest > dust ? fee : fee + rest }
}

function isOwnAddress({ wallet, state }: Scene, address: string): boolean {
  return (
    address === wallet.addressAt(0, state.received) ||
    address === wallet.addressAt(1, Math.max(0, state.changed - 1))
  )
}
