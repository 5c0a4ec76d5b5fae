import { SourceRejected } from '../../errors.ts'
import { SOLANA } from '../../nodes/solana-call.ts'
import { keyBytes } from './codecs.ts'
import type { SolanaReads } from './protocol.ts'
import type { ChainAccount } from './slot-reader.ts'

/** Each costs a protocol an account or two, of which a call reads 100. */
const MOST_NFTS = 1_000

/**
 * Accounts that a program keeps for NFTs of a wallet, by seed, each under its seed and the NFT's mint. Asks nothing for a
 * wallet without NFTs, and looks into its token accounts only if the program keeps something.
 */
export async function accountsOfNfts(
  { reader, nfts, held }: SolanaReads,
  { program, seeds }: { program: string; seeds: readonly string[] },
): Promise<ChainAccount[][]> {
  if (nfts.length > MOST_NFTS)
    throw new SourceRejected(SOLANA, `the wallet has ${nfts.length} NFTs, of which any may be a position`)
  const ofSeed = (seed: string) =>
    Promise.all(nfts.map((mint) => reader.derived(program, [seed, keyBytes(mint)])))
  const addresses = (await Promise.all(seeds.map(ofSeed))).flat()
  const accounts = await reader.accounts(addresses)
  const isOf = (account: ChainAccount | null): account is ChainAccount => account?.owner === program
  if (!accounts.some(isOf)) return seeds.map(() => [])
  const own = await held()
  return seeds.map((_, i) =>
    nfts.flatMap((mint, k) => {
      const account = accounts[i * nfts.length + k]!
      return isOf(account) && own.get(mint) === 1n ? account : []
    }),
  )
}
