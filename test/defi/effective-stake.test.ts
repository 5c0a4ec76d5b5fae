import { expect, test } from 'vitest'
import { effectiveStake } from '../../activities/defi/solana/effective-stake.ts'

// published/solana-staking.test.ts compares it with the stake program. A node may answer with a history of later epochs
// than the one that is read, which that program never sees.

const CLUSTER = { effective: 1_000n, activating: 200n, deactivating: 200n }
const historyOf = (from: number, to: number) =>
  new Map(Array.from({ length: to - from + 1 }, (_, i) => [BigInt(from + i), CLUSTER]))
const NEVER = 2n ** 64n - 1n

test.each([
  ['starts', { stake: 200n, activationEpoch: 10n, deactivationEpoch: NEVER }, [0n, 90n, 139n, 166n]],
  ['ends', { stake: 200n, activationEpoch: 1n, deactivationEpoch: 10n }, [200n, 110n, 61n, 34n]],
])('stake that %s does so up to the epoch, also with a history of later ones', (_, delegation, expected) => {
  const stakeAt = (epoch: bigint, to: number) =>
    effectiveStake(delegation, { epoch, history: historyOf(10, to) })
  const epochs = [10n, 11n, 12n, 13n]
  const upTo = (more: number) => epochs.map((epoch) => stakeAt(epoch, Number(epoch) + more))
  expect(upTo(0)).toEqual(expected)
  expect(upTo(9)).toEqual(expected)
})

test('stake that is withdrawn in the epoch of its start never was staked, known to the history or not', () => {
  const delegation = { stake: 200n, activationEpoch: 10n, deactivationEpoch: 10n }
  for (const epoch of [9n, 10n, 11n, 12n])
    for (const history of [historyOf(9, 20), historyOf(11, 20), new Map()])
      expect(effectiveStake(delegation, { epoch, history })).toBe(0n)
})
