import type { NetworkId } from '../../db/values/networks.ts'
import type { BlockReader } from './block-reader.ts'

/** staked, supplied, unclaimed, claimable and withdrawing belong to the account; borrowed is owed by it. */
export type AssetRole = 'supplied' | 'borrowed' | 'staked' | 'unclaimed' | 'withdrawing' | 'claimable'

export interface PositionAsset {
  role: AssetRole
  /** contract, lower case; null: the native asset */
  token: string | null
  /** base units, never negative */
  raw: bigint
}

/** What an account has in one place of a protocol, in the assets it would get out or has to pay back. */
export interface Position {
  /** the same in every read, unique among the protocol's positions on a network */
  id: string
  name: string
  /** contract, lower case */
  poolAddress: string
  /** decimal text, liquidated below 1; null: nothing is owed, or the protocol did not say */
  healthRate: string | null
  /** when it can be taken out, and until when; null: at any time, or nobody knows yet */
  unlockAt: Date | null
  endAt: Date | null
  /** those that are not zero */
  assets: PositionAsset[]
}

export interface ProtocolReading {
  positions: Position[]
  /** positions that did not answer: whether they are there, and what they hold, is not known */
  unknown: { id: string; reason: string }[]
}

/** One protocol: how the positions of an account are read at the reader's block. Throws when it does not answer at all. */
export interface Protocol {
  /** as in the table `defi_protocols` */
  id: string
  networks: readonly NetworkId[]
  read: (input: { reader: BlockReader; networkId: NetworkId; account: string }) => Promise<ProtocolReading>
}

/** A protocol from its deployments by network, of which the reader is given its own. */
export function defineProtocol<Deployment>(spec: {
  id: string
  deployments: Partial<Record<NetworkId, Deployment>>
  read: (input: { reader: BlockReader; deployment: Deployment; account: string }) => Promise<ProtocolReading>
}): Protocol {
  const { id, deployments } = spec
  return {
    id,
    networks: Object.keys(deployments) as NetworkId[],
    read: ({ networkId, ...input }) => spec.read({ ...input, deployment: deployments[networkId]! }),
  }
}

/** A position lists what is in it. */
export const nonZero = (assets: readonly PositionAsset[]): PositionAsset[] =>
  assets.filter(({ raw }) => raw > 0n)

/** What most positions have: no debt, no lock. */
export const OPEN = { healthRate: null, unlockAt: null, endAt: null } as const
