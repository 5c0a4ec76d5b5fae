import { openPosition, type Position } from '../position.ts'
import { readParts } from '../read-parts.ts'
import { decodeAccount, keyBytes } from './codecs.ts'
import { liquidityAssets, type PoolState } from './concentrated-liquidity.ts'
import {
  dynamicTickArray,
  fixedTickArray,
  positionBundle,
  TICKS_OF_ARRAY,
  whirlpool,
  whirlpoolPosition,
} from './orca-layout.ts'
import { sqrtPriceAt } from './orca-ticks.ts'
import { accountsOfNfts } from './position-nfts.ts'
import type { SolanaProtocol } from './protocol.ts'
import type { ChainAccount, SlotReader } from './slot-reader.ts'
import { rangeOf, type TickArrays } from './tick-arrays.ts'
import { amountOfVault } from './token-account.ts'

/** https://docs.orca.so/developers/architecture */
export const WHIRLPOOLS = 'whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc'
const PROGRAMS = [WHIRLPOOLS]

type Whirlpool = ReturnType<typeof whirlpool.decode>

/** Positions whose NFT the account holds, or the NFT of the bundle that they are in. */
export const orca: SolanaProtocol = {
  id: 'orca',
  name: 'Orca',
  family: 'Whirlpools',
  networks: ['solana'],
  async read(input) {
    const { reader } = input
    const seeds = ['position', 'position_bundle']
    const [alone = [], bundles = []] = await accountsOfNfts(input, { program: WHIRLPOOLS, seeds })
    const bundled = await Promise.all(bundles.map((bundle) => positionsIn(bundle, reader)))
    const parts = [...alone, ...bundled.flat()].map((account) => ({ id: account.address, account }))
    return await readParts(parts, ({ account }) => readPosition(account, reader))
  },
}

async function positionsIn(bundle: ChainAccount, reader: SlotReader): Promise<ChainAccount[]> {
  const { address } = bundle
  const of = decodeAccount(bundle, { address, programs: PROGRAMS, codec: positionBundle })
  const mint = keyBytes(of.positionBundleMint)
  const indexes = Array.from({ length: 8 * of.positionBitmap.length }, (_, index) => index)
  const isOpen = (index: number) => ((of.positionBitmap[index >> 3]! >> (index & 7)) & 1) === 1
  const addresses = indexes
    .filter(isOpen)
    .map((index) => reader.derived(WHIRLPOOLS, ['bundled_position', mint, String(index)]))
  const accounts = await reader.accounts(await Promise.all(addresses))
  return accounts.filter((account) => account !== null)
}

async function readPosition(account: ChainAccount, reader: SlotReader): Promise<Position | null> {
  const { address: id } = account
  const position = decodeAccount(account, { address: id, programs: PROGRAMS, codec: whirlpoolPosition })
  const { whirlpool: poolAddress, liquidity } = position
  const lockAddress = await reader.derived(WHIRLPOOLS, ['lock_config', keyBytes(id)])
  const [poolAccount, lock] = await reader.accounts([poolAddress, lockAddress])
  const state = decodeAccount(poolAccount!, { address: poolAddress, programs: PROGRAMS, codec: whirlpool })
  const [range, vaults] = await Promise.all([
    rangeOf(position, { arrays, pool: { address: poolAddress, tickSpacing: state.tickSpacing }, reader }),
    Promise.all(state.rewardInfos.map((reward) => amountOfVault(reward, reader))),
  ])
  const pool: PoolState = {
    sqrtPrice: state.sqrtPrice,
    tick: state.tickCurrentIndex,
    growths: [state.feeGrowthGlobalA, state.feeGrowthGlobalB, ...rewardGrowths(state, reader)],
  }
  const assets = liquidityAssets({
    liquidity,
    role: lock?.owner === WHIRLPOOLS ? 'locked' : 'supplied',
    pool,
    ...range,
    earnings: [
      { mint: state.tokenMintA, from: position.feeGrowthCheckpointA, owed: position.feeOwedA, most: null },
      { mint: state.tokenMintB, from: position.feeGrowthCheckpointB, owed: position.feeOwedB, most: null },
      ...position.rewardInfos.map(({ growthInsideCheckpoint: from, amountOwed: owed }, i) => ({
        mint: state.rewardInfos[i]!.mint,
        from,
        owed,
        most: vaults[i]!,
      })),
    ],
  })
  return openPosition({ id, name: `Liquidity ${state.feeRate / 10_000}%`, poolAddress, assets })
}

const arrays: TickArrays = {
  program: WHIRLPOOLS,
  ticksOfArray: TICKS_OF_ARRAY,
  seedOf: String,
  sqrtPriceAt,
  async outsideOf({ address, index }, reader) {
    const [account] = await reader.accounts([address])
    const isFixed = account?.data.length === fixedTickArray.fixedSize
    const codec = isFixed ? fixedTickArray : dynamicTickArray
    const tick = decodeAccount(account!, { address, programs: PROGRAMS, codec }).ticks[index]
    return tick ? [tick.feeGrowthOutsideA, tick.feeGrowthOutsideB, ...tick.rewardGrowthsOutside] : null
  },
}

/** Growths of the rewards up to the reader's time. A product beyond 128 bits adds nothing, as in the program. */
function rewardGrowths(
  { liquidity, rewardLastUpdatedTimestamp, rewardInfos }: Whirlpool,
  { block }: SlotReader,
): bigint[] {
  const passed = BigInt(block.at.getTime() / 1_000) - rewardLastUpdatedTimestamp
  return rewardInfos.map(({ growthGlobalX64, emissionsPerSecondX64 }) => {
    const emitted = passed * emissionsPerSecondX64
    return passed <= 0n || liquidity === 0n || emitted >= 2n ** 128n
      ? growthGlobalX64
      : growthGlobalX64 + emitted / liquidity
  })
}
