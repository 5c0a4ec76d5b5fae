import { isSourceError } from '../errors.ts'
import { SHARES } from './node-budget.ts'
import type { NodePool, UsableNode } from './node-pool.ts'
import type { PlanRate } from './node-plans.ts'
import { probeNode } from './probe-node.ts'
import type { NodeAbilities } from './probe-node.ts'

/** What a node offers a follower. */
export interface NodeOffer {
  /** host, without the key */
  name: string
  /** whose allowance its calls spend: nodes of several networks may share one */
  account: string
  /** units a day that the account may spend for heads from now on; null: no allowance is known */
  unitsADay: number | null
  /** the vendor's units of a call */
  cost: (method: string) => number
  /** what the account may spend for heads in a second; null: no rate is known */
  rate: PlanRate | null
  hasReceipts: boolean
  /** blocks in one range of logs; 0: it has no logs */
  logBlocks: number
  /** Without them, a range must begin within `logBlocks` of the head. */
  hasOldBlocks: boolean
}

const PROBED_MS = 3_600_000

/** Says what the nodes of pools offer. Each is asked once an hour, about ten calls. */
export function createOffers(now: () => Date): (pool: NodePool) => Promise<NodeOffer[]> {
  const probed = new Map<string, { abilities: NodeAbilities | null; atMs: number }>()

  async function abilitiesOf(key: string, node: UsableNode): Promise<NodeAbilities | null> {
    const known = probed.get(key)
    if (known && now().getTime() - known.atMs < PROBED_MS) return known.abilities
    const abilities = await probeNode(node.client).catch((error: unknown) => {
      if (isSourceError(error)) return null
      throw error
    })
    probed.set(key, { abilities, atMs: now().getTime() })
    return abilities
  }

  return (pool) =>
    Promise.all(
      pool.usable('heads').map(async (node): Promise<NodeOffer> => {
        const { name, plan, client, unitsADay } = node
        // A node that does not answer may be well again in a moment, and the pool passes over it until then.
        const abilities = await abilitiesOf(`${pool.source} ${name}`, node)
        return {
          name,
          account: plan.account,
          unitsADay,
          cost: plan.cost,
          rate: plan.rate && { ...plan.rate, unitsASecond: plan.rate.unitsASecond * SHARES.heads },
          hasReceipts: abilities?.receipts !== null,
          logBlocks: abilities?.logBlocks ?? client.logRange.blocks(),
          hasOldBlocks: abilities?.hasOldBlocks ?? true,
        }
      }),
    )
}
