import type { ClusterStake } from './stake-layout.ts'

/** In each epoch at most this part of the cluster's stake starts or ends. */
const RATE = 0.09

interface Delegation {
  stake: bigint
  activationEpoch: bigint
  deactivationEpoch: bigint
}

/**
 * Lamports of a delegation that are staked in an epoch, as the stake program counts them. What starts or ends in an
 * epoch of the cluster shares what may start or end then, so it can take several.
 */
export function effectiveStake(
  delegation: Delegation,
  { epoch, history }: { epoch: bigint; history: ReadonlyMap<bigint, ClusterStake> },
): bigint {
  const { activationEpoch, deactivationEpoch } = delegation
  const started = startedStake(delegation, { epoch, history })
  if (epoch <= deactivationEpoch) return started
  let left = started
  if (!history.has(deactivationEpoch) || activationEpoch === deactivationEpoch) return 0n
  for (let at = deactivationEpoch; at < epoch && left > 0n; at++) {
    const cluster = history.get(at)
    if (!cluster || cluster.deactivating === 0n) break
    const ended = shareOf(left, cluster.deactivating, cluster.effective)
    left = ended < left ? left - ended : 0n
  }
  return left
}

function startedStake(
  { stake, activationEpoch, deactivationEpoch }: Delegation,
  { epoch, history }: { epoch: bigint; history: ReadonlyMap<bigint, ClusterStake> },
): bigint {
  if (epoch <= activationEpoch) return 0n
  // Older than the history: long since staked.
  if (!history.has(activationEpoch)) return stake
  let started = 0n
  const last = epoch < deactivationEpoch ? epoch : deactivationEpoch
  for (let at = activationEpoch; at < last && started < stake; at++) {
    const cluster = history.get(at)
    if (!cluster || cluster.activating === 0n) break
    started += shareOf(stake - started, cluster.activating, cluster.effective)
  }
  return started < stake ? started : stake
}

/**
 * What a part of the cluster's changing stake changes in one epoch: at least a lamport. In doubles, as the program
 * computes it.
 */
function shareOf(part: bigint, whole: bigint, effective: bigint): bigint {
  const share = (Number(part) / Number(whole)) * (Number(effective) * RATE)
  return share >= 1 ? BigInt(Math.floor(share)) : 1n
}
