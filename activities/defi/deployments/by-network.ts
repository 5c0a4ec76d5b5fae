import type { NetworkId } from '../../../db/values/networks.ts'

// The files of this folder hold the entry contracts of the protocols, from their own lists. Other addresses are read
// from these contracts on chain.

export type ByNetwork<T> = Partial<Record<NetworkId, T>>
