import { Endian, getI32Codec } from '@solana/codecs'
import { openPosition, type Position } from '../position.ts'
import { readParts } from '../read-parts.ts'
import { decodeAccount, readAccount } from './codecs.ts'
import { liquidityAssets, type PoolState } from './concentrated-liquidity.ts'
import { accountsOfNfts } from './position-nfts.ts'
import type { SolanaProtocol } from './protocol.ts'
import { ammConfig, personalPosition, poolState, TICKS_OF_ARRAY, tickArrayState } from './raydium-layout.ts'
import { sqrtPriceAt } from './raydium-ticks.ts'
import type { ChainAccount, SlotReader } from './slot-reader.ts'
import { rangeOf, type TickArrays } from './tick-arrays.ts'
import { amountOfVault } from './token-account.ts'

/** https://docs.raydium.io/raydium/protocol/developers/addresses */
export const RAYDIUM_CLMM = 'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK'
const PROGRAMS = [RAYDIUM_CLMM]

type Pool = ReturnType<typeof poolState.decode>

const bigEndian = getI32Codec({ endian: Endian.Big })

/** Positions of concentrated liquidity whose NFT the account holds. */
export const raydium: SolanaProtocol = {
  id: 'raydium',
  name: 'Raydium',
  family: 'Raydium CLMM',
  networks: ['solana'],
  async read(input) {
    const [found = []] = await accountsOfNfts(input, { program: RAYDIUM_CLMM, seeds: ['position'] })
    const parts = found.map((account) => ({ id: account.address, account }))
    return await readParts(parts, ({ account }) => readPosition(account, input.reader))
  },
}

async function readPosition(account: ChainAccount, reader: SlotReader): Promise<Position | null> {
  const { address: id } = account
  const position = decodeAccount(account, { address: id, programs: PROGRAMS, codec: personalPosition })
  const { poolId: poolAddress, liquidity } = position
  const state = await readAccount(reader, { address: poolAddress, programs: PROGRAMS, codec: poolState })
  const [config, range, vaults] = await Promise.all([
    readAccount(reader, { address: state.ammConfig, programs: PROGRAMS, codec: ammConfig }),
    rangeOf(position, { arrays, pool: { address: poolAddress, tickSpacing: state.tickSpacing }, reader }),
    Promise.all(state.rewardInfos.map((reward) => amountOfVault(reward, reader))),
  ])
  const pool: PoolState = {
    sqrtPrice: state.sqrtPriceX64,
    tick: state.tickCurrent,
    growths: [state.feeGrowthGlobal0X64, state.feeGrowthGlobal1X64, ...rewardGrowths(state, reader)],
  }
  const { feeGrowthInside0LastX64, feeGrowthInside1LastX64, tokenFeesOwed0, tokenFeesOwed1 } = position
  const assets = liquidityAssets({
    liquidity,
    role: 'supplied',
    pool,
    ...range,
    earnings: [
      { mint: state.tokenMint0, from: feeGrowthInside0LastX64, owed: tokenFeesOwed0, most: null },
      { mint: state.tokenMint1, from: feeGrowthInside1LastX64, owed: tokenFeesOwed1, most: null },
      ...position.rewardInfos.map(({ growthInsideLastX64: from, rewardAmountOwed: owed }, i) => ({
        mint: state.rewardInfos[i]!.mint,
        from,
        owed,
        most: vaults[i]!,
      })),
    ],
  })
  return openPosition({ id, name: `Liquidity ${config.tradeFeeRate / 10_000}%`, poolAddress, assets })
}

const arrays: TickArrays = {
  program: RAYDIUM_CLMM,
  ticksOfArray: TICKS_OF_ARRAY,
  seedOf: (start) => bigEndian.encode(start),
  sqrtPriceAt,
  async outsideOf({ address, index }, reader) {
    const { ticks } = await readAccount(reader, { address, programs: PROGRAMS, codec: tickArrayState })
    const { feeGrowthOutside0X64, feeGrowthOutside1X64, rewardGrowthsOutsideX64 } = ticks[index]!
    return [feeGrowthOutside0X64, feeGrowthOutside1X64, ...rewardGrowthsOutsideX64]
  },
}

/** Growths of the rewards up to the reader's time. */
const rewardGrowths = ({ liquidity, rewardInfos }: Pool, { block }: SlotReader): bigint[] =>
  rewardInfos.map(({ openTime, endTime, lastUpdateTime, emissionsPerSecondX64, growthGlobalX64 }) => {
    const now = BigInt(block.at.getTime() / 1_000)
    const passed = (now < endTime ? now : endTime) - lastUpdateTime
    if (now <= openTime || passed <= 0n || liquidity === 0n) return growthGlobalX64
    const growth = (passed * emissionsPerSecondX64) / liquidity
    // More than 128 bits hold is nothing, as in the program.
    return growth < 2n ** 128n ? growthGlobalX64 + growth : growthGlobalX64
  })
