import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { type Abi, type Address, type Hex, maxUint256 } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stargate } from '../../activities/defi/families/stargate.ts'
import type { AssetRole, Protocol } from '../../activities/defi/position.ts'
import { runs } from '../setup/runs.ts'
import {
  type Deployed,
  ERC20,
  type ProtocolChain,
  assetsOf,
  startProtocolChain,
} from '../defi/published/protocol-chain.ts'
import { artifact, compiled } from '../defi/published/published.ts'
import { npmFiles } from './npm-files.ts'

// The bytecode that Stargate deployed on Ethereum, from @stargatefinance/stg-evm-v2.

interface Deployment {
  address: Address
  abi: Abi
  bytecode: Hex
  deployedBytecode: Hex
  libraries?: Record<string, Address>
}

const NAMES = [
  'StargatePoolUSDC',
  'StargatePoolNative',
  'StargateStaking',
  'StargateMultiRewarder',
  'RewardLib',
  'RewardRegistryLib',
]
const FOLDER = 'deployments/ethereum-mainnet'
const taken = await npmFiles({
  pinned: '@stargatefinance/stg-evm-v2@2.0.6',
  files: NAMES.map((name) => `${FOLDER}/${name}.json`),
})
const deployment = (name: string) =>
  JSON.parse(readFileSync(join(taken, FOLDER, `${name}.json`), 'utf8')) as Deployment
/** LayerZero's endpoint: a pool asks it once for the number of its network. */
const ENDPOINT = compiled({
  name: 'Endpoint',
  file: 'Endpoint.sol',
  text: 'pragma solidity ^0.8.24; contract Endpoint { uint32 public constant eid = 30101; }',
  evmVersion: 'cancun',
})
const SUPPLY = 10n ** 30n
const ONE = 10n ** 18n
const DAY_S = 86_400
/** base units of the smallest amount that a pool pays */
const UNIT = 10n ** 12n
let chain: ProtocolChain
let token: Deployed
let reward: Deployed
let staking: Deployed
let rewarder: Deployed
const user = (): Address => chain.users[0]!

interface Pool {
  of: Deployed
  liquidity: Deployed
  /** null: the native coin */
  paid: Address | null
}
let pools: Pool[]
let protocol: Protocol

beforeAll(async () => {
  chain = await startProtocolChain()
  const { deploy, write, deployer, nowS } = chain
  const erc20 = async () => ({
    ...(await deploy(artifact('@uniswap/v2-core/build/ERC20.json'), [SUPPLY])),
    abi: ERC20,
  })
  token = await erc20()
  reward = await erc20()
  const endpoint = await deploy(ENDPOINT)
  staking = await deploy(deployment('StargateStaking'))
  const { libraries = {} } = deployment('StargateMultiRewarder')
  for (const [name, address] of Object.entries(libraries))
    await chain.node.call('anvil_setCode', address, deployment(name).deployedBytecode)
  rewarder = await deploy(deployment('StargateMultiRewarder'), [staking.address])
  // 18 decimals here and 6 everywhere: a pool pays whole units of 6.
  const own = await deploy(deployment('StargatePoolUSDC'), [
    'LP',
    'LP',
    token.address,
    18,
    6,
    endpoint.address,
    deployer,
  ])
  const native = await deploy(deployment('StargatePoolNative'), [
    'LP',
    'LP',
    18,
    6,
    endpoint.address,
    deployer,
  ])
  pools = await Promise.all(
    [
      { of: own, paid: token.address },
      { of: native, paid: null },
    ].map(async ({ of, paid }) => {
      const address = await chain.ask<Address>(user(), of, 'lpToken', [])
      return { of, paid, liquidity: { address, abi: ERC20 } }
    }),
  )
  for (const { liquidity } of pools) {
    await write(deployer, staking, 'setPool', [liquidity.address, rewarder.address])
    await write(user(), liquidity, 'approve', [staking.address, maxUint256])
  }
  await write(deployer, reward, 'approve', [rewarder.address, maxUint256])
  await write(deployer, rewarder, 'setReward', [
    reward.address,
    10n ** 24n,
    (await nowS()) + 100,
    400 * DAY_S,
  ])
  const places = pools.map(({ liquidity }) => liquidity.address)
  await write(deployer, rewarder, 'setAllocPoints', [reward.address, places, [3, 7]])
  await write(deployer, token, 'transfer', [user(), SUPPLY / 10n])
  await write(user(), token, 'approve', [own.address, maxUint256])
  const deployments = {
    ethereum: {
      staking: staking.address.toLowerCase(),
      pools: pools.map(({ of }) => of.address.toLowerCase()),
    },
  }
  protocol = stargate({ id: 'x', name: 'X', deployments })
})
afterAll(() => chain.stop())

const KINDS = ['deposit', 'redeem', 'stake', 'unstake', 'claim', 'wait', 'send'] as const
interface Step {
  kind: (typeof KINDS)[number]
  pool: number
  part: number
}
const stepOf: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...KINDS),
  pool: fc.integer({ min: 0, max: 1 }),
  part: fc.integer({ min: 1, max: 1_000 }),
})

const balance = (of: Deployed) => chain.ask<bigint>(user(), of, 'balanceOf', [user()])
const staked = ({ liquidity }: Pool) =>
  chain.ask<bigint>(user(), staking, 'balanceOf', [liquidity.address, user()])

async function step({ kind, pool: at, part }: Step): Promise<void> {
  const { write, wait } = chain
  const { of, liquidity, paid } = pools[at]!
  const share = (raw: bigint) => (raw * BigInt(part)) / 1_001n
  const amount = share(ONE)
  if (kind === 'wait') return wait(part * 60)
  if (kind === 'deposit') {
    // The pool of the native coin takes no more than it can keep.
    const whole = paid === null ? amount - (amount % UNIT) : amount
    return write(user(), of, 'deposit', [user(), whole], paid === null ? whole : 0n)
  }
  if (kind === 'redeem') return write(user(), of, 'redeem', [share(await balance(liquidity)), user()])
  if (kind === 'stake')
    return write(user(), staking, 'deposit', [liquidity.address, share(await balance(liquidity))])
  if (kind === 'unstake')
    return write(user(), staking, 'withdraw', [liquidity.address, share(await staked(pools[at]!))])
  // Staking takes any amount, so that parts of the smallest unit that a pool pays are left.
  if (kind === 'send') return write(user(), liquidity, 'transfer', [chain.deployer, BigInt(part)])
  return write(user(), staking, 'claim', [[liquidity.address]])
}

describe('Stargate v2', () => {
  test('what the reader says is what pools and stakes pay, after any steps of deposits, stakes and waiting', async () => {
    const seen = new Set<AssetRole>()
    const property = fc.asyncProperty(fc.array(stepOf, { minLength: 1, maxLength: 8 }), async (steps) => {
      await chain.apart(async () => {
        const first: Step[] = [0, 1].flatMap((pool) => [
          { kind: 'deposit', pool, part: 900 },
          { kind: 'stake', pool, part: 300 },
          { kind: 'wait', pool, part: 60 },
        ])
        for (const one of [...first, ...steps]) await conserving(one)
        for (const role of await compare()) seen.add(role)
      })
    })
    await fc.assert(property, { numRuns: runs({ short: 5, long: 50 }) })
    expect([...seen].toSorted()).toEqual(['staked', 'supplied', 'unclaimed'])
  })
})

/** Does a step. None but a gift changes how many tokens the user has in hand, in pools and staked. */
async function conserving(one: Step): Promise<void> {
  const { of, liquidity, paid } = pools[one.pool]!
  const total = async () => {
    const positions = await chain.positions(protocol, user(), [liquidity.address])
    const own = positions.find(({ id }) => id === of.address.toLowerCase())?.assets ?? []
    const inPool = own.filter(({ role }) => role !== 'unclaimed').reduce((sum, { raw }) => sum + raw, 0n)
    return (await inHand(paid)) + inPool
  }
  const before = await total()
  await chain.attempt(() => step(one))
  if (one.kind === 'send') return
  // What is in hand and what is staked are each cut to a unit that the pool pays.
  const lost = before - (await total())
  expect([lost > -2n * UNIT, lost < 2n * UNIT]).toEqual([true, true])
}

const inHand = async (of: Pool['paid']): Promise<bigint> =>
  of === null
    ? BigInt((await chain.node.call('eth_getBalance', user(), 'latest')) as string)
    : balance({ address: of, abi: ERC20 })

/** Takes each position out, and undoes it. Returns the roles that there were to compare. */
async function compare(): Promise<AssetRole[]> {
  const tokens = pools.map(({ liquidity }) => liquidity.address)
  const positions = await chain.positions(protocol, user(), tokens)
  for (const pool of pools) {
    const id = pool.of.address.toLowerCase()
    const said = assetsOf(positions.filter((position) => position.id === id))
    const token = pool.paid?.toLowerCase() ?? null
    const paid = [
      ['supplied', token, await redeems(pool, await balance(pool.liquidity))],
      ['staked', token, await unstakes(pool)],
      ['unclaimed', reward.address.toLowerCase(), await claims(pool)],
    ] as const
    expect(said).toEqual(paid.filter(([, , raw]) => raw > 0n))
  }
  return positions.flatMap(({ assets }) => assets.map(({ role }) => role))
}

const gained = (of: Pool['paid'], take: () => Promise<void>): Promise<bigint> =>
  chain.apart(async () => {
    const before = await inHand(of)
    await take()
    return (await inHand(of)) - before
  })

const redeems = (pool: Pool, raw: bigint) =>
  gained(pool.paid, () => chain.attempt(() => chain.write(user(), pool.of, 'redeem', [raw, user()])))

/** Without what is in hand, whose parts of a unit would count. */
const unstakes = (pool: Pool) =>
  gained(pool.paid, async () => {
    const raw = await staked(pool)
    if (raw === 0n) return
    await chain.write(user(), pool.liquidity, 'transfer', [chain.deployer, await balance(pool.liquidity)])
    await chain.write(user(), staking, 'withdraw', [pool.liquidity.address, raw])
    await chain.attempt(() => chain.write(user(), pool.of, 'redeem', [raw, user()]))
  })

const claims = (pool: Pool) =>
  gained(reward.address, async () => {
    await chain.stopClock()
    await chain.write(user(), staking, 'claim', [[pool.liquidity.address]])
  })
