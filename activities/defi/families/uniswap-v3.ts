import { maxUint128, parseAbi } from 'viem'
import type { BlockReader } from '../block-reader.ts'
import { contractAt } from '../contract-at.ts'
import type { ByNetwork } from '../deployments/by-network.ts'
import { OPEN, defineProtocol, nonZero } from '../position.ts'
import type { PositionAsset, Protocol, ProtocolReading, ReadInput } from '../position.ts'
import { amountsOf } from '../uniswap-amounts.ts'

type Address = `0x${string}`

const MANAGER_ABI = parseAbi([
  'struct CollectParams { uint256 tokenId; address recipient; uint128 amount0Max; uint128 amount1Max; }',
  'function factory() view returns (address)',
  'function balanceOf(address owner) view returns (uint256)',
  'function tokenOfOwnerByIndex(address owner, uint256 index) view returns (uint256)',
  'function positions(uint256 tokenId) view returns (uint96 nonce, address operator, address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint128 liquidity, uint256 feeGrowthInside0LastX128, uint256 feeGrowthInside1LastX128, uint128 tokensOwed0, uint128 tokensOwed1)',
  'function collect(CollectParams params) payable returns (uint256 amount0, uint256 amount1)',
])
const FACTORY_ABI = parseAbi([
  'function getPool(address token0, address token1, uint24 fee) view returns (address)',
])
const SPACED_FACTORY_ABI = parseAbi([
  'function getPool(address token0, address token1, int24 tickSpacing) view returns (address)',
])
// Omits the fields after the tick.
const POOL_ABI = parseAbi(['function slot0() view returns (uint160 sqrtPriceX96, int24 tick)'])

/** What tells the pools of two tokens apart. */
type PoolKey = 'fee' | 'tickSpacing'

interface LiquidityNft {
  tokenId: bigint
  token0: Address
  token1: Address
  /** hundredths of a basis point; or the tick spacing, where that tells the pools of two tokens apart */
  fee: number
  tickLower: number
  tickUpper: number
  liquidity: bigint
}

/**
 * Liquidity NFTs that the account itself owns. A staked NFT belongs to the staking contract and is not read.
 */
export function uniswapV3(spec: {
  id: string
  name: string
  managers: ByNetwork<string>
  poolsBy?: PoolKey
}): Protocol {
  const { managers: deployments, poolsBy = 'fee', ...names } = spec
  return defineProtocol({
    ...names,
    family: poolsBy === 'fee' ? 'Uniswap v3' : 'Slipstream',
    deployments,
    read: (input) => readNfts(input, poolsBy),
  })
}

async function readNfts(
  { reader, deployment, account }: ReadInput<string>,
  poolsBy: PoolKey,
): Promise<ProtocolReading> {
  const reading: ProtocolReading = { positions: [], unknown: [] }
  const owner = account as Address
  const manager = contractAt(MANAGER_ABI, deployment)
  const [count, factoryAddress] = await reader.read([manager('balanceOf', [owner]), manager('factory', [])])
  const tokenIds = await reader.read(
    Array.from({ length: Number(count) }, (_, i) => manager('tokenOfOwnerByIndex', [owner, BigInt(i)])),
  )
  const answers = await reader.tryRead(tokenIds.map((tokenId) => manager('positions', [tokenId])))
  const nfts = tokenIds.flatMap((tokenId, i): LiquidityNft[] => {
    const answer = answers[i]
    if (!answer) {
      reading.unknown.push({ id: String(tokenId), reason: `position ${tokenId} does not answer` })
      return []
    }
    const [, , token0, token1, fee, tickLower, tickUpper, liquidity, , , owed0, owed1] = answer
    // Closed positions stay in the wallet forever.
    if (liquidity === 0n && owed0 === 0n && owed1 === 0n) return []
    return [{ tokenId, token0, token1, fee, tickLower, tickUpper, liquidity }]
  })
  const factory = contractAt(poolsBy === 'fee' ? FACTORY_ABI : SPACED_FACTORY_ABI, factoryAddress)
  const pools = await reader.tryRead(
    nfts.map(({ token0, token1, fee }) => factory('getPool', [token0, token1, fee])),
  )
  const prices = await readPrices(reader, pools)
  // `collect` updates the fees before it pays them; `positions` does not.
  const fees = await reader.tryAs(
    account,
    nfts.map(({ tokenId }) =>
      manager('collect', [{ tokenId, recipient: owner, amount0Max: maxUint128, amount1Max: maxUint128 }]),
    ),
  )
  nfts.forEach((nft, i) => {
    const [pool, collected] = [pools[i], fees[i]]
    const price = pool && prices.get(pool)
    const id = String(nft.tokenId)
    if (!pool || !price || !collected) {
      reading.unknown.push({ id, reason: `pool or fees of position ${id} do not answer` })
      return
    }
    const [sqrtPriceX96, tick] = price
    const { amount0, amount1 } = amountsOf({ ...nft, sqrtPriceX96, tick })
    const [token0, token1] = [nft.token0.toLowerCase(), nft.token1.toLowerCase()]
    const assets: PositionAsset[] = [
      { role: 'supplied', token: token0, raw: amount0 },
      { role: 'supplied', token: token1, raw: amount1 },
      { role: 'unclaimed', token: token0, raw: collected[0] },
      { role: 'unclaimed', token: token1, raw: collected[1] },
    ]
    reading.positions.push({
      id,
      name: poolsBy === 'fee' ? `Liquidity ${nft.fee / 10_000}%` : `Liquidity, tick spacing ${nft.fee}`,
      poolAddress: pool.toLowerCase(),
      ...OPEN,
      assets: nonZero(assets),
    })
  })
  return reading
}

/** Price and tick by pool; a pool that does not answer has none. */
async function readPrices(reader: BlockReader, pools: readonly (Address | null)[]) {
  const distinct = [...new Set(pools.filter((pool) => pool !== null))]
  const slots = await reader.tryRead(distinct.map((pool) => contractAt(POOL_ABI, pool)('slot0', [])))
  return new Map(distinct.map((pool, i) => [pool, slots[i]!]))
}
