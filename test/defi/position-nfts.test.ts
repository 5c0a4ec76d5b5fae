import { base58 } from '@scure/base'
import { expect, test } from 'vitest'
import { accountsOfNfts } from '../../activities/defi/solana/position-nfts.ts'
import type { SolanaReads } from '../../activities/defi/solana/protocol.ts'
import { keyOf } from '../../sandbox/solana/tokens.ts'

const MINTS = ['a', 'b', 'c'].map(keyOf)
const nameOf = (seed: string, mint: string) => `${seed} of ${mint}`

/** Programs of the accounts that there are, by seed and NFT. `held`: amounts by NFT. */
async function found(input: {
  nfts?: string[]
  owners: Record<string, string>
  held?: Record<string, bigint>
}) {
  const { nfts = MINTS, owners, held = Object.fromEntries(nfts.map((mint) => [mint, 1n])) } = input
  let asked = 0
  const reads = {
    nfts,
    held: () => {
      asked++
      return Promise.resolve(new Map(Object.entries(held)))
    },
    reader: {
      derived: (_: string, [seed, mint]: [string, Uint8Array]) =>
        Promise.resolve(nameOf(seed, base58.encode(mint))),
      accounts: (addresses: string[]) =>
        Promise.resolve(
          addresses.map((address) => (owners[address] ? { address, owner: owners[address] } : null)),
        ),
    },
  } as unknown as SolanaReads
  const accounts = await accountsOfNfts(reads, { program: 'program', seeds: ['single', 'bundle'] })
  return { addresses: accounts.map((own) => own.map(({ address }) => address)), asked }
}

test('accounts are those of the program for NFTs that the wallet holds, by seed in the order of the NFTs', async () => {
  const [a, b, c] = MINTS as [string, string, string]
  const owners = {
    [nameOf('single', a)]: 'program',
    [nameOf('single', b)]: 'another',
    [nameOf('single', c)]: 'program',
    [nameOf('bundle', b)]: 'program',
    [nameOf('bundle', c)]: 'program',
  }
  const all = [
    [nameOf('single', a), nameOf('single', c)],
    [nameOf('bundle', b), nameOf('bundle', c)],
  ]
  expect(await found({ owners })).toEqual({ addresses: all, asked: 1 })
  // One has left, and one is no NFT.
  const held = { [a]: 1n, [b]: 0n, [c]: 2n }
  expect((await found({ owners, held })).addresses).toEqual([[nameOf('single', a)], []])
})

test('the wallet is not asked what it holds if the program keeps nothing for it', async () => {
  const none = { addresses: [[], []], asked: 0 }
  expect(await found({ owners: {} })).toEqual(none)
  expect(await found({ owners: { [nameOf('single', MINTS[0]!)]: 'another' } })).toEqual(none)
  expect(await found({ nfts: [], owners: {} })).toEqual(none)
})

test('a thousand NFTs may be positions, and more are refused', async () => {
  const nfts = Array.from({ length: 1_001 }, () => MINTS[0]!)
  expect((await found({ nfts: nfts.slice(1), owners: {} })).addresses).toEqual([[], []])
  await expect(found({ nfts, owners: {} })).rejects.toThrow('1001 NFTs')
})
