import type { ProtocolNames, ProtocolReading } from '../position.ts'
import type { SlotReader } from './slot-reader.ts'

export interface SolanaReads {
  reader: SlotReader
  account: string
  /** mints of the tokens that came to the account, held or not */
  received: readonly string[]
  /** mints of which the account had one token at the last sync, and tokens are indivisible */
  nfts: readonly string[]
  /** Base units that the account holds, by mint. Asked of the node once, and only if a protocol asks. */
  held: () => Promise<ReadonlyMap<string, bigint>>
}

/** Reads the positions of an account in one protocol. Throws when nothing answers. */
export interface SolanaProtocol extends ProtocolNames {
  read: (input: SolanaReads) => Promise<ProtocolReading>
}
