import { encodeAbiParameters, type Hex, keccak256, parseAbi, toHex } from 'viem'
import { contractAt } from '../contract-at.ts'
import type { ByNetwork } from '../deployments/by-network.ts'
import { OPEN, defineProtocol, nonZero } from '../position.ts'
import type { PositionAsset, Protocol, ProtocolReading, ReadInput } from '../position.ts'
import { amountsOf } from '../uniswap-amounts.ts'

const MANAGER_ABI = parseAbi([
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
  'function poolManager() view returns (address)',
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function getPoolAndPositionInfo(uint256 tokenId) view returns (PoolKey key, uint256 info)',
])
const VIEW_ABI = parseAbi([
  'function getSlot0(bytes32 poolId) view returns (uint160 sqrtPriceX96, int24 tick, uint24 protocolFee, uint24 lpFee)',
  'function getPositionInfo(bytes32 poolId, address owner, int24 tickLower, int24 tickUpper, bytes32 salt) view returns (uint128 liquidity, uint256 feeGrowthInside0LastX128, uint256 feeGrowthInside1LastX128)',
  'function getFeeGrowthInside(bytes32 poolId, int24 tickLower, int24 tickUpper) view returns (uint256 feeGrowthInside0X128, uint256 feeGrowthInside1X128)',
])
const POOL_KEY = ['address', 'address', 'uint24', 'int24', 'address'].map((type) => ({ type }))
const NATIVE = `0x${'0'.repeat(40)}`
/** In place of a fee: the pool's hook sets it. */
const DYNAMIC_FEE = 0x80_0000
const WORD = 1n << 256n

export interface UniswapV4 {
  /** PositionManager, lower case */
  manager: Hex
  /** StateView, lower case */
  view: Hex
}

interface LiquidityNft {
  tokenId: bigint
  poolId: Hex
  /** lower case; null: the native coin */
  tokens: [string | null, string | null]
  fee: number
  tickLower: number
  tickUpper: number
}

/**
 * Liquidity NFTs that the account itself owns. The manager does not list them, so those that ever came to the account
 * are asked for their owner. What a pool's hook takes from a withdrawal is not known to its manager.
 */
export function uniswapV4(spec: { id: string; name: string; deployments: ByNetwork<UniswapV4> }): Protocol {
  return defineProtocol({ ...spec, family: 'Uniswap v4', read: readNfts })
}

async function readNfts({
  reader,
  deployment,
  account,
  nfts: nftsOf,
}: ReadInput<UniswapV4>): Promise<ProtocolReading> {
  const reading: ProtocolReading = { positions: [], unknown: [] }
  const manager = contractAt(MANAGER_ABI, deployment.manager)
  const view = contractAt(VIEW_ABI, deployment.view)
  const [poolAddress] = await reader.read([manager('poolManager', [])])
  const received = await nftsOf(deployment.manager)
  // One that was burned has no owner.
  const owners = await reader.tryRead(received.map((tokenId) => manager('ownerOf', [tokenId])))
  const owned = received.filter((_, i) => owners[i]?.toLowerCase() === account)
  const infos = await reader.read(owned.map((tokenId) => manager('getPoolAndPositionInfo', [tokenId])))
  const nfts = owned.map((tokenId, i) => nftOf(tokenId, infos[i]!))
  const [states, growths, slots] = await Promise.all([
    reader.tryRead(
      nfts.map(({ poolId, tickLower, tickUpper, tokenId }) => {
        const salt = toHex(tokenId, { size: 32 })
        return view('getPositionInfo', [poolId, deployment.manager, tickLower, tickUpper, salt])
      }),
    ),
    reader.tryRead(
      nfts.map(({ poolId, tickLower, tickUpper }) =>
        view('getFeeGrowthInside', [poolId, tickLower, tickUpper]),
      ),
    ),
    reader.tryRead(nfts.map(({ poolId }) => view('getSlot0', [poolId]))),
  ])
  nfts.forEach((nft, i) => {
    const id = String(nft.tokenId)
    const [state, growth, slot] = [states[i], growths[i], slots[i]]
    if (!state || !growth || !slot) {
      reading.unknown.push({ id, reason: `the pool of position ${id} does not answer` })
      return
    }
    const [liquidity, ...last] = state
    // Closed positions stay in the wallet until they are burned. Closing one pays its fees.
    if (liquidity === 0n) return
    const [sqrtPriceX96, tick] = slot
    const { amount0, amount1 } = amountsOf({ ...nft, liquidity, sqrtPriceX96, tick })
    const fees = growth.map((now, token) => (((now - last[token]! + WORD) % WORD) * liquidity) >> 128n)
    const assets = nft.tokens.flatMap((token, of): PositionAsset[] => [
      { role: 'supplied', token, raw: [amount0, amount1][of]! },
      { role: 'unclaimed', token, raw: fees[of]! },
    ])
    const name = nft.fee === DYNAMIC_FEE ? 'Liquidity, fee of a hook' : `Liquidity ${nft.fee / 10_000}%`
    reading.positions.push({
      id,
      name,
      poolAddress: poolAddress.toLowerCase(),
      ...OPEN,
      assets: nonZero(assets),
    })
  })
  return reading
}

interface PoolKey {
  currency0: Hex
  currency1: Hex
  fee: number
  tickSpacing: number
  hooks: Hex
}

/** `info`: from its low end 8 bits for a subscriber, and the lower and the upper tick in 24 bits each. */
function nftOf(tokenId: bigint, [key, info]: readonly [PoolKey, bigint]): LiquidityNft {
  const { currency0, currency1, fee, tickSpacing, hooks } = key
  const tickAt = (bit: bigint) => Number(BigInt.asIntN(24, info >> bit))
  return {
    tokenId,
    poolId: keccak256(encodeAbiParameters(POOL_KEY, [currency0, currency1, fee, tickSpacing, hooks])),
    tokens: [tokenOf(currency0), tokenOf(currency1)],
    fee,
    tickLower: tickAt(8n),
    tickUpper: tickAt(32n),
  }
}

const tokenOf = (currency: Hex): string | null => (currency === NATIVE ? null : currency.toLowerCase())
