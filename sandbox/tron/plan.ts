import type { Random } from '../chain/random.ts'
import type { Market } from '../market/market.ts'
import { type Act, type Instant, playScenes } from '../scenes.ts'
import { exchange, outsiders, payer, pool, scam, spammer, tronWallets, usdt, wrappedTrx } from './actors.ts'
import { createTx, deposit, type Draft, heldBy, type TronTx, withdrawal } from './ledger.ts'

/** Sun that a wallet keeps for fees. */
const reserve = 100_000_000n
/** Sun that a TRC-20 transfer burns without energy. */
const tokenFee = 13_844_850n
const bandwidthFee = 345_000n

type Scene = {
  at: number
  random: Random
  wallet: string
  txs: TronTx[]
  trxOf: (usd: number) => bigint
  usdtOf: (usd: number) => bigint
  add: (draft: Omit<Draft, 'at'>) => void
}

/** Plans the tracked wallets' transactions. A pure function. */
export function planTron({ market }: { market: Market }): TronTx[] {
  const txs: TronTx[] = []
  const sceneAt = (facts: Instant): Scene => {
    const at = Math.max(facts.at, (txs.at(-1)?.at ?? 0) + 60)
    const unitsOf = (coinId: string) => (usd: number) =>
      BigInt(Math.round((usd / market.priceUsd(coinId, at)!) * 1e6))
    const add = (draft: Omit<Draft, 'at'>): void => {
      txs.push(createTx({ ...draft, at: at + 3 * txs.filter((tx) => tx.at >= at).length }, txs.length))
    }
    return { ...facts, at, txs, trxOf: unitsOf('tron'), usdtOf: unitsOf('tether'), add }
  }
  playScenes({ market, name: 'tron', everyDays: 2.6, wallets: tronWallets, acts, usual: receive, sceneAt })
  return txs
}

const acts: Act<Scene>[] = [
  [receive, 14],
  [receiveUsdt, 18],
  [send, 9],
  [sendUsdt, 14],
  [buy, 9],
  [sell, 9],
  [wrapAndBack, 4],
  [fail, 5],
  [freeze, 4],
  [unfreeze, 3],
  [claim, 5],
  [approve, 3],
  [paidInside, 5],
  [spam, 4],
]

const call = 'TriggerSmartContract'
const spendable = ({ wallet, txs }: Scene): bigint => heldBy(wallet, txs).trx - reserve
const usdtHeld = ({ wallet, txs }: Scene): bigint => heldBy(wallet, txs).tokens.get(usdt.address) ?? 0n
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

function receive({ random, wallet, trxOf, add }: Scene): boolean {
  add({
    type: 'TransferContract',
    owner: exchange,
    to: wallet,
    value: trxOf(random.size(100, 3_000)),
    fee: bandwidthFee,
  })
  return true
}

function receiveUsdt({ random, wallet, usdtOf, add }: Scene): boolean {
  const from = random.pick(outsiders)
  const value = usdtOf(random.size(20, 3_000))
  add({
    type: call,
    owner: from,
    to: usdt.address,
    data: 'a9059cbb',
    fee: tokenFee,
    events: [{ name: 'transfer', token: usdt, from, to: wallet, value }],
  })
  return true
}

function send(scene: Scene): boolean {
  const value = least(scene.trxOf(scene.random.size(30, 1_500)), spendable(scene) / 2n)
  if (value < 1_000_000n) return false
  const { wallet: owner, random, add } = scene
  // With the free bandwidth of the day it costs nothing.
  const fee = random.chance(0.5) ? 0n : bandwidthFee
  add({ type: 'TransferContract', owner, to: random.pick(outsiders), value, fee })
  return true
}

function sendUsdt(scene: Scene): boolean {
  const value = least(scene.usdtOf(scene.random.size(20, 2_000)), usdtHeld(scene) / 2n)
  if (value < 1_000_000n || spendable(scene) < tokenFee) return false
  const { wallet: owner, random, add } = scene
  const to = random.pick(outsiders)
  // Frozen TRX gives the energy.
  const fee = random.chance(0.3) ? 0n : tokenFee
  const events = [{ name: 'transfer' as const, token: usdt, from: owner, to, value }]
  add({ type: call, owner, to: usdt.address, data: 'a9059cbb', fee, events })
  return true
}

function buy(scene: Scene): boolean {
  const usd = scene.random.size(50, 1_000)
  const value = scene.trxOf(usd)
  if (value > spendable(scene) - 2n * tokenFee) return false
  const { wallet: owner, usdtOf, add } = scene
  const events = [
    { name: 'transfer' as const, token: usdt, from: pool, to: owner, value: usdtOf(usd * 0.997) },
  ]
  add({ type: call, owner, to: pool, value, data: 'fb3bdb41', fee: 2n * tokenFee, events })
  return true
}

function sell(scene: Scene): boolean {
  const usd = scene.random.size(50, 1_000)
  const given = scene.usdtOf(usd)
  if (given > usdtHeld(scene) || spendable(scene) < 2n * tokenFee) return false
  const { wallet: owner, trxOf, add } = scene
  add({
    type: call,
    owner,
    to: pool,
    data: '18cbafe5',
    fee: 2n * tokenFee,
    events: [{ name: 'transfer', token: usdt, from: owner, to: pool, value: given }],
    internals: [{ from: pool, to: owner, value: trxOf(usd * 0.997) }],
  })
  return true
}

function wrapAndBack(scene: Scene): boolean {
  const value = spendable(scene) / 4n
  if (value < 10_000_000n) return false
  const { wallet: owner, add } = scene
  const to = wrappedTrx.address
  add({ type: call, owner, to, value, data: 'd0e30db0', fee: 1_000_000n, events: [deposit(owner, value)] })
  add({
    type: call,
    owner,
    to,
    data: '2e1a7d4d',
    fee: 1_000_000n,
    events: [withdrawal(owner, value)],
    internals: [{ from: to, to: owner, value }],
  })
  return true
}

/** A call without enough energy burns its limit. */
function fail(scene: Scene): boolean {
  if (spendable(scene) < 2n * tokenFee) return false
  const { wallet: owner, add } = scene
  add({ type: call, owner, to: usdt.address, data: 'a9059cbb', failed: true, fee: 2n * tokenFee })
  return true
}

function freeze(scene: Scene): boolean {
  const frozen = spendable(scene) / 3n
  if (frozen < 10_000_000n) return false
  scene.add({ type: 'FreezeBalanceV2Contract', owner: scene.wallet, frozen })
  scene.add({ type: 'VoteWitnessContract', owner: scene.wallet })
  return true
}

/** Asks for it, and takes it two weeks later at the earliest. */
function unfreeze(scene: Scene): boolean {
  const { frozen } = heldBy(scene.wallet, scene.txs)
  if (frozen < 10_000_000n) return false
  scene.add({ type: 'WithdrawExpireUnfreezeContract', owner: scene.wallet, frozen: -frozen })
  return true
}

function claim(scene: Scene): boolean {
  const { frozen } = heldBy(scene.wallet, scene.txs)
  if (frozen === 0n) return false
  scene.add({ type: 'WithdrawBalanceContract', owner: scene.wallet, reward: frozen / 300n + 1n })
  return true
}

function approve(scene: Scene): boolean {
  if (spendable(scene) < tokenFee) return false
  const { wallet: owner, add } = scene
  add({
    type: call,
    owner,
    to: usdt.address,
    data: '095ea7b3',
    fee: tokenFee / 2n,
    events: [{ name: 'approval', token: usdt, from: owner, to: pool, value: 10n ** 12n }],
  })
  return true
}

/** A contract pays the wallet in a transaction of somebody else. */
function paidInside({ random, wallet, trxOf, add }: Scene): boolean {
  add({
    type: call,
    owner: random.pick(outsiders),
    to: payer,
    data: '4e71d92d',
    fee: tokenFee,
    internals: [{ from: payer, to: wallet, value: trxOf(random.size(10, 400)) }],
  })
  return true
}

function spam({ wallet, add }: Scene): boolean {
  const receivers = [...outsiders, wallet]
  const value = 777_000_000n
  const events = receivers.map((to) => ({ name: 'transfer' as const, token: scam, from: spammer, to, value }))
  add({ type: call, owner: spammer, to: scam.address, data: '729ad39e', fee: 10n * tokenFee, events })
  return true
}
