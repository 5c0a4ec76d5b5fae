import { base58 } from '@scure/base'

/** An account whose data a program keeps. */
export type ProgramAccount = { address: string; owner: string; lamports: bigint; data: Uint8Array }

/** Makes accounts of a program, which hold some data. */
export const accountOf =
  (owner: string) =>
  (address: string, data: ArrayLike<number>): ProgramAccount => ({
    address,
    owner,
    lamports: 5_000_000n,
    data: Uint8Array.from(data),
  })

type Filter = { dataSize: number } | { memcmp: { offset: number; bytes: string } }

const fits =
  ({ data }: ProgramAccount) =>
  (filter: Filter): boolean => {
    if ('dataSize' in filter) return data.length === filter.dataSize
    const { offset, bytes } = filter.memcmp
    const wanted = base58.decode(bytes)
    return Buffer.from(data.subarray(offset, offset + wanted.length)).equals(wanted)
  }

/** As nodes write an account in base64. */
export function encodedAccount(
  { owner, lamports, data }: Omit<ProgramAccount, 'address'>,
  { offset = 0, length = Infinity }: { offset?: number; length?: number } = {},
) {
  const part = Buffer.from(data.subarray(offset, offset + length))
  return {
    // JSON numbers, as a node writes them; those here fit into a double.
    lamports: Number(lamports),
    owner,
    executable: false,
    data: [part.toString('base64'), 'base64'],
    space: data.length,
  }
}

/** The accounts of a program that pass all filters. */
export const accountsOfProgram = (
  all: readonly ProgramAccount[],
  { program, filters }: { program: string; filters: readonly Filter[] },
) =>
  all
    .filter((one) => one.owner === program && filters.every(fits(one)))
    .map((one) => ({ pubkey: one.address, account: encodedAccount(one) }))
