import { SourceRejected, SourceUnavailable } from '../../errors.ts'
import type { NodeOffer } from '../../nodes/node-offers.ts'
import type { NodePool } from '../../nodes/node-pool.ts'
import { chooseMethods } from './choose-method.ts'
import type { MethodChoice } from './choose-method.ts'
import type { ReadPlan } from './evm-reader.ts'
import type { NetworkToFollow } from './method-costs.ts'

/** How networks are followed, as long as it holds. */
export interface KeptMethods {
  of: (networkId: string) => Promise<MethodChoice>
}

/** A method stays this long, unless its node can be asked no more. */
const KEPT_MS = 600_000
/** Nodes and wallets are looked at this often. */
const LOOK_MS = 60_000
/** What a node may spend is another when it changes by this part. */
const OTHER_UNITS = 0.05

/**
 * Chooses the methods of all networks when the first one asks, and again when the wallets of one have doubled, or
 * nodes come, go or may spend less: by a new setting, because an allowance is used too fast, or because a key is
 * refused.
 */
export function keepMethods(deps: {
  /** the followed networks, with the nodes that can be asked */
  networks: () => Promise<NetworkToFollow[]>
  now: () => Date
}): KeptMethods {
  const kept = new Map<string, { choice: MethodChoice; sinceMs: number }>()
  let chosenFor: readonly NetworkToFollow[] = []
  let lookedAtMs = -Infinity
  let looking: Promise<void> | null = null

  async function look(): Promise<void> {
    const nowMs = deps.now().getTime()
    const networks = await deps.networks()
    lookedAtMs = nowMs
    if (hasChanged(chosenFor, networks)) {
      chosenFor = networks
      for (const choice of chooseMethods(networks)) keep(choice, { nowMs, networks })
    }
  }

  function lookTogether(): Promise<void> {
    looking ??= look().finally(() => (looking = null))
    return looking
  }

  function keep(choice: MethodChoice, at: { nowMs: number; networks: readonly NetworkToFollow[] }): void {
    const old = kept.get(choice.networkId)
    const nodes = at.networks.find(({ networkId }) => networkId === choice.networkId)?.nodes ?? []
    const isPossible = nodes.some(({ name }) => name === old?.choice.node)
    if (old && isPossible && at.nowMs - old.sinceMs < KEPT_MS) {
      // Looked at again when its time is over.
      chosenFor = []
      return
    }
    const isSame = old && isSameWay(old.choice, choice)
    kept.set(choice.networkId, { choice, sinceMs: isSame ? old.sinceMs : at.nowMs })
  }

  return {
    async of(networkId) {
      if (deps.now().getTime() - lookedAtMs >= LOOK_MS || !kept.has(networkId)) await lookTogether()
      // The look that was on its way may have begun before the network had a wallet.
      if (!kept.has(networkId)) await lookTogether()
      const found = kept.get(networkId)
      if (!found) throw new Error(`${networkId} is not followed`)
      return found.choice
    },
  }
}

/**
 * How a network is to be read now. Throws SourceUnavailable where the nodes bear no method until they offer more
 * again, and SourceRejected where they never do.
 */
export async function readPlan(input: {
  methods: KeptMethods
  networkId: string
  nodes: Pick<NodePool, 'source' | 'shortage'>
}): Promise<ReadPlan> {
  const { methods, networkId, nodes } = input
  const { method, tickMs, reason, node } = await methods.of(networkId)
  if (method !== null) return { tickMs, reason, node }
  const why = reason ?? 'no method can be used'
  const shortage = nodes.shortage('heads')
  if (shortage === null) throw new SourceRejected(nodes.source, why)
  throw new SourceUnavailable(nodes.source, `${why}: ${shortage}`)
}

const isSameWay = (a: MethodChoice, b: MethodChoice): boolean =>
  a.method === b.method && a.tickMs === b.tickMs && a.node === b.node

/** Whether wallets have doubled or halved, or nodes or what they offer are others. */
function hasChanged(before: readonly NetworkToFollow[], now: readonly NetworkToFollow[]): boolean {
  return now.some((network) => {
    const old = before.find(({ networkId }) => networkId === network.networkId)
    if (!old || old.nodes.length !== network.nodes.length) return true
    if (network.nodes.some((node, i) => isOther(old.nodes[i]!, node))) return true
    const [fewer, more] = [old.wallets, network.wallets].toSorted((a, b) => a - b) as [number, number]
    return more >= 2 * Math.max(1, fewer)
  })
}

function isOther(old: NodeOffer, now: NodeOffer): boolean {
  if (old.name !== now.name || old.hasReceipts !== now.hasReceipts || old.logBlocks !== now.logBlocks)
    return true
  const [before, units] = [old.unitsADay ?? Infinity, now.unitsADay ?? Infinity]
  return before !== units && Math.abs(units - before) > before * OTHER_UNITS
}
