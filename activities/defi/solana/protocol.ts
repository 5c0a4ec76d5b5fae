import type { ProtocolNames, ProtocolReading } from '../position.ts'
import type { SlotReader } from './slot-reader.ts'

export interface SolanaReads {
  reader: SlotReader
  account: string
  /** mints of the tokens that came to the account, held or not */
  received: readonly string[]
  /** Base units that the account holds, by mint. Asked of the node once, and only if a protocol asks. */
  held: () => Promise<ReadonlyMap<string, bigint>>
}

/** Reads the positions of an account in one protocol. Throws when nothing answers. */
export interface SolanaProtocol extends ProtocolNames {
  read: (input: SolanaReads) => Promise<ProtocolReading>
}
