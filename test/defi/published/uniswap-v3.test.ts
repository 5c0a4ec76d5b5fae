import fc from 'fast-check'
import { type Address, maxUint128, maxUint256, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uniswapV3 } from '../../../activities/defi/families/uniswap-v3.ts'
import type { Protocol } from '../../../activities/defi/position.ts'
import { runs } from '../../setup/runs.ts'
import { type Deployed, ERC20, type ProtocolChain, startProtocolChain } from './protocol-chain.ts'
import { artifact } from './published.ts'

// Bytecode of @uniswap/v3-core and of the manager and router of @uniswap/v3-periphery.

const SUPPLY = 10n ** 30n
const LATER = 2n ** 40n
const FEE = 3_000
const SPACING = 60
let chain: ProtocolChain
let manager: Deployed
let router: Deployed
let tokens: [Address, Address]
let protocol: Protocol

beforeAll(async () => {
  chain = await startProtocolChain()
  const { deploy, write, deployer } = chain
  const periphery = (name: string) =>
    artifact(`@uniswap/v3-periphery/artifacts/contracts/${name}.sol/${name}.json`)
  const factory = await deploy(
    artifact('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json'),
  )
  const weth = await deploy(artifact('@uniswap/v2-periphery/build/WETH9.json'))
  const places = [factory.address, weth.address]
  manager = await deploy(periphery('NonfungiblePositionManager'), [...places, zeroAddress])
  router = await deploy(periphery('SwapRouter'), places)
  const erc20 = artifact('@uniswap/v2-core/build/ERC20.json')
  const both = [await deploy(erc20, [SUPPLY]), await deploy(erc20, [SUPPLY])]
  tokens = both
    .map(({ address }) => address)
    .toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)) as typeof tokens
  for (const user of users())
    for (const { address } of both) {
      await write(deployer, { address, abi: ERC20 }, 'transfer', [user, SUPPLY / 10n])
      for (const to of [manager, router])
        await write(user, { address, abi: ERC20 }, 'approve', [to.address, maxUint256])
    }
  const price = [...tokens, FEE, 2n ** 96n]
  await write(deployer, manager, 'createAndInitializePoolIfNecessary', price)
  protocol = uniswapV3({ id: 'x', name: 'X', managers: { ethereum: manager.address.toLowerCase() } })
})
afterAll(() => chain.stop())

const users = (): Address[] => chain.users.slice(0, 2)

interface Step {
  kind: 'mint' | 'increase' | 'decrease' | 'collect' | 'swap'
  by: number
  ticks: [number, number]
  amount: number
}
const stepOf: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('mint', 'mint', 'increase', 'decrease', 'collect', 'swap', 'swap'),
  by: fc.integer({ min: 0, max: 1 }),
  ticks: fc.tuple(fc.integer({ min: -40, max: 39 }), fc.integer({ min: 1, max: 40 })),
  amount: fc.integer({ min: 10 ** 6, max: 10 ** 12 }),
})

async function idsOf(user: Address): Promise<bigint[]> {
  const count = await chain.ask<bigint>(user, manager, 'balanceOf', [user])
  const ids = Array.from({ length: Number(count) }, (_, i) =>
    chain.ask<bigint>(user, manager, 'tokenOfOwnerByIndex', [user, BigInt(i)]),
  )
  return Promise.all(ids)
}

const liquidityOf = async (user: Address, tokenId: bigint): Promise<bigint> =>
  (await chain.ask<bigint[]>(user, manager, 'positions', [tokenId]))[7]!

const decrease = (tokenId: bigint, liquidity: bigint) => [
  { tokenId, liquidity, amount0Min: 0n, amount1Min: 0n, deadline: LATER },
]
const collect = (tokenId: bigint, recipient: Address) => [
  { tokenId, recipient, amount0Max: maxUint128, amount1Max: maxUint128 },
]

async function step(user: Address, { kind, ticks, amount }: Step): Promise<void> {
  const { write } = chain
  const most = {
    amount0Desired: BigInt(amount),
    amount1Desired: BigInt(amount),
    amount0Min: 0n,
    amount1Min: 0n,
  }
  if (kind === 'mint') {
    const [lower, width] = ticks
    const range = { tickLower: lower * SPACING, tickUpper: (lower + width) * SPACING }
    const pool = { token0: tokens[0], token1: tokens[1], fee: FEE }
    return write(user, manager, 'mint', [{ ...pool, ...range, ...most, recipient: user, deadline: LATER }])
  }
  if (kind === 'swap') {
    const [tokenIn, tokenOut] = amount % 2 === 0 ? tokens : tokens.toReversed()
    const swap = { tokenIn, tokenOut, fee: FEE, recipient: user, deadline: LATER }
    const limits = { amountIn: BigInt(amount), amountOutMinimum: 0n, sqrtPriceLimitX96: 0n }
    return write(user, router, 'exactInputSingle', [{ ...swap, ...limits }])
  }
  const [tokenId] = await idsOf(user)
  if (tokenId === undefined) return
  if (kind === 'increase')
    return write(user, manager, 'increaseLiquidity', [{ tokenId, ...most, deadline: LATER }])
  if (kind === 'decrease') {
    const part = ((await liquidityOf(user, tokenId)) * BigInt(amount)) / 10n ** 12n
    if (part > 0n) await write(user, manager, 'decreaseLiquidity', decrease(tokenId, part))
    return
  }
  // Without fees there is nothing to collect, and the manager reverts.
  const [a, b] = await owed(user, tokenId)
  if (a + b > 0n) await write(user, manager, 'collect', collect(tokenId, user))
}

const owed = (user: Address, tokenId: bigint) =>
  chain.ask<[bigint, bigint]>(user, manager, 'collect', collect(tokenId, user)).catch(() => [0n, 0n] as const)

test('what the reader says is what the manager pays, after any steps of mint, swap, collect and withdrawal', async () => {
  let compared = 0
  const property = fc.asyncProperty(fc.array(stepOf, { minLength: 4, maxLength: 10 }), async (steps) => {
    await chain.apart(async () => {
      await step(users()[0]!, { kind: 'mint', by: 0, ticks: [-20, 40], amount: 10 ** 12 })
      for (const one of steps) await chain.attempt(() => step(users()[one.by]!, one))
      for (const user of users()) compared += await compare(user)
    })
  })
  await fc.assert(property, { numRuns: runs({ short: 10, long: 100 }) })
  expect(compared).toBeGreaterThan(10)
})

/** Returns the number of positions that it compared. */
async function compare(user: Address): Promise<number> {
  const read = await chain.positions(protocol, user)
  const expected = await Promise.all(
    (await idsOf(user)).map(async (tokenId) => {
      const liquidity = await liquidityOf(user, tokenId)
      const paid =
        liquidity === 0n
          ? [0n, 0n]
          : await chain.ask<bigint[]>(user, manager, 'decreaseLiquidity', decrease(tokenId, liquidity))
      const fees = await owed(user, tokenId)
      const assets = [...tokens, ...tokens].map((token, i) => ({
        role: i < 2 ? 'supplied' : 'unclaimed',
        token: token.toLowerCase(),
        raw: [...paid, ...fees][i]!,
      }))
      return { id: String(tokenId), assets: assets.filter(({ raw }) => raw > 0n), isOpen: liquidity > 0n }
    }),
  )
  const open = expected.filter(({ assets, isOpen }) => isOpen || assets.length > 0)
  expect(read.map(({ id, assets }) => ({ id, assets }))).toEqual(
    open.map(({ id, assets }) => ({ id, assets })),
  )
  return open.length
}
