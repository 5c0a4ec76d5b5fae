import {
  bridge,
  exchanges,
  operator,
  outsiders,
  router,
  wallets,
  type Address,
  type SandboxWallet,
} from './actors.ts'
import { call, contractOf } from './calls.ts'
import { tokenOf, type NetworkId } from './tokens.ts'
import type { World } from './world.ts'

export type Scene = { world: World; network: NetworkId; who: SandboxWallet; at: number }

/** One action of a wallet. Returns false and does nothing when the balance is too low. */
export type Operation = (scene: Scene) => boolean

const ether = 10n ** 18n
const reserveWei: Record<NetworkId, bigint> = { ethereum: ether / 12n, 'base-wallet': ether / 500n }
/** Tokens that exchanges hold. DROP and the obscure ones come only from airdrops and pools. */
const exchangeTokens = ['USDC', 'USDC', 'USDT', 'DAI', 'WBTC', 'UNI', 'LINK', 'AAVE', 'MKR']
const bridgeSeconds = { low: 600, high: 2400 }

function tokenKeysOn(network: NetworkId): string[] {
  return network === 'ethereum' ? exchangeTokens : ['USDC']
}

/** A random part of the wallet's native balance above its gas reserve. */
export function spendableWei({ world, network, who }: Scene, low: number, high: number): bigint {
  const free = world.chains[network].ledger.balance(who.address, 'ETH') - reserveWei[network]
  if (free <= 0n) return 0n
  const part = BigInt(Math.round(world.random.between(low, high) * 1000))
  return ((free * part) / 1000n / 10n ** 13n) * 10n ** 13n
}

/**
 * A random part of a token of which the wallet holds at least 1 USD; null when there is none or too little
 * gas.
 */
function spendableToken(scene: Scene, keys: readonly string[]): { key: string; amount: bigint } | null {
  const { world, network, who, at } = scene
  const { ledger, pools } = world.chains[network]
  if (ledger.balance(who.address, 'ETH') < reserveWei[network]) return null
  const held = [...new Set(keys)].filter((k) => ledger.balance(who.address, k) > pools.unitsFor(k, 1, at))
  if (held.length === 0) return null
  const key = world.random.pick(held)
  const balance = ledger.balance(who.address, key)
  const part = world.random.chance(0.12) ? 1000n : BigInt(50 + world.random.integer(500))
  return { key, amount: part === 1000n ? balance : (balance * part) / 1000n }
}

function sendToken(
  scene: { world: World; network: NetworkId; at: number },
  transfer: {
    kind: 'deposit' | 'withdraw' | 'transfer' | 'bridge-out' | 'bridge-in'
    from: Address
    to: Address
    key: string
    amount: bigint
  },
): void {
  const { ledger } = scene.world.chains[scene.network]
  const { kind, from, to, key, amount } = transfer
  const token = tokenOf(scene.network, key)
  const data = call(contractOf[token.kind], 'transfer', [to, amount])
  ledger.send(scene.at, { kind, from, to: token.address, data, gas: 90_000n })
  ledger.add(from, key, -amount)
  ledger.add(to, key, amount - (amount * BigInt(token.feeBps)) / 10_000n)
}

export const deposit: Operation = (scene) => {
  const { world, network, who, at } = scene
  const { ledger, pools } = world.chains[network]
  const usd = world.random.size(150, 9000) * (network === 'ethereum' ? 1 : 0.2)
  const first = ledger.balance(who.address, 'ETH') < reserveWei[network] * 3n
  const from = world.random.chance(0.85) ? world.random.pick(exchanges) : operator
  if (first || world.random.chance(0.5)) {
    const valueWei = pools.unitsFor('WETH', first ? usd + 1200 : usd, at)
    ledger.send(at, { kind: 'deposit', from, to: who.address, valueWei })
  } else {
    const key = world.random.pick(tokenKeysOn(network))
    sendToken(scene, { kind: 'deposit', from, to: who.address, key, amount: pools.unitsFor(key, usd, at) })
  }
  return true
}

export const withdraw: Operation = (scene) => {
  const { world, network, who, at } = scene
  const to = world.random.chance(0.7) ? world.random.pick(exchanges) : world.random.pick(outsiders)
  const token = world.random.chance(0.45) ? spendableToken(scene, tokenKeysOn(network)) : null
  if (token) {
    sendToken(scene, { kind: 'withdraw', from: who.address, to, ...token })
    return true
  }
  const valueWei = spendableWei(scene, 0.05, 0.45)
  if (valueWei === 0n) return false
  world.chains[network].ledger.send(at, { kind: 'withdraw', from: who.address, to, valueWei })
  return true
}

export const transferToOwn: Operation = (scene) => {
  const { world, network, who, at } = scene
  const other = world.random.pick(
    wallets.filter((w) => w !== who && at >= world.market.anchor - (730 - w.activeFromDay) * 86_400),
  )
  if (!other) return false
  const token = world.random.chance(0.45) ? spendableToken(scene, tokenKeysOn(network)) : null
  if (token) {
    sendToken(scene, { kind: 'transfer', from: who.address, to: other.address, ...token })
    return true
  }
  const valueWei = spendableWei(scene, 0.03, 0.35)
  if (valueWei === 0n) return false
  world.chains[network].ledger.send(at, { kind: 'transfer', from: who.address, to: other.address, valueWei })
  return true
}

export const wrapOrUnwrap: Operation = (scene) => {
  const { world, network, who, at } = scene
  const { ledger } = world.chains[network]
  const weth = tokenOf(network, 'WETH')
  const held = ledger.balance(who.address, 'WETH')
  if (held > ether / 100n && world.random.chance(0.6)) {
    const amount = world.random.chance(0.5) ? held : held / 2n
    const data = call('Weth', 'withdraw', [amount])
    ledger.send(at, { kind: 'unwrap', from: who.address, to: weth.address, data, gas: 70_000n })
    ledger.add(who.address, 'WETH', -amount)
    ledger.add(who.address, 'ETH', amount)
    return true
  }
  const valueWei = spendableWei(scene, 0.05, 0.4)
  if (valueWei === 0n) return false
  const data = call('Weth', 'deposit', [])
  ledger.send(at, { kind: 'wrap', from: who.address, to: weth.address, valueWei, data, gas: 70_000n })
  ledger.add(who.address, 'WETH', valueWei)
  return true
}

/** Approves the router for a token: without limit, or for exactly the amount to be used. */
function approveRouter(scene: Scene, key: string, amount: bigint): void {
  const { world, network, who, at } = scene
  const { ledger, approved } = world.chains[network]
  if (approved.has(`${who.address} ${key}`)) return
  const token = tokenOf(network, key)
  const endless = world.random.chance(0.6)
  if (endless) approved.add(`${who.address} ${key}`)
  const data = call(contractOf[token.kind], 'approve', [router, endless ? 2n ** 256n - 1n : amount])
  ledger.send(at, { kind: 'approve', from: who.address, to: token.address, data, gas: 80_000n })
}

export const swap: Operation = (scene) => {
  const { world, network, who, at } = scene
  const { pools } = world.chains[network]
  const keys = pools.keys()
  const sold = world.random.chance(0.55) ? spendableToken(scene, keys) : null
  if (sold) {
    pools.recentre(sold.key, at)
    approveRouter(scene, sold.key, sold.amount)
    const target = world.random.pick(keys)
    if (target === sold.key || world.random.chance(0.6)) {
      pools.sell('swap', who.address, sold.key, sold.amount, at)
    } else {
      pools.recentre(target, at)
      pools.exchange(who.address, sold.key, target, sold.amount, at)
    }
    return true
  }
  const valueWei = spendableWei(scene, 0.05, 0.5)
  if (valueWei < ether / 200n) return false
  const key = world.random.pick(keys)
  pools.recentre(key, at)
  pools.buy('swap', who.address, key, valueWei, at)
  return true
}

/** Bridges an amount: it leaves one network and arrives on the other 10 to 40 minutes later. */
export const crossBridge: Operation = (scene) => {
  const { world, network, who, at } = scene
  const target: NetworkId = network === 'ethereum' ? 'base-wallet' : 'ethereum'
  const arrival = Math.round(at + world.random.between(bridgeSeconds.low, bridgeSeconds.high))
  if (arrival > world.market.anchor - 900) return false
  const token = world.random.chance(0.4) ? spendableToken(scene, ['USDC']) : null
  const valueWei = token ? 0n : spendableWei(scene, 0.1, 0.4)
  if (!token && valueWei === 0n) return false
  if (token) sendToken(scene, { kind: 'bridge-out', from: who.address, to: bridge, ...token })
  else world.chains[network].ledger.send(at, { kind: 'bridge-out', from: who.address, to: bridge, valueWei })
  world.later.push({
    at: arrival,
    run: (when) => {
      const there = { world, network: target, at: when }
      if (token) sendToken(there, { kind: 'bridge-in', from: operator, to: who.address, ...token })
      else
        world.chains[target].ledger.send(when, {
          kind: 'bridge-in',
          from: operator,
          to: who.address,
          valueWei,
        })
    },
  })
  return true
}
