import type { DefiWallet } from '../../db/defi/due-wallets.ts'
import type { ProtocolReading } from './position.ts'

export interface PinnedBlock {
  number: number
  hash: string
  at: Date
}

export interface WalletToRead extends DefiWallet {
  /** tokens that came to the wallet, held or not */
  received: readonly string[]
  /** those of which it has a stored balance */
  tokens: readonly string[]
  /** those of which it has one, and which are indivisible */
  nfts: readonly string[]
}

/** What a read of wallets needs of their network, at one block. */
export interface NetworkAtBlock {
  source: string
  block: PinnedBlock
  /** The readers of all its protocols, for one wallet. */
  protocolsOf: (wallet: WalletToRead) => { id: string; read: () => Promise<ProtocolReading> }[]
  readTokens: (addresses: readonly string[]) => Promise<TokenMetadata[]>
}

interface TokenMetadata {
  address: string
  symbol: string | null
  name: string | null
  decimals: number | null
}

/** Takes the newest block. `walletIds`: all that are going to be read at it. */
export type OpenNetwork = (of: { networkId: string; walletIds: readonly string[] }) => Promise<NetworkAtBlock>
