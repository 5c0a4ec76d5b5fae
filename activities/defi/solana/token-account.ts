import { getStructCodec, getU64Codec } from '@solana/codecs'
import { networkWithId } from '../../../db/values/networks.ts'
import { TOKEN_PROGRAMS } from '../../nodes/solana-client.ts'
import { publicKey, readAccount } from './codecs.ts'
import type { SlotReader } from './slot-reader.ts'

/** The beginning of a token account, in both token programs. */
export const tokenAccount = getStructCodec([
  ['mint', publicKey()],
  ['owner', publicKey()],
  ['amount', getU64Codec()],
])

/** A mint that programs store where there is none. */
export const NO_MINT = '11111111111111111111111111111111'

const { wrapped } = networkWithId('solana')

/** A mint as the token of an asset. Wrapped SOL counts as SOL, as in transactions. */
export const tokenOf = (mint: string): string | null => (mint === wrapped ? null : mint)

/** Base units in a program's vault; none where there is no mint. */
export async function amountOfVault(
  { mint, vault: address }: { mint: string; vault: string },
  reader: SlotReader,
): Promise<bigint> {
  if (mint === NO_MINT) return 0n
  return (await readAccount(reader, { address, programs: TOKEN_PROGRAMS, codec: tokenAccount })).amount
}
