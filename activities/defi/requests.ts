import { countHolders } from '../../db/defi/count-for-plan.ts'
import { NETWORKS } from '../../db/values/networks.ts'
import { type AreaRequests, pacedSeconds, regular } from '../requests.ts'
import { SOLANA } from '../nodes/solana-call.ts'
import { CONVEX } from './deployments/convex.ts'
import { isSolana } from './open-network.ts'
import { BATCH_WALLETS } from './read-batches.ts'

/**
 * Calls of a batch: the head, and five of Multicall3 that its wallets share; three more for the pools of Convex where
 * it is (docs/decisions.md).
 */
const callsOfBatch = (networkId: string): number => (networkId in CONVEX ? 9 : 6)

/** Of a batch on Solana: the epoch and the time of the slot, and four of accounts that its wallets share. */
const CALLS_OF_SLOT = 6
/** Of a wallet on Solana: two lists of token accounts, its stake accounts, its tickets and its obligations. */
const CALLS_OF_STAKER = 5
/** `holdersToSweep` leaves them for so much longer. */
const STAKERS_LATER_SECONDS = 55 * 60

/** What a household has, as docs/live.md assumes it. */
const ASSUMED = ['ethereum', 'base-wallet', 'polygon-wallet', 'arbitrum-wallet'].map((networkId) => ({
  networkId,
  holders: 6,
}))

const NODE_OF_SOLANA = { source: SOLANA, unitsOfCall: 1 }

/** What wallets with positions ask of the nodes of their networks. */
export const defiRequests: AreaRequests = async (db, { schedule, nodeOf, planOf }) => {
  const names = new Map(NETWORKS.map(({ id, name }): [string, string] => [id, name]))
  const counted = (db ? await countHolders(db) : ASSUMED).flatMap((one) => {
    const node = isSolana(one.networkId) ? planOf(SOLANA) && NODE_OF_SOLANA : nodeOf(one.networkId)
    return node === null ? [] : { ...one, node, name: names.get(one.networkId) ?? one.networkId }
  })
  const { everySeconds, input } = schedule('refresh-defi')
  const { olderThanSeconds } = input as { olderThanSeconds: number }
  return {
    counts: Object.fromEntries(counted.map((one) => [`wallets with positions on ${one.name}`, one.holders])),
    askings: counted.map((one) => {
      const { source, unitsOfCall } = one.node
      const batches = Math.ceil(one.holders / BATCH_WALLETS)
      const [each, later] = isSolana(one.networkId)
        ? [CALLS_OF_SLOT * batches + CALLS_OF_STAKER * one.holders, STAKERS_LATER_SECONDS]
        : [callsOfBatch(one.networkId) * batches, 0]
      const seconds = pacedSeconds(everySeconds, (olderThanSeconds + later) * 1_000)
      const asking = regular({ source, what: `positions on ${one.name}`, each, seconds })
      return { ...asking, units: asking.requests * unitsOfCall }
    }),
  }
}
