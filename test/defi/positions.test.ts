import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readAtHead } from '../../activities/defi/block-reader.ts'
import { LIDO } from '../../activities/defi/deployments/staking.ts'
import type { Position } from '../../activities/defi/position.ts'
import { aaveStaking } from '../../activities/defi/protocols/aave-staking.ts'
import { compoundV3 } from '../../activities/defi/protocols/compound-v3.ts'
import { lido } from '../../activities/defi/protocols/lido.ts'
import { PROTOCOLS } from '../../activities/defi/protocols.ts'
import { createRpcClient } from '../../activities/nodes/rpc-client.ts'
import { tokenOf } from '../../sandbox/chain/tokens.ts'
import { usdcPools } from '../../sandbox/defi/contracts.ts'
import { startDefiChain, watchedNode } from './defi-chain.ts'
import type { DefiChain } from './defi-chain.ts'

// The inputs of the contracts are known; the expected readings are computed here by other means.

const ACCOUNT = '0x00000000000000000000000000000000000000d1'
const OTHER = '0x00000000000000000000000000000000000000d2'
const AAVE_CORE = '0x2f39d218133afab8f2b819b1066c7e434ad94e9e'
const STK_AAVE = '0x4da27a545c0c5b758a6ba100e3a049001de870f5'
const COMET_USDC = '0xc3d688b66703497daa19211eedff47f25384cdc3'
const MANAGER = '0xc36442b4a4522e871399cd717abdd847ab11fe88'
const POOL = usdcPools.ethereum
const { stEth, wstEth, withdrawalQueue } = LIDO.ethereum!
const token = (key: string) => tokenOf('ethereum', key).address
const [WETH, USDC, WBTC, AAVE] = ['WETH', 'USDC', 'WBTC', 'AAVE'].map(token) as [
  string,
  string,
  string,
  string,
]
const protocol = (id: string) => PROTOCOLS.find((one) => one.id === id)!
const [aaveV3, uniswapV3] = [protocol('aave-v3'), protocol('uniswap-v3')]
const RAY = 10n ** 27n
const ETHER = 10n ** 18n
let chain: DefiChain

beforeAll(async () => {
  chain = await startDefiChain('ethereum')
})
afterAll(() => chain.node.stop())

async function readerAt(url = chain.node.url) {
  return await readAtHead(createRpcClient({ url, source: 'rpc:ethereum' }), () => {})
}

async function read(protocol: typeof aaveV3, account = ACCOUNT) {
  const reader = await readerAt()
  const none = async () => []
  const input = { networkId: 'ethereum', account, received: [], held: none, nfts: none } as const
  return { reader, ...(await protocol.read({ reader, ...input })) }
}

/** role, token and base units of each asset. */
const assetsOf = (position: Position | undefined) =>
  position?.assets.map(({ role, token: address, raw }) => [role, address, raw])
/** The quotient of two integers, rounded half up. */
const halfUp = (above: bigint, below: bigint) => (2n * above + below) / (2n * below)

describe('Aave v3', () => {
  const [SUPPLY_RATE, BORROW_RATE] = [951_293_759n * 10n ** 9n, 1_585_489_599n * 10n ** 9n]
  let startS: Record<string, number>

  beforeAll(async () => {
    const reserve = (key: string, decimals: number, price: bigint, threshold: bigint) =>
      chain.send(AAVE_CORE, 'AaveMarket', 'initReserve', [
        token(key),
        decimals,
        price,
        threshold,
        SUPPLY_RATE,
        BORROW_RATE,
      ])
    startS = {
      WETH: await reserve('WETH', 18, 3_000_00000000n, 8_300n),
      USDC: await reserve('USDC', 6, 1_00000000n, 7_800n),
    }
    await chain.send(AAVE_CORE, 'AaveMarket', 'supply', [WETH, 10n * ETHER, ACCOUNT, 0], 1_000)
    await chain.send(AAVE_CORE, 'AaveMarket', 'borrow', [USDC, 9_000_000_000n, 2n, 0, ACCOUNT], 2_000)
    await chain.send(AAVE_CORE, 'AaveMarket', 'supply', [USDC, 5_000_000n, OTHER, 0], 10)
  })

  test('reads supply and debt with interest up to the second of the block, and the health rate', async () => {
    const nowS = await chain.wait(40 * 86_400)
    const { positions, unknown } = await read(aaveV3)
    const index = (key: string, rate: bigint, atS: number) => RAY + rate * BigInt(atS - startS[key]!)
    const grown = (amount: bigint, key: string, rate: bigint, bookedS: number) =>
      halfUp(halfUp(amount * RAY, index(key, rate, bookedS)) * index(key, rate, nowS), RAY)
    const supplied = grown(10n * ETHER, 'WETH', SUPPLY_RATE, startS['USDC']! + 1_000)
    const owed = grown(9_000_000_000n, 'USDC', BORROW_RATE, startS['USDC']! + 3_000)
    expect(positions).toHaveLength(1)
    expect(assetsOf(positions[0])).toEqual([
      ['supplied', WETH, supplied],
      ['borrowed', USDC, owed],
    ])
    expect(positions[0]).toMatchObject({ id: AAVE_CORE, poolAddress: AAVE_CORE, unlockAt: null, endAt: null })
    // 10 WETH of 3,000 USD, of which 83 % count, against 9,000 USD, both with their interest.
    const health = ((Number(supplied) / 1e18) * 3_000 * 0.83) / (Number(owed) / 1e6)
    expect(Number(positions[0]!.healthRate)).toBeCloseTo(health, 6)
    expect(unknown).toEqual([])
  })

  test('the health rate is null without debt, when Aave gives the largest number', async () => {
    const { positions } = await read(aaveV3, OTHER)
    expect(positions).toHaveLength(1)
    expect(positions[0]!.healthRate).toBeNull()
    expect(positions[0]!.assets).toHaveLength(1)
  })

  test('an account without assets has no position', async () => {
    expect((await read(aaveV3, AAVE_CORE)).positions).toEqual([])
  })
})

describe('Compound v3', () => {
  const [SUPPLY_RATE, BORROW_RATE] = [1_268_391n, 1_902_587n]
  const SCALE = 10n ** 15n

  test("reads collateral, debt with interest, and the health rate from the market's feeds", async () => {
    const args = [USDC, 1_000_000n, 1_00000000n, SUPPLY_RATE, BORROW_RATE]
    const startS = await chain.send(COMET_USDC, 'Comet', 'init', args)
    await chain.send(COMET_USDC, 'Comet', 'addAsset', [WETH, ETHER, 3_000_00000000n, 895n * 10n ** 15n])
    await chain.send(COMET_USDC, 'Comet', 'addAsset', [WBTC, 10n ** 8n, 80_000_00000000n, 77n * 10n ** 16n])
    await chain.send(COMET_USDC, 'Comet', 'supplyTo', [ACCOUNT, WETH, 2n * ETHER])
    await chain.send(COMET_USDC, 'Comet', 'supplyTo', [ACCOUNT, WBTC, 5_000_000n])
    const bookedS = await chain.send(
      COMET_USDC,
      'Comet',
      'withdrawFrom',
      [ACCOUNT, ACCOUNT, USDC, 4_000_000_000n],
      500,
    )
    await chain.send(COMET_USDC, 'Comet', 'supplyTo', [OTHER, USDC, 750_000_000n])
    const nowS = await chain.wait(90 * 86_400)
    const { positions, unknown } = await read(compoundV3)
    const index = (atS: number) => SCALE + BORROW_RATE * BigInt(atS - startS)
    const principal = (4_000_000_000n * SCALE) / index(bookedS)
    const owed = (principal * index(nowS)) / SCALE
    expect(owed).toBeGreaterThan(4_000_000_000n)
    expect(positions).toHaveLength(1)
    expect(assetsOf(positions[0])).toEqual([
      ['supplied', WETH, 2n * ETHER],
      ['supplied', WBTC, 5_000_000n],
      ['borrowed', USDC, owed],
    ])
    // (2 x 3,000 x 0.895 + 0.05 x 80,000 x 0.77) / debt
    const health = (5_370 + 3_080) / (Number(owed) / 1e6)
    expect(Number(positions[0]!.healthRate)).toBeCloseTo(health, 8)
    expect(unknown).toEqual([])
  })

  test('an account that only lends has no health rate', async () => {
    const { positions } = await read(compoundV3, OTHER)
    expect(positions).toHaveLength(1)
    expect(positions[0]!.healthRate).toBeNull()
    expect(positions[0]!.assets[0]!.raw).toBeGreaterThan(750_000_000n)
  })
})

describe('Uniswap v3', () => {
  const LIQUIDITY = 2n * 10n ** 15n
  const mint = (values: object) =>
    chain.send(MANAGER, 'PositionManager', 'mint', [
      {
        owner: ACCOUNT,
        token0: USDC,
        token1: WETH,
        fee: 500,
        tickLower: 194_000,
        tickUpper: 198_000,
        liquidity: LIQUIDITY,
        owed0: 0n,
        owed1: 0n,
        since: 0n,
        ...values,
      },
    ])

  test('reads amounts in, below and above the range, and fees that only `collect` gives', async () => {
    const root = Math.sqrt(1e12 / 3_000)
    const tick = Math.floor(Math.log(1e12 / 3_000) / Math.log(1.0001))
    await chain.send(MANAGER, 'PositionManager', 'addPool', [USDC, WETH, 500, POOL])
    await chain.send(POOL, 'ConcentratedPool', 'setPrice', [BigInt(Math.round(root * 2 ** 96)), tick])
    const mintedS = await mint({ owed0: 7_000_000n, owed1: 3n })
    await mint({ tickLower: 199_000, tickUpper: 200_000 })
    await mint({ tickLower: 190_000, tickUpper: 191_000 })
    await mint({ liquidity: 0n, owed0: 5n })
    await mint({ liquidity: 0n })
    const nowS = await chain.wait(100_000)
    const { positions, unknown } = await read(uniswapV3)
    expect(unknown).toEqual([])
    expect(positions.map(({ id }) => id)).toEqual(['1', '2', '3', '4'])
    const [inside, above, below, closed] = positions
    const at = (of: number) => 1.0001 ** (of / 2)
    // x = L (1/√p - 1/√b) and y = L (√p - √a), in doubles.
    const amount = (position: Position | undefined, role: string, address: string) =>
      Number(position?.assets.find((one) => one.role === role && one.token === address)?.raw ?? 0n)
    const L = Number(LIQUIDITY)
    expect(amount(inside, 'supplied', USDC) / (L / root - L / at(198_000))).toBeCloseTo(1, 6)
    expect(amount(inside, 'supplied', WETH) / (L * (root - at(194_000)))).toBeCloseTo(1, 6)
    expect(amount(above, 'supplied', USDC) / (L / at(199_000) - L / at(200_000))).toBeCloseTo(1, 6)
    expect(amount(above, 'supplied', WETH)).toBe(0)
    expect(amount(below, 'supplied', WETH) / (L * (at(191_000) - at(190_000)))).toBeCloseTo(1, 6)
    expect(amount(below, 'supplied', USDC)).toBe(0)
    // 1,000 base units a second for 1e18 of liquidity, on top of what was owed before.
    const earned = BigInt(nowS - mintedS) * 2n
    expect(assetsOf(inside)!.slice(2)).toEqual([
      ['unclaimed', USDC, 7_000_000n + earned],
      ['unclaimed', WETH, 3n + earned],
    ])
    expect(assetsOf(closed)).toEqual([['unclaimed', USDC, 5n]])
    expect(inside).toMatchObject({ name: 'Liquidity 0.05%', poolAddress: POOL, healthRate: null })
  })

  test('a fork is of the family whose pools are told apart as its own are', () => {
    const family = (id: string) => protocol(id).family
    expect(uniswapV3.family).toBe('Uniswap v3')
    expect(['aerodrome-slipstream', 'velodrome-slipstream'].map(family)).toEqual(['Slipstream', 'Slipstream'])
  })

  test('a position whose pool does not answer is unknown instead of worth zero', async () => {
    await chain.send(MANAGER, 'PositionManager', 'addPool', [AAVE, WETH, 3_000, OTHER])
    await mint({ token0: AAVE, token1: WETH, fee: 3_000 })
    const { positions, unknown } = await read(uniswapV3)
    expect(positions.map(({ id }) => id)).toEqual(['1', '2', '3', '4'])
    expect(unknown.map(({ id }) => id)).toEqual(['6'])
  })
})

describe('Lido and staked AAVE', () => {
  const [START_RATE, GAIN] = [1_170_000_000_000_000_000n, 1_112_000_000n]

  test('stETH grows without a transfer, and wstETH is read as the stETH inside it', async () => {
    const startS = await chain.send(stEth, 'Steth', 'init', [START_RATE, GAIN])
    await chain.send(wstEth, 'Wsteth', 'init', [stEth])
    await chain.send(stEth, 'Steth', 'mintShares', [ACCOUNT, 3n * ETHER])
    await chain.send(wstEth, 'Wsteth', 'mint', [ACCOUNT, ETHER / 2n])
    const nowS = await chain.wait(30 * 86_400)
    const { positions } = await read(lido)
    const rate = START_RATE + GAIN * BigInt(nowS - startS)
    expect(positions.map(assetsOf)).toEqual([[['staked', stEth, 3n * rate]], [['staked', stEth, rate / 2n]]])
  })

  test('reads pending withdrawals as requested and finalised ones as they will be paid', async () => {
    for (const amount of [2n, 4n, 6n])
      await chain.send(withdrawalQueue, 'WithdrawalQueue', 'requestWithdrawal', [ACCOUNT, amount * ETHER])
    await chain.send(withdrawalQueue, 'WithdrawalQueue', 'finalize', [1n, 10_000n])
    await chain.send(withdrawalQueue, 'WithdrawalQueue', 'finalize', [2n, 9_500n])
    const { positions } = await read(lido)
    const queue = positions.find(({ id }) => id === withdrawalQueue)
    expect(assetsOf(queue)).toEqual([
      ['withdrawing', null, 6n * ETHER],
      ['claimable', null, 2n * ETHER],
      ['claimable', null, (4n * ETHER * 95n) / 100n],
    ])
    expect(queue).toMatchObject({ unlockAt: null, endAt: null })
  })

  test('reads staked AAVE as redeemable, its rewards, and the times of a cooldown until its window is over', async () => {
    await chain.send(STK_AAVE, 'StakedAave', 'init', [AAVE, 10n ** 11n, 500n])
    const stakedS = await chain.send(STK_AAVE, 'StakedAave', 'stake', [ACCOUNT, 20n * ETHER])
    const locked = await read(aaveStaking)
    expect(locked.positions[0]).toMatchObject({ unlockAt: null, endAt: null })
    const cooldownS = await chain.send(STK_AAVE, 'StakedAave', 'cooldownOnBehalfOf', [ACCOUNT], 3_600)
    const nowS = await chain.wait(86_400)
    const { positions } = await read(aaveStaking)
    expect(assetsOf(positions[0])).toEqual([
      ['staked', AAVE, 19n * ETHER],
      ['unclaimed', AAVE, 10n ** 11n * BigInt(nowS - stakedS)],
    ])
    expect(positions[0]).toMatchObject({
      unlockAt: new Date((cooldownS + 20 * 86_400) * 1_000),
      endAt: new Date((cooldownS + 22 * 86_400) * 1_000),
    })
    await chain.wait(22 * 86_400)
    expect((await read(aaveStaking)).positions[0]).toMatchObject({ unlockAt: null, endAt: null })
  })
})

describe('one block', () => {
  test('blocks mined during a read do not change it', async () => {
    const before = await read(aaveV3)
    let calls = 0
    let mined = Promise.resolve(0)
    const watched = await watchedNode(chain.node, async (body) => {
      if (!body.includes('eth_call')) return
      calls++
      mined = mined.then(() => chain.send(AAVE_CORE, 'AaveMarket', 'supply', [WETH, ETHER, ACCOUNT, 0]))
      await mined
    })
    const reader = await readerAt(watched.url)
    const input = {
      reader,
      networkId: 'ethereum',
      account: ACCOUNT,
      received: [],
      held: async () => [],
      nfts: async () => [],
    } as const
    const { positions } = await aaveV3.read(input)
    await watched.stop()
    expect(calls).toBeGreaterThan(3)
    expect(reader.block.hash).toBe(before.reader.block.hash)
    expect(positions).toEqual(before.positions)
    const after = await read(aaveV3)
    expect(after.positions[0]!.assets[0]!.raw - positions[0]!.assets[0]!.raw).toBeGreaterThan(
      BigInt(calls - 1) * ETHER,
    )
  })
})
