import { chooseMethods } from './choose-method.ts'
import type { MethodChoice } from './choose-method.ts'
import type { NetworkToFollow } from './method-costs.ts'

/** How networks are followed, as long as it holds. */
export interface KeptMethods {
  of: (networkId: string) => Promise<MethodChoice>
}

/** A method stays this long, unless its node can be asked no more. */
const KEPT_MS = 600_000
/** Nodes and wallets are looked at this often. */
const LOOK_MS = 60_000

/**
 * Chooses the methods of all networks when the first one asks, and again when the wallets of one have doubled, or
 * nodes come or go: by a new setting, because an allowance is spent, or because a key is refused.
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
      if (deps.now().getTime() - lookedAtMs >= LOOK_MS || !kept.has(networkId)) {
        looking ??= look().finally(() => (looking = null))
        await looking
      }
      const found = kept.get(networkId)
      if (!found) throw new Error(`${networkId} is not followed`)
      return found.choice
    },
  }
}

const isSameWay = (a: MethodChoice, b: MethodChoice): boolean =>
  a.method === b.method && a.tickMs === b.tickMs && a.node === b.node

/** Whether wallets have doubled or halved, or nodes or what they offer are others. */
function hasChanged(before: readonly NetworkToFollow[], now: readonly NetworkToFollow[]): boolean {
  return now.some((network) => {
    const old = before.find(({ networkId }) => networkId === network.networkId)
    if (!old || JSON.stringify(nodesOf(old)) !== JSON.stringify(nodesOf(network))) return true
    const [fewer, more] = [old.wallets, network.wallets].toSorted((a, b) => a - b) as [number, number]
    return more >= 2 * Math.max(1, fewer)
  })
}

const nodesOf = ({ nodes }: NetworkToFollow) =>
  nodes.map(({ name, hasReceipts, logBlocks }) => [name, hasReceipts, logBlocks])
