import fc from 'fast-check'
import { type Address, encodeAbiParameters, type Hex, maxUint256, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { balancerV2 } from '../../../activities/defi/families/balancer.ts'
import type { Protocol } from '../../../activities/defi/position.ts'
import { runs } from '../../setup/runs.ts'
import { type Deployed, ERC20, type ProtocolChain, assetsOf, startProtocolChain } from './protocol-chain.ts'
import { artifact } from './published.ts'

// Bytecode of @balancer-labs/v2-deployments, as it stands on the networks: the Vault, weighted and stable pools.

const TASKS = '@balancer-labs/v2-deployments/dist/tasks'
const contract = (task: string, name: string) => artifact(`${TASKS}/${task}/artifact/${name}.json`)
const SUPPLY = 10n ** 30n
const LATER = 2n ** 40n
const FEE = 10n ** 16n
const NOBODY = `0x${'0'.repeat(40)}` as const
const POOL = parseAbi([
  'function getPoolId() view returns (bytes32)',
  'function balanceOf(address) view returns (uint256)',
])

interface Pool extends Deployed {
  id: Hex
  /** as the vault has them: the stable pool is one of its own tokens */
  assets: Address[]
  isStable: boolean
}

let chain: ProtocolChain
let vault: Deployed
let helpers: Deployed
let collector: Deployed
let tokens: Deployed[]
let pools: Pool[]
let protocol: Protocol

const users = (): Address[] => chain.users.slice(0, 2)
/** A kind of a join or an exit, with amounts. */
const encoded = (types: string, values: readonly unknown[]): Hex =>
  encodeAbiParameters(
    types.split(' ').map((type) => ({ type })),
    values,
  )

beforeAll(async () => {
  chain = await startProtocolChain()
  const { deploy, write, ask, deployer } = chain
  const authorizer = await deploy(contract('20210418-authorizer', 'Authorizer'), [deployer])
  const weth = await deploy(artifact('@uniswap/v2-periphery/build/WETH9.json'))
  vault = await deploy(contract('20210418-vault', 'Vault'), [authorizer.address, weth.address, 0n, 0n])
  helpers = await deploy(contract('20210418-vault', 'BalancerHelpers'), [vault.address])
  collector = {
    address: await ask<Address>(deployer, vault, 'getProtocolFeesCollector', []),
    abi: parseAbi([
      'function getActionId(bytes4) view returns (bytes32)',
      'function setSwapFeePercentage(uint256)',
    ]),
  }
  const action = await ask<Hex>(deployer, collector, 'getActionId', ['0x38e9922e'])
  await write(deployer, authorizer, 'grantRole', [action, deployer])
  const fees = await deploy(
    contract('20220725-protocol-fee-percentages-provider', 'ProtocolFeePercentagesProvider'),
    [vault.address, 10n ** 18n, 10n ** 18n],
  )
  const token = artifact('@uniswap/v2-core/build/ERC20.json')
  const made = [await deploy(token, [SUPPLY]), await deploy(token, [SUPPLY])]
  tokens = made
    .map((one) => ({ ...one, address: lower(one.address) }))
    .toSorted((a, b) => (BigInt(a.address) < BigInt(b.address) ? -1 : 1))
  for (const user of users())
    for (const one of tokens) {
      await write(deployer, one, 'transfer', [user, SUPPLY / 10n])
      await write(user, { ...one, abi: ERC20 }, 'approve', [vault.address, maxUint256])
    }
  const weighted = await deploy(contract('20230206-weighted-pool-v3', 'WeightedPoolFactory'), [
    vault.address,
    fees.address,
    '1',
    '1',
  ])
  const stable = await deploy(contract('20230206-composable-stable-pool-v3', 'ComposableStablePoolFactory'), [
    vault.address,
    fees.address,
    '1',
    '1',
  ])
  const both = tokens.map(({ address }) => address)
  const [none, weights] = [
    [NOBODY, NOBODY],
    [8n * 10n ** 17n, 2n * 10n ** 17n],
  ]
  pools = [
    await create(weighted, ['A', 'A', both, weights, none, FEE, deployer]),
    await create(stable, ['B', 'B', both, 200n, none, [0n, 0n], [false, false], FEE / 10n, deployer]),
  ]
  protocol = balancerV2({ id: 'x', name: 'X', vaults: { ethereum: vault.address.toLowerCase() } })
})
afterAll(() => chain.stop())

async function create(factory: Deployed, args: readonly unknown[]): Promise<Pool> {
  const { ask, write, deployer } = chain
  const address = await ask<Address>(deployer, factory, 'create', args)
  await write(deployer, factory, 'create', args)
  const id = await ask<Hex>(deployer, { address, abi: POOL }, 'getPoolId', [])
  const [assets] = await ask<[Address[]]>(deployer, vault, 'getPoolTokens', [id])
  const isStable = assets.length === 3
  return { address: lower(address), abi: POOL, id, assets: assets.map(lower), isStable }
}

const lower = (address: Address) => address.toLowerCase() as Address

const balance = (owner: Address, { address }: Deployed): Promise<bigint> =>
  chain.ask(owner, { address, abi: ERC20 }, 'balanceOf', [owner])

/** Amounts of the two tokens, in the places that the vault has for them. */
const placed = (pool: Pool, amounts: readonly bigint[], own = 0n): bigint[] =>
  pool.assets.map((asset) =>
    asset === pool.address ? own : amounts[tokens.findIndex(({ address }) => address === asset)]!,
  )

const join = (user: Address, pool: Pool, data: Hex): Promise<void> => {
  const request = [pool.assets, pool.assets.map(() => maxUint256), data, false]
  return chain.write(user, vault, 'joinPool', [pool.id, user, user, named(request)])
}
const named = ([assets, maxAmountsIn, userData, fromInternalBalance]: unknown[]) => ({
  assets,
  maxAmountsIn,
  userData,
  fromInternalBalance,
})
const exitOf = (pool: Pool, raw: bigint) => ({
  assets: pool.assets,
  minAmountsOut: pool.assets.map(() => 0n),
  // All tokens for an exact amount of the pool's own.
  userData: encoded('uint256 uint256', [pool.isStable ? 2n : 1n, raw]),
  toInternalBalance: false,
})

interface Step {
  kind: 'supply' | 'swap' | 'withdraw' | 'protocol fee'
  by: number
  pool: number
  amounts: [number, number]
}

async function step(user: Address, { kind, pool: which, amounts }: Step): Promise<void> {
  const pool = pools[which]!
  const [first, second] = amounts.map((one) => BigInt(one) * 10n ** 9n) as [bigint, bigint]
  const { write, deployer } = chain
  if (kind === 'supply')
    return join(user, pool, encoded('uint256 uint256[] uint256', [1n, [first, second], 0n]))
  if (kind === 'protocol fee')
    return write(deployer, collector, 'setSwapFeePercentage', [BigInt(amounts[0]) * 10n ** 5n])
  if (kind === 'withdraw') {
    const raw = ((await balance(user, pool)) * BigInt(amounts[0])) / 10n ** 12n
    return write(user, vault, 'exitPool', [pool.id, user, user, exitOf(pool, raw)])
  }
  const [assetIn, assetOut] = (amounts[0] % 2 === 0 ? tokens : tokens.toReversed()).map(
    ({ address }) => address,
  )
  const swap = { poolId: pool.id, kind: 0, assetIn, assetOut, amount: second, userData: '0x' }
  const funds = { sender: user, fromInternalBalance: false, recipient: user, toInternalBalance: false }
  return write(user, vault, 'swap', [swap, funds, 0n, LATER])
}

const amount = fc.integer({ min: 10 ** 6, max: 10 ** 12 })
const stepOf: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('supply', 'supply', 'swap', 'swap', 'swap', 'withdraw', 'protocol fee'),
  by: fc.integer({ min: 0, max: 1 }),
  pool: fc.integer({ min: 0, max: 1 }),
  amounts: fc.tuple(amount, amount),
})

test('what the reader says is what the vault pays, after any steps of supply, swap, fee and withdrawal', async () => {
  let compared = 0
  const property = fc.asyncProperty(fc.array(stepOf, { minLength: 4, maxLength: 9 }), async (steps) => {
    await chain.apart(async () => {
      for (const pool of pools) {
        const initial = placed(pool, [10n ** 21n + 7n, 10n ** 21n + 3n], 1n)
        await join(users()[0]!, pool, encoded('uint256 uint256[]', [0n, initial]))
      }
      for (const one of steps) {
        await chain.attempt(() => step(users()[one.by]!, one))
        for (const user of users()) for (const pool of pools) compared += await compare(user, pool)
      }
    })
  })
  await fc.assert(property, { numRuns: runs({ short: 2, long: 100 }) })
  expect(compared).toBeGreaterThan(6)
})

/** Returns 1 if the user had liquidity to compare. */
async function compare(user: Address, pool: Pool): Promise<number> {
  const read = assetsOf(await chain.positions(protocol, user, [pool.address, tokens[0]!.address]))
  const raw = await balance(user, pool)
  if (raw === 0n) {
    expect(read).toEqual([])
    return 0
  }
  const [, paid] = await chain.ask<[bigint, bigint[]]>(user, helpers, 'queryExit', [
    pool.id,
    user,
    user,
    exitOf(pool, raw),
  ])
  const expected = pool.assets.flatMap((asset, i) =>
    asset === pool.address ? [] : [['supplied', asset, paid[i]!] as const],
  )
  expect(new Set(read)).toEqual(new Set(expected))
  return 1
}

test('a contract that only names a pool of the vault is none', async () => {
  expect(await chain.positions(protocol, users()[0]!, [vault.address, helpers.address])).toEqual([])
})
