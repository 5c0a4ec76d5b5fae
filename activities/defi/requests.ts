import { countHolders } from '../../db/defi/count-for-plan.ts'
import { NETWORKS } from '../../db/values/networks.ts'
import { type AreaRequests, pacedSeconds, regular } from '../requests.ts'
import { BATCH_WALLETS } from './read-batches.ts'

/**
 * Calls of a batch: the head, and five of Multicall3 that its wallets share; on Ethereum three more for the pools of
 * Convex (docs/decisions.md).
 */
const callsOfBatch = (networkId: string): number => (networkId === 'ethereum' ? 9 : 6)

/** What a household has, as docs/live.md assumes it. */
const ASSUMED = ['ethereum', 'base-wallet', 'polygon-wallet', 'arbitrum-wallet'].map((networkId) => ({
  networkId,
  holders: 6,
}))

/** What wallets with positions ask of the nodes of their networks. */
export const defiRequests: AreaRequests = async (db, { schedule, nodeOf }) => {
  const names = new Map(NETWORKS.map(({ id, name }): [string, string] => [id, name]))
  const counted = (db ? await countHolders(db) : ASSUMED).flatMap((one) => {
    const node = nodeOf(one.networkId)
    return node === null ? [] : { ...one, node, name: names.get(one.networkId) ?? one.networkId }
  })
  const { everySeconds, input } = schedule('refresh-defi')
  const seconds = pacedSeconds(everySeconds, (input as { olderThanSeconds: number }).olderThanSeconds * 1_000)
  return {
    counts: Object.fromEntries(counted.map((one) => [`wallets with positions on ${one.name}`, one.holders])),
    askings: counted.map(({ networkId, node: { source, unitsOfCall }, name, holders }) => {
      const each = callsOfBatch(networkId) * Math.ceil(holders / BATCH_WALLETS)
      const asking = regular({ source, what: `positions on ${name}`, each, seconds })
      return { ...asking, units: asking.requests * unitsOfCall }
    }),
  }
}
