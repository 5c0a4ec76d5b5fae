import { createHash } from 'node:crypto'
import { type Address, getProgramDerivedAddress } from '@solana/addresses'
import {
  type Codec,
  type FixedSizeCodec,
  fixCodecSize,
  getBase58Codec,
  getConstantCodec,
  getHiddenPrefixCodec,
  type ReadonlyUint8Array,
} from '@solana/codecs'
import { SourceRejected } from '../../errors.ts'
import { SOLANA } from '../../nodes/solana-call.ts'
import type { ChainAccount, SlotReader } from './slot-reader.ts'

/** 32 bytes, as base58. */
export const publicKey = (): FixedSizeCodec<string> => fixCodecSize(getBase58Codec(), 32)

/** An account of a program that is written with Anchor: its kind is eight bytes of a hash before its fields. */
export function anchorAccount<From, To extends From>(
  kind: string,
  fields: FixedSizeCodec<From, To>,
): FixedSizeCodec<From, To>
export function anchorAccount<From, To extends From>(kind: string, fields: Codec<From, To>): Codec<From, To>
export function anchorAccount<From, To extends From>(kind: string, fields: Codec<From, To>): Codec<From, To> {
  const discriminator = createHash('sha256').update(`account:${kind}`).digest().subarray(0, 8)
  return getHiddenPrefixCodec(fields, [getConstantCodec(discriminator)])
}

/** Address of an account that a program keeps under seeds. Keys are given as bytes. */
export async function derivedAddress(
  program: string,
  seeds: (string | ReadonlyUint8Array)[],
): Promise<string> {
  const [address] = await getProgramDerivedAddress({ programAddress: program as Address, seeds })
  return address
}

export const keyBytes = (key: string) => publicKey().encode(key)

/** An account by its address, and what it has to be. */
interface AccountOf<T> {
  address: string
  programs: readonly string[]
  codec: { decode: (data: Uint8Array) => T }
}

/** Reads what an account of a program holds, as decodeAccount. */
export async function readAccount<T>(reader: SlotReader, of: AccountOf<T>): Promise<T> {
  const [account] = await reader.accounts([of.address])
  return decodeAccount(account!, of)
}

/** What an account of a program holds. Throws SourceRejected when it is another program's, or not of this layout. */
export function decodeAccount<T>(account: ChainAccount | null, of: AccountOf<T>): T {
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
