import { type FixedSizeCodec, fixCodecSize, getBase58Codec } from '@solana/codecs'
import { SourceRejected } from '../../errors.ts'
import { SOLANA } from '../../nodes/solana-call.ts'
import type { ChainAccount } from './slot-reader.ts'

/** 32 bytes, as base58. */
export const publicKey = (): FixedSizeCodec<string> => fixCodecSize(getBase58Codec(), 32)

/** What an account of a program holds. Throws SourceRejected when it is another program's, or not of this layout. */
export function decodeAccount<T>(
  account: ChainAccount | null,
  of: { address: string; programs: readonly string[]; codec: { decode: (data: Uint8Array) => T } },
): T {
  const { address, programs, codec } = of
  if (!account) throw new SourceRejected(SOLANA, `no account ${address}`)
  if (!programs.includes(account.owner))
    throw new SourceRejected(SOLANA, `${address} belongs to ${account.owner}`)
  try {
    return codec.decode(account.data)
  } catch {
    throw new SourceRejected(SOLANA, `${address} is no account of this layout`)
  }
}
