import { type Address, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { COMPOUND_V3_COMETS, STAKED_AAVE } from '../../activities/defi/deployments/lending.ts'
import { LIDO } from '../../activities/defi/deployments/staking.ts'
import { convex } from '../../activities/defi/families/convex.ts'
import { stakedTokens } from '../../activities/defi/families/staked-tokens.ts'
import { aaveStaking } from '../../activities/defi/protocols/aave-staking.ts'
import { compoundV3 } from '../../activities/defi/protocols/compound-v3.ts'
import { lido } from '../../activities/defi/protocols/lido.ts'
import { type Answer, BALANCE, startAnsweringChain, SUPPLY } from './answering-contracts.ts'
import { assetsOf } from './published/protocol-chain.ts'

// Positions of which one side is empty: shares without rewards, rewards without shares, collateral without a supply.
// A contract answers only what a test says, so a question too many fails.

const { chain, user, contract, token } = await startAnsweringChain()
const ETHER = 10n ** 18n
const MILLION = 1_000_000n * ETHER

test('staked tokens: of several that are held, each is read as itself', async () => {
  const [first, second, missing] = [await token([[user, 5n]]), await token([[user, 7n]]), await token([])]
  const row = (at: Address, name: string, underlying: string | null) => ({
    token: at,
    name,
    underlying,
    rate: null,
  })
  const tokens = {
    ethereum: [row(first, 'One', null), row(missing, 'None', null), row(second, 'Two', '0xab')],
  }
  const protocol = stakedTokens({ id: 'x', name: 'X', tokens })
  const positions = await chain.positions(protocol, user, [second, first])
  expect(positions.map((one) => [one.id, one.name, ...assetsOf([one])])).toEqual([
    [first, 'One', ['staked', null, 5n]],
    [second, 'Two', ['staked', '0xab', 7n]],
  ])
})

test('Aave staking: nothing without shares and rewards, and rewards that wait without shares', async () => {
  const aave = await token([])
  const place = (shares: bigint, rewards: bigint, rest: Answer[] = []) =>
    contract(
      [
        [BALANCE, [user], [shares]],
        ['getTotalRewardsBalance(address) view returns (uint256)', [user], [rewards]],
        ...rest,
      ],
      STAKED_AAVE.ethereum,
    )
  await place(0n, 0n)
  expect(await chain.positions(aaveStaking, user)).toEqual([])
  await place(0n, 9n, [
    ['previewRedeem(uint256) view returns (uint256)', [0n], [0n]],
    ['STAKED_TOKEN() view returns (address)', [], [aave]],
    ['REWARD_TOKEN() view returns (address)', [], [aave]],
    ['stakersCooldowns(address) view returns (uint40, uint216)', [user], [0, 0n]],
    ['getCooldownSeconds() view returns (uint256)', [], [10n]],
    ['UNSTAKE_WINDOW() view returns (uint256)', [], [10n]],
  ])
  expect(assetsOf(await chain.positions(aaveStaking, user))).toEqual([['unclaimed', aave, 9n]])
})

test('Lido: only requests that are final and not claimed yet are asked for what they pay', async () => {
  const { stEth, wstEth, withdrawalQueue } = LIDO.ethereum!
  for (const at of [stEth, wstEth]) await contract([[BALANCE, [user], [0n]]], at)
  const status = (amount: bigint, isFinalized: boolean, isClaimed: boolean) => ({
    amountOfStETH: amount,
    amountOfShares: 1n,
    owner: user,
    timestamp: 1n,
    isFinalized,
    isClaimed,
  })
  const statuses = [status(4n, true, false), status(5n, true, true), status(6n, false, false)]
  const result =
    '(uint256 amountOfStETH, uint256 amountOfShares, address owner, uint256 timestamp, bool isFinalized, bool isClaimed)[]'
  await contract(
    [
      ['getWithdrawalRequests(address) view returns (uint256[])', [user], [[30n, 10n, 20n]]],
      [`getWithdrawalStatus(uint256[]) view returns (${result})`, [[10n, 20n, 30n]], [statuses]],
      ['getLastCheckpointIndex() view returns (uint256)', [], [3n]],
      ['findCheckpointHints(uint256[], uint256, uint256) view returns (uint256[])', [[10n], 1n, 3n], [[2n]]],
      ['getClaimableEther(uint256[], uint256[]) view returns (uint256[])', [[10n], [2n]], [[3n]]],
    ],
    withdrawalQueue,
  )
  expect(assetsOf(await chain.positions(lido, user))).toEqual([
    ['withdrawing', null, 6n],
    ['claimable', null, 3n],
  ])
})

test('Compound v3: collateral beyond the sixteenth alone, and a supply with its interest', async () => {
  const usd = await token([])
  const [collateral, feed] = [await token([]), await token([])]
  const markets = Object.values(COMPOUND_V3_COMETS.ethereum!)
  const place = (at: string, of: { supplied: bigint; reserved: number; rest?: Answer[] }) =>
    contract(
      [
        ['baseToken() view returns (address)', [], [usd]],
        ['baseScale() view returns (uint256)', [], [1_000_000n]],
        [BALANCE, [user], [of.supplied]],
        ['borrowBalanceOf(address) view returns (uint256)', [user], [0n]],
        [
          'userBasic(address) view returns (int104, uint64, uint64, uint16, uint8)',
          [user],
          [0n, 0n, 0n, 0, of.reserved],
        ],
        ...(of.rest ?? []),
      ],
      at,
    )
  const info = { offset: 16, asset: collateral, priceFeed: feed, scale: ETHER, supplyCap: 1n }
  const factors = { borrowCollateralFactor: 1n, liquidateCollateralFactor: 1n, liquidationFactor: 1n }
  const struct =
    '(uint8 offset, address asset, address priceFeed, uint64 scale, uint64 borrowCollateralFactor, uint64 liquidateCollateralFactor, uint64 liquidationFactor, uint128 supplyCap)'
  for (const market of markets) await place(market, { supplied: 0n, reserved: 0 })
  expect(await chain.positions(compoundV3, user)).toEqual([])
  await place(markets[0]!, {
    supplied: 0n,
    reserved: 1,
    rest: [
      ['numAssets() view returns (uint8)', [], [1]],
      [`getAssetInfo(uint8) view returns (${struct})`, [0], [{ ...info, ...factors }]],
      ['userCollateral(address, address) view returns (uint128, uint128)', [user, collateral], [8n, 0n]],
    ],
  })
  await place(markets[1]!, {
    supplied: 50n,
    reserved: 0,
    rest: [
      ['getUtilization() view returns (uint256)', [], [5n]],
      ['getSupplyRate(uint256) view returns (uint64)', [5n], [1_000_000_000n]],
      ['getBorrowRate(uint256) view returns (uint64)', [5n], [2_000_000_000n]],
    ],
  })
  const positions = await chain.positions(compoundV3, user)
  expect(positions.map(({ assets, healthRate }) => [healthRate, ...assets])).toEqual([
    [null, { role: 'supplied', token: collateral, raw: 8n }],
    [null, { role: 'supplied', token: usd, raw: 50n, aprPercent: '3.1536' }],
  ])
})

/** A Convex without anything of the user but `pools`, each `held` as deposit tokens and `staked`. */
async function convexWith(input: {
  pools: readonly { held: bigint; staked: bigint; earned: bigint; extra?: Address[] }[]
  supply?: bigint
  operator?: 'booster' | 'another'
}) {
  const { pools, supply = 0n, operator = 'booster' } = input
  const crv = await token([])
  const stake = (staked: bigint, earned: bigint, extra: readonly Address[] = []) =>
    contract([
      [BALANCE, [user], [staked]],
      ['earned(address account) view returns (uint256)', [user], [earned]],
      ['rewardToken() view returns (address)', [], [crv]],
      ['extraRewardsLength() view returns (uint256)', [], [BigInt(extra.length)]],
      ...extra.map((at, i): Answer => ['extraRewards(uint256) view returns (address)', [BigInt(i)], [at]]),
    ])
  const places = []
  for (const { held, staked, earned, extra } of pools)
    places.push({
      lp: await contract([]),
      deposit: await token([[user, held]]),
      rewards: await stake(staked, earned, extra),
    })
  const pool = 'poolInfo(uint256) view returns (address, address, address, address, address, bool)'
  const booster = await contract([
    ['poolLength() view returns (uint256)', [], [BigInt(places.length)]],
    ...places.map(({ lp, deposit, rewards }, i): Answer => [
      pool,
      [BigInt(i)],
      [lp, deposit, zeroAddress, rewards, zeroAddress, false],
    ]),
  ])
  const cvx = await contract([
    ['operator() view returns (address)', [], [operator === 'booster' ? booster : user]],
    [SUPPLY, [], [supply]],
    ['maxSupply() view returns (uint256)', [], [100n * MILLION]],
    ['totalCliffs() view returns (uint256)', [], [1_000n]],
    ['reductionPerCliff() view returns (uint256)', [], [MILLION / 10n]],
  ])
  const locks =
    'lockedBalances(address) view returns (uint256, uint256, uint256, (uint112 amount, uint112 boosted, uint32 unlockTime)[])'
  const deployment = {
    booster,
    cvx,
    cvxCrv: await token([]),
    cvxCrvRewards: await stake(0n, 0n),
    cvxCrvStaking: await token([[user, 0n]]),
    cvxRewards: await stake(0n, 0n),
    locker: await contract([
      [locks, [user], [0n, 0n, 0n, []]],
      ['claimableRewards(address) view returns ((address token, uint256 amount)[])', [user], [[]]],
    ]),
    registry: await contract(
      places.map(({ lp }): Answer => [
        'get_pool_from_lp_token(address) view returns (address)',
        [lp],
        [zeroAddress],
      ]),
    ),
  }
  const protocol = convex({ id: 'x', name: 'X', deployments: { ethereum: deployment } })
  const positions = await chain.positions(
    protocol,
    user,
    places.map(({ lp }) => lp),
  )
  const nameOf = new Map<string | null, string>([
    [crv, 'crv'],
    [cvx, 'cvx'],
  ])
  places.forEach(({ lp }, i) => nameOf.set(lp, `lp ${i}`))
  return positions.map((one) =>
    assetsOf([one]).map(([role, at, raw]) => `${role} ${nameOf.get(at) ?? at} ${raw}`),
  )
}

test('Convex: as much held as staked without rewards, rewards alone, and nothing', async () => {
  const none = { held: 0n, staked: 0n, earned: 0n }
  const pools = [{ ...none, held: 5n, staked: 5n }, none, { ...none, earned: 10n }, { ...none, staked: 3n }]
  expect(await convexWith({ pools })).toEqual([
    ['supplied lp 0 5', 'staked lp 0 5'],
    ['unclaimed crv 10', 'unclaimed cvx 10'],
    ['staked lp 3 3'],
  ])
})

test('Convex: a claim mints CVX up to its last one, none after the last cliff and none for another operator', async () => {
  const rewards = async (supply: bigint, operator: 'booster' | 'another' = 'booster') =>
    (await convexWith({ pools: [{ held: 0n, staked: 0n, earned: 10_000n }], supply, operator })).flat()
  const crv = 'unclaimed crv 10000'
  expect(await rewards(0n)).toEqual([crv, 'unclaimed cvx 10000'])
  // A thousandth in the last cliff, as long as that much is left.
  expect(await rewards(100n * MILLION - 11n)).toEqual([crv, 'unclaimed cvx 10'])
  expect(await rewards(100n * MILLION - 3n)).toEqual([crv, 'unclaimed cvx 3'])
  expect(await rewards(100n * MILLION)).toEqual([crv])
  expect(await rewards(0n, 'another')).toEqual([crv])
})

test('Convex: a reward is what a wrapper stands for only if the wrapper belongs to its pool', async () => {
  const behind = await token([])
  const place = `0x${'00'.repeat(18)}abcd` as Address
  const wrapperOf = (pool: Address) =>
    contract([
      ['token() view returns (address)', [], [behind]],
      ['rewardPool() view returns (address)', [], [pool]],
    ])
  const rewardsOf = async (wrapper: Address) => {
    await contract(
      [
        ['earned(address account) view returns (uint256)', [user], [4n]],
        ['rewardToken() view returns (address)', [], [wrapper]],
      ],
      place,
    )
    return (await convexWith({ pools: [{ held: 0n, staked: 0n, earned: 0n, extra: [place] }] })).flat()
  }
  expect(await rewardsOf(await wrapperOf(place))).toEqual([`unclaimed ${behind} 4`])
  const other = await wrapperOf(user)
  expect(await rewardsOf(other)).toEqual([`unclaimed ${other} 4`])
})
