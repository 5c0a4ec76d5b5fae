import { createRandom, type Random } from './chain/random.ts'
import type { Market } from './market/market.ts'
import { hashText } from './market/noise.ts'

const day = 86_400
/** How long before the anchor the histories of simulated chains begin, and how long after it they go on. */
const days = 728
const daysAhead = 400

/** Unix seconds at which the histories begin. */
export const beginOf = (market: Market): number => market.anchor - days * day

/** What may happen to a wallet, and how often beside the others. False: it cannot happen, and did not. */
export type Act<Scene> = readonly [(scene: Scene) => boolean, number]

/** When something happens, and to which wallet. */
export type Instant = { at: number; wallet: string; random: Random }

/**
 * Plays two years of a chain, and a while after them: at random instants something happens to one of the wallets, and
 * what is `usual` if that cannot happen. `sceneAt` makes what the acts are given.
 */
export function playScenes<Scene>(options: {
  market: Market
  /** Gives the chain a history of its own. */
  name: string
  /** Between two scenes, on average. */
  everyDays: number
  wallets: readonly { address: string; weight: number }[]
  acts: readonly Act<Scene>[]
  usual: (scene: Scene) => boolean
  sceneAt: (instant: Instant) => Scene
}): void {
  const { market, name, everyDays, wallets, acts, usual, sceneAt } = options
  const random = createRandom(hashText(market.seed, name))
  const [from, to] = [beginOf(market), market.anchor + daysAhead * day]
  const times = Array.from({ length: Math.round((to - from) / (everyDays * day)) }, () =>
    Math.floor(random.between(from, to)),
  ).sort((a, b) => a - b)
  for (const at of times) {
    const wallet = random.weighted(wallets.map((one) => [one.address, one.weight] as const))
    const scene = sceneAt({ at, wallet, random })
    if (!random.weighted(acts)(scene)) usual(scene)
  }
}
