import { hashText } from '../market/noise.ts'
import type { Market } from '../market/market.ts'
import { wallets } from './actors.ts'
import type { PlannedBlock } from './ledger.ts'
import { dropTokens, fail, nft, poison, spam } from './odd-operations.ts'
import {
  crossBridge,
  deposit,
  swap,
  transferToOwn,
  withdraw,
  wrapOrUnwrap,
  type Operation,
} from './operations.ts'
import { planCollections } from './nft-operations.ts'
import { createRandom } from './random.ts'
import type { NetworkId } from './tokens.ts'
import { createChain, type World } from './world.ts'

const day = 86_400
/** The story ends this long before the anchor: room for 64 closing blocks, so that all of it is final. */
const closingSeconds = 900

const operationCount: Record<NetworkId, number> = { ethereum: 1700, 'base-wallet': 560 }
const mix: Record<NetworkId, (readonly [Operation, number])[]> = {
  ethereum: [
    ...([
      [deposit, 24],
      [withdraw, 15],
      [transferToOwn, 20],
      [swap, 26],
      [wrapOrUnwrap, 6],
      [fail, 5],
    ] as const),
    ...([
      [spam, 2.5],
      [poison, 2.5],
      [nft, 3],
      [crossBridge, 3.5],
    ] as const),
  ],
  'base-wallet': [
    ...([
      [deposit, 24],
      [withdraw, 15],
      [transferToOwn, 16],
      [swap, 24],
      [wrapOrUnwrap, 7],
      [fail, 5],
    ] as const),
    ...([
      [spam, 2],
      [poison, 2],
      [crossBridge, 4],
    ] as const),
  ],
}

type Event = { at: number; run(at: number): void }

function runBefore(world: World, at: number): void {
  for (;;) {
    const next = world.later.reduce<Event | null>((a, b) => (b.at < at && (!a || b.at < a.at) ? b : a), null)
    if (!next) return
    world.later.splice(world.later.indexOf(next), 1)
    next.run(next.at)
  }
}

/**
 * Plans the story of both chains from genesis to shortly before `market.anchor`: every block with its
 * transactions. A pure function of its arguments, so an interrupted fill continues where the chain stands.
 * `scale` multiplies the number of operations.
 */
export function planChains(options: {
  market: Market
  genesis: number
  scale: number
}): Record<NetworkId, PlannedBlock[]> {
  const { market, genesis, scale } = options
  const random = createRandom(hashText(market.seed, 'story'))
  const later: World['later'] = []
  const chain = (network: NetworkId) => createChain({ market, seed: market.seed, genesis, network }, later)
  const world: World = {
    market,
    random,
    later,
    chains: { ethereum: chain('ethereum'), 'base-wallet': chain('base-wallet') },
  }
  const begin = genesis + 3600
  const end = market.anchor - closingSeconds
  const times = (['ethereum', 'base-wallet'] as const).flatMap((network) =>
    Array.from({ length: Math.round(operationCount[network] * scale) }, () => ({
      network,
      at: Math.floor(random.between(begin, end - 60)),
    })),
  )
  later.push({ at: market.anchor - 299 * day, run: (at) => dropTokens(world, at) })
  planCollections(world, genesis)
  for (const { network, at } of times.sort((a, b) => a.at - b.at)) {
    runBefore(world, at)
    const active = wallets.filter((w) => at >= genesis + w.activeFromDay * day)
    const who = random.weighted(active.map((w) => [w, w.weight] as const))
    const scene = { world, network, who, at }
    if (!random.weighted(mix[network])(scene)) deposit(scene)
  }
  runBefore(world, Infinity)
  return {
    ethereum: world.chains.ethereum.ledger.blocks,
    'base-wallet': world.chains['base-wallet'].ledger.blocks,
  }
}
