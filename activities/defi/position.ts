import { zeroAddress } from 'viem'
import type { NetworkId } from '../../db/values/networks.ts'
import type { BlockReader } from './block-reader.ts'
import type { ByNetwork } from './deployments/by-network.ts'
import type { HeldToken } from './held-tokens.ts'

/** The account owns all roles except borrowed, which it owes. */
export type AssetRole =
  | 'supplied'
  | 'borrowed'
  | 'staked'
  | 'locked'
  | 'unclaimed'
  | 'withdrawing'
  | 'claimable'

export interface PositionAsset {
  role: AssetRole
  /** contract, lower case; null: the native asset */
  token: string | null
  /** base units, never negative */
  raw: bigint
  /**
   * decimal text: interest in a year in percent, without interest on it, at the rate that the protocol states at the
   * block; of a debt what it costs. Absent or null: it states none
   */
  aprPercent?: string | null | undefined
}

/** An account's position in one place of a protocol, in the assets that it would withdraw or has to repay. */
export interface Position {
  /**
   * the same in every read, unique among the protocol's positions on a network. If a token of the account stands for
   * the whole position, its address (lower case), from which follows what the position cost
   */
  id: string
  name: string
  /** contract, lower case */
  poolAddress: string
  /** decimal text, liquidated below 1; null: no debt, or not given by the protocol */
  healthRate: string | null
  /** start (and, in `endAt`, end) of the time for withdrawal; null: any time, or not known yet */
  unlockAt: Date | null
  endAt: Date | null
  /** a contract of the account holds it; absent: the account itself does */
  isProxy?: boolean
  /** without zero amounts */
  assets: PositionAsset[]
}

export interface ProtocolReading {
  positions: Position[]
  /** positions that did not answer, so existence and content are unknown */
  unknown: { id: string; reason: string }[]
}

/** Protocols of one family have the same contracts and one reader. */
export type Family =
  | ('Aave v3' | 'Aave staking' | 'Compound v2' | 'Compound v3' | 'Morpho Blue')
  | ('EigenLayer' | 'ERC-4626' | 'GMX staking' | 'Lido' | 'Staked tokens' | 'Vote locks')
  | ('Balancer v2' | 'Balancer v3' | 'Convex' | 'Curve' | 'Slipstream' | 'Solidly' | 'Uniswap v2')
  | ('Maker' | 'Pendle' | 'Stargate' | 'Uniswap v3' | 'Uniswap v4')
  | ('Kamino Lend' | 'Marinade' | 'Native staking' | 'Raydium CLMM' | 'SPL stake pools' | 'Whirlpools')

export interface ProtocolNames {
  /** as in the table `defi_protocols` */
  id: string
  /** as in the table `defi_protocols` */
  name: string
  family: Family
  networks: readonly NetworkId[]
}

/** Reads the positions of an account in one protocol at the reader's block. Throws when nothing answers. */
export interface Protocol extends ProtocolNames {
  read: (input: Reads & { networkId: NetworkId }) => Promise<ProtocolReading>
}

interface Reads {
  reader: BlockReader
  account: string
  /** the tokens that came to the account, lower case, held or not */
  received: readonly string[]
  /** what the account holds of them */
  held: () => Promise<HeldToken[]>
  /** ids of the NFTs of a contract (lower case) that ever came to the account */
  nfts: (contract: string) => Promise<bigint[]>
}

/** What a protocol's reader gets: `deployment` is that of the network. */
export type ReadInput<Deployment> = Reads & { deployment: Deployment }

/** Defines a protocol with its deployments by network; `read` gets the deployment of its network. */
export function defineProtocol<Deployment>(spec: {
  id: string
  name: string
  family: Family
  deployments: ByNetwork<Deployment>
  read: (input: ReadInput<Deployment>) => Promise<ProtocolReading>
}): Protocol {
  const { id, name, family, deployments } = spec
  return {
    id,
    name,
    family,
    networks: Object.keys(deployments) as NetworkId[],
    read: ({ networkId, ...input }) => spec.read({ ...input, deployment: deployments[networkId]! }),
  }
}

export const nonZero = (assets: readonly PositionAsset[]): PositionAsset[] =>
  assets.filter(({ raw }) => raw > 0n)

/** Rewards that a contract lists with their amounts; its zero address is the native coin. Without zero amounts. */
export const unclaimed = (tokens: readonly string[], amounts: readonly bigint[]): PositionAsset[] =>
  nonZero(
    tokens.map((token, i) => ({
      role: 'unclaimed',
      token: token === zeroAddress ? null : token.toLowerCase(),
      raw: amounts[i] ?? 0n,
    })),
  )

/** Defaults of most positions: no debt, no lock. */
export const OPEN = { healthRate: null, unlockAt: null, endAt: null } as const

/** A position without debt and lock; null: without assets. */
export function openPosition(of: {
  id: string
  name: string
  poolAddress?: string
  assets: readonly PositionAsset[]
}): Position | null {
  const { id, name, poolAddress = id } = of
  const assets = nonZero(of.assets)
  return assets.length === 0 ? null : { id, name, poolAddress, ...OPEN, assets }
}
