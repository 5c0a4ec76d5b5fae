import { airdrop, lookalike, operator, outsiders, router, spammer, wallets, type Address } from './actors.ts'
import { call, contractOf } from './calls.ts'
import { spendableWei, type Operation } from './operations.ts'
import { tokenOf } from './tokens.ts'
import type { World } from './world.ts'

const ether = 10n ** 18n

/** A transaction that is mined and reverts: it pays gas and moves nothing. */
export const fail: Operation = (scene) => {
  const { world, network, who, at } = scene
  const { ledger, pools } = world.chains[network]
  const failed = { kind: 'failed', from: who.address, fails: true } as const
  const valueWei = spendableWei(scene, 0.02, 0.2)
  if (valueWei === 0n) return false
  if (world.random.chance(0.5)) {
    // Slippage: demands more than any pool can pay.
    const pool = tokenOf(network, world.random.pick(pools.keys()))
    const data = call('Router', 'swapExactEthForTokens', [pools.addressOf(pool.key), 2n ** 200n, who.address])
    ledger.send(at, { ...failed, to: router, valueWei, data, gas: 260_000n })
  } else {
    const token = tokenOf(network, 'USDC')
    const data = call('Token', 'transfer', [world.random.pick(outsiders), 10n ** 30n])
    ledger.send(at, { ...failed, to: token.address, data, gas: 90_000n })
  }
  return true
}

/** Fake Transfer events of spam tokens: to every wallet, or from one of them without its signature. */
export const spam: Operation = ({ world, network, who, at }) => {
  const { ledger } = world.chains[network]
  const mass = network === 'base-wallet' || world.random.chance(0.5)
  const token = tokenOf(network, mass ? 'SPAM1' : 'SPAM2')
  const to = mass
    ? [...wallets.map((w) => w.address), ...outsiders]
    : [lookalike(world.random.pick(outsiders), at)]
  const from = to.map(() => (mass ? token.address : who.address))
  const value = BigInt(1000 + world.random.integer(90_000)) * 10n ** BigInt(token.decimals)
  const data = call('SpamToken', 'fake', [from, to, value])
  ledger.send(at, { kind: 'spam', from: spammer, to: token.address, data, gas: 400_000n })
  return true
}

/**
 * Address poisoning: a transfer of zero real tokens from the wallet to a lookalike of an address it knows.
 */
export const poison: Operation = ({ world, network, who, at }) => {
  const { ledger } = world.chains[network]
  const token = tokenOf(network, 'USDC')
  const known: Address = world.random.pick([
    ...wallets.filter((w) => w !== who).map((w) => w.address),
    ...outsiders,
  ])
  const data = call('Token', 'transferFrom', [who.address, lookalike(known, at), 0n])
  ledger.send(at, { kind: 'poison', from: spammer, to: token.address, data, gas: 80_000n })
  return true
}

const nftOwners = new WeakMap<World, Map<bigint, Address>>()

/** Mints an NFT for ether, or transfers one to another wallet. */
export const nft: Operation = (scene) => {
  const { world, network, who, at } = scene
  if (network !== 'ethereum') return false
  const { ledger } = world.chains[network]
  const owners = nftOwners.get(world) ?? new Map<bigint, Address>()
  nftOwners.set(world, owners)
  const { address } = tokenOf(network, 'NFT')
  const owned = [...owners].find(([, owner]) => owner === who.address)
  if (owned && world.random.chance(0.5)) {
    const to = world.random.pick(wallets.filter((w) => w !== who)).address
    const data = call('Nft', 'transferFrom', [who.address, to, owned[0]])
    ledger.send(at, { kind: 'nft', from: who.address, to: address, data, gas: 120_000n })
    owners.set(owned[0], to)
    return true
  }
  if (spendableWei(scene, 1, 1) < ether / 10n) return false
  const tokenId = BigInt(owners.size + 1)
  const data = call('Nft', 'mint', [who.address, tokenId])
  ledger.send(at, { kind: 'nft', from: who.address, to: address, valueWei: ether / 25n, data, gas: 150_000n })
  owners.set(tokenId, who.address)
  return true
}

/** Airdrops DROP to all wallets and outsiders in one transaction, and NODEC in another. */
export function dropTokens(world: World, at: number): void {
  const { ledger } = world.chains.ethereum
  const to = [...wallets.map((w) => w.address), ...outsiders]
  for (const key of ['DROP', 'NODEC']) {
    const token = tokenOf('ethereum', key)
    const unit = 10n ** BigInt(token.decimals)
    const amounts = to.map(() => BigInt(100 + world.random.integer(1900)) * unit)
    const sum = amounts.reduce((a, b) => a + b, 0n)
    const fund = call(contractOf[token.kind], 'transfer', [airdrop, sum])
    ledger.send(at, { kind: 'setup', from: operator, to: token.address, data: fund, gas: 120_000n })
    const data = call('Airdrop', 'drop', [token.address, to, amounts])
    ledger.send(at, { kind: 'airdrop', from: operator, to: airdrop, data, gas: 2_500_000n })
    to.forEach((owner, i) => ledger.add(owner, key, amounts[i]!))
  }
}
