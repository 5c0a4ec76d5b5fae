import { getStructCodec, getU64Codec, getU8Codec } from '@solana/codecs'
import { SourceRejected } from '../../errors.ts'
import { SOLANA } from '../../nodes/solana-call.ts'
import { OPEN, type ProtocolNames } from '../position.ts'
import { readParts } from '../read-parts.ts'
import { publicKey, readAccount } from './codecs.ts'
import type { SolanaProtocol } from './protocol.ts'
import { STAKE_POOL_PROGRAMS } from './stake-pool-list.ts'

export interface StakePool {
  name: string
  /** mint of the pool's token */
  token: string
  /** account of the pool */
  pool: string
}

/** The beginning of a pool's account: https://github.com/solana-program/stake-pool */
export const stakePool = getStructCodec([
  ['accountType', getU8Codec()],
  ['manager', publicKey()],
  ['staker', publicKey()],
  ['stakeDepositAuthority', publicKey()],
  ['stakeWithdrawBumpSeed', getU8Codec()],
  ['validatorList', publicKey()],
  ['reserveStake', publicKey()],
  ['poolMint', publicKey()],
  ['managerFeeAccount', publicKey()],
  ['tokenProgramId', publicKey()],
  ['totalLamports', getU64Codec()],
  ['poolTokenSupply', getU64Codec()],
])

/** Tokens of stake pools that the account holds, in the SOL that they stand for, before a pool's fee for withdrawals. */
export function stakePools({
  pools,
  ...names
}: Pick<ProtocolNames, 'id' | 'name'> & { pools: readonly StakePool[] }): SolanaProtocol {
  return {
    ...names,
    family: 'SPL stake pools',
    networks: ['solana'],
    async read({ reader, received, held }) {
      const known = pools.filter(({ token }) => received.includes(token))
      if (known.length === 0) return { positions: [], unknown: [] }
      const amounts = await held()
      const parts = known.flatMap(({ name, token, pool }) => {
        const tokens = amounts.get(token) ?? 0n
        return tokens === 0n ? [] : { id: token, name, pool, tokens }
      })
      return await readParts(parts, async ({ id, name, pool: address, tokens }) => {
        const pool = await readAccount(reader, { address, programs: STAKE_POOL_PROGRAMS, codec: stakePool })
        if (pool.poolMint !== id) throw new SourceRejected(SOLANA, `${address} is no pool of ${name}`)
        const { totalLamports, poolTokenSupply } = pool
        const raw = poolTokenSupply === 0n ? 0n : (tokens * totalLamports) / poolTokenSupply
        if (raw === 0n) return null
        const assets = [{ role: 'staked' as const, token: null, raw }]
        return { id, name, poolAddress: address, ...OPEN, assets }
      })
    },
  }
}
