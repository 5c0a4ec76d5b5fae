import fc from 'fast-check'
import {
  type Address,
  encodeAbiParameters,
  type Hex,
  maxUint256,
  parseAbiParameters,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uniswapV4 } from '../../../activities/defi/families/uniswap-v4.ts'
import type { Protocol } from '../../../activities/defi/position.ts'
import { runs } from '../../setup/runs.ts'
import { type Deployed, ERC20, type ProtocolChain, startProtocolChain } from './protocol-chain.ts'
import { artifact } from './published.ts'

// Bytecode of @uniswap/v4-periphery: the PoolManager, the PositionManager and the StateView.

const built = (file: string, name = file) =>
  artifact(`@uniswap/v4-periphery/foundry-out/${file}.sol/${name}.json`)
const SUPPLY = 10n ** 30n
const LATER = 2n ** 40n
const SPACING = 60
const ONE_TO_ONE = 2n ** 96n
/** Actions of the PositionManager, by their numbers in Actions.sol. */
const [INCREASE, DECREASE, MINT, SETTLE, TAKE_PAIR] = ['00', '01', '02', '0b', '11']
const KEY =
  '(address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks) key' as const

let chain: ProtocolChain
let manager: Deployed
let router: Deployed
let token: Deployed
let protocol: Protocol

interface Pool {
  currency0: Address
  currency1: Address
  fee: number
  tickSpacing: number
  hooks: Address
}
/** One with the native coin, and one of two tokens. */
let pools: [Pool, Pool]
let second: Deployed

beforeAll(async () => {
  chain = await startProtocolChain()
  const { deploy, write, deployer } = chain
  const poolManager = await deploy(built('PoolManager', 'PoolManager.default'), [deployer])
  const view = await deploy(built('StateView'), [poolManager.address])
  const places = [poolManager.address, zeroAddress, 100_000n, zeroAddress, zeroAddress]
  manager = await deploy(built('PositionManager'), places)
  router = await deploy(built('SwapRouterNoChecks'), [poolManager.address])
  const erc20 = artifact('@uniswap/v2-core/build/ERC20.json')
  const both = [await deploy(erc20, [SUPPLY]), await deploy(erc20, [SUPPLY])].toSorted((a, b) =>
    BigInt(a.address) < BigInt(b.address) ? -1 : 1,
  )
  ;[token, second] = both as [Deployed, Deployed]
  for (const user of users())
    for (const one of both) {
      await write(deployer, one, 'transfer', [user, SUPPLY / 10n])
      await write(user, one, 'approve', [router.address, maxUint256])
    }
  // What the manager settles comes from its own balance, which spares the permits of Permit2.
  for (const one of both) await write(deployer, one, 'transfer', [manager.address, SUPPLY / 10n])
  await chain.node.call('anvil_setBalance', manager.address, `0x${(10n ** 24n).toString(16)}`)
  const pool = { fee: 3_000, tickSpacing: SPACING, hooks: zeroAddress } as const
  pools = [
    { ...pool, currency0: zeroAddress, currency1: token.address },
    { ...pool, currency0: token.address, currency1: second.address },
  ]
  for (const key of pools) await write(deployer, manager, 'initializePool', [key, ONE_TO_ONE])
  const deployment = {
    manager: manager.address.toLowerCase() as Address,
    view: view.address.toLowerCase() as Address,
  }
  protocol = uniswapV4({ id: 'x', name: 'X', deployments: { ethereum: deployment } })
})
afterAll(() => chain.stop())

const users = (): Address[] => chain.users.slice(0, 2)

type Action = [code: string, params: Hex]
const modify = (user: Address, actions: readonly Action[]): Promise<void> => {
  const codes: Hex = `0x${actions.map(([code]) => code).join('')}`
  const data = encodeAbiParameters(parseAbiParameters('bytes, bytes[]'), [
    codes,
    actions.map(([, params]) => params),
  ])
  return chain.write(user, manager, 'modifyLiquidities', [data, LATER])
}
const settle = ({ currency0, currency1 }: Pool): Action[] =>
  [currency0, currency1].map((currency) => [
    SETTLE!,
    encodeAbiParameters(parseAbiParameters('address, uint256, bool'), [currency, 0n, false]),
  ])
const take = ({ currency0, currency1 }: Pool, to: Address): Action => [
  TAKE_PAIR!,
  encodeAbiParameters(parseAbiParameters('address, address, address'), [currency0, currency1, to]),
]
const liquidity = (code: string, tokenId: bigint, amount: bigint): Action => {
  const types = parseAbiParameters('uint256, uint256, uint128, uint128, bytes')
  const limit = code === DECREASE ? 0n : 2n ** 128n - 1n
  return [code, encodeAbiParameters(types, [tokenId, amount, limit, limit, '0x'])]
}

const ask = <T>(name: string, args: readonly unknown[]) => chain.ask<T>(users()[0]!, manager, name, args)

/** Ids of all NFTs that were made, with their pool. */
async function made(): Promise<{ tokenId: bigint; pool: Pool }[]> {
  const next = await ask<bigint>('nextTokenId', [])
  const ids = Array.from({ length: Number(next) - 1 }, (_, i) => BigInt(i + 1))
  return Promise.all(
    ids.map(async (tokenId) => {
      const [key] = await ask<[Pool, bigint]>('getPoolAndPositionInfo', [tokenId])
      return { tokenId, pool: pools[key.currency0 === zeroAddress ? 0 : 1] }
    }),
  )
}

interface Step {
  kind: 'mint' | 'increase' | 'decrease' | 'collect' | 'swap' | 'give away'
  by: number
  pool: number
  ticks: [number, number]
  amount: number
}
const stepOf: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('mint', 'mint', 'increase', 'decrease', 'collect', 'swap', 'swap', 'give away'),
  by: fc.integer({ min: 0, max: 1 }),
  pool: fc.integer({ min: 0, max: 1 }),
  ticks: fc.tuple(fc.integer({ min: -40, max: 39 }), fc.integer({ min: 1, max: 40 })),
  amount: fc.integer({ min: 10 ** 6, max: 10 ** 12 }),
})

async function step({ kind, by, pool: which, ticks, amount }: Step): Promise<void> {
  const [user, other] = by === 0 ? users() : users().toReversed()
  const pool = pools[which]!
  if (kind === 'mint') {
    const [lower, width] = ticks
    const range = [lower * SPACING, (lower + width) * SPACING] as const
    const most = 2n ** 128n - 1n
    const params = encodeAbiParameters(
      parseAbiParameters(`${KEY}, int24, int24, uint256, uint128, uint128, address, bytes`),
      [pool, ...range, BigInt(amount), most, most, user!, '0x'],
    )
    return modify(user!, [[MINT!, params], ...settle(pool)])
  }
  if (kind === 'swap') {
    const zeroForOne = amount % 2 === 0
    const sqrtPriceLimitX96 = zeroForOne ? 4_295_128_740n : 2n ** 159n
    const value = zeroForOne && which === 0 ? BigInt(amount) : 0n
    const params = { zeroForOne, amountSpecified: -BigInt(amount), sqrtPriceLimitX96 }
    return chain.write(user!, router, 'swap', [pool, params], value)
  }
  const [own] = await ownedBy(user!)
  if (!own) return
  const { tokenId } = own
  if (kind === 'give away') return chain.write(user!, manager, 'transferFrom', [user, other, tokenId])
  if (kind === 'increase')
    return modify(user!, [liquidity(INCREASE!, tokenId, BigInt(amount)), ...settle(own.pool)])
  const all = await ask<bigint>('getPositionLiquidity', [tokenId])
  const part = kind === 'collect' ? 0n : (all * BigInt(amount)) / 10n ** 12n
  return modify(user!, [liquidity(DECREASE!, tokenId, part), take(own.pool, user!)])
}

async function ownedBy(user: Address) {
  const all = await made()
  const owners = await Promise.all(all.map(({ tokenId }) => ask<Address>('ownerOf', [tokenId])))
  return all.filter((_, i) => owners[i]!.toLowerCase() === user.toLowerCase())
}

const balance = async (owner: Address, currency: Address): Promise<bigint> =>
  currency === zeroAddress
    ? BigInt((await chain.node.call('eth_getBalance', owner, 'latest')) as string)
    : chain.ask(owner, { address: currency, abi: ERC20 }, 'balanceOf', [owner])

/** What a withdrawal pays of both currencies; nothing of it stays done. */
async function paid(user: Address, { pool, tokenId }: { pool: Pool; tokenId: bigint }, part: bigint) {
  const balances = () =>
    Promise.all([pool.currency0, pool.currency1].map((currency) => balance(user, currency)))
  let delta: bigint[] = []
  await chain.apart(async () => {
    const before = await balances()
    await modify(user, [liquidity(DECREASE!, tokenId, part), take(pool, user)])
    delta = (await balances()).map((now, i) => now - before[i]!)
  })
  return delta as [bigint, bigint]
}

test('what the reader says is what the manager pays, after any steps of mint, swap, collect, withdrawal and gift', async () => {
  let compared = 0
  const property = fc.asyncProperty(fc.array(stepOf, { minLength: 4, maxLength: 9 }), async (steps) => {
    await chain.apart(async () => {
      for (const pool of [0, 1])
        await step({ kind: 'mint', by: pool, pool, ticks: [-20, 40], amount: 10 ** 12 })
      for (const one of steps) await chain.attempt(() => step(one))
      for (const user of users()) compared += await compare(user)
    })
  })
  await fc.assert(property, { numRuns: runs({ short: 3, long: 100 }) })
  expect(compared).toBeGreaterThan(5)
})

/** Returns the number of positions that it compared. */
async function compare(user: Address): Promise<number> {
  const ids = (await made()).map(({ tokenId }) => tokenId)
  const read = await chain.positions(protocol, user, [], ids)
  const own = await ownedBy(user)
  const expected: { id: string; assets: unknown[] }[] = []
  for (const nft of own) {
    const all = await ask<bigint>('getPositionLiquidity', [nft.tokenId])
    if (all === 0n) continue
    const fees = await paid(user, nft, 0n)
    const sums = await paid(user, nft, all)
    const assets = [nft.pool.currency0, nft.pool.currency1].flatMap((currency, i) => {
      const of = currency === zeroAddress ? null : currency.toLowerCase()
      return [
        { role: 'supplied', token: of, raw: sums[i]! - fees[i]! },
        { role: 'unclaimed', token: of, raw: fees[i]! },
      ]
    })
    expected.push({ id: String(nft.tokenId), assets: assets.filter(({ raw }) => raw > 0n) })
  }
  expect(read.map(({ id, assets }) => ({ id, assets }))).toEqual(expected)
  return expected.length
}

test('an NFT that was burned or never was is no position', async () => {
  expect(await chain.positions(protocol, users()[0]!, [], [999n])).toEqual([])
})
