import { type Address, type Hex, getAddress, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { EIGENLAYER } from '../../activities/defi/deployments/staking.ts'
import { balancerV2, balancerV3 } from '../../activities/defi/families/balancer.ts'
import { compoundV2 } from '../../activities/defi/families/compound-v2.ts'
import { convex } from '../../activities/defi/families/convex.ts'
import { curve } from '../../activities/defi/families/curve.ts'
import { gmx } from '../../activities/defi/families/gmx.ts'
import { solidly } from '../../activities/defi/families/solidly.ts'
import { stakedTokens } from '../../activities/defi/families/staked-tokens.ts'
import { voteLocks } from '../../activities/defi/families/vote-locks.ts'
import { eigenlayer } from '../../activities/defi/protocols/eigenlayer.ts'
import { type Answer, BALANCE, startAnsweringChain, SUPPLY } from './answering-contracts.ts'
import { assetsOf } from './published/protocol-chain.ts'

// Protocols whose contracts no package ships without a tool chain of its own. A contract that answers as their
// documentation says stands for each; docs/coverage.md lists them as not witnessed.

const ETHER = 10n ** 18n
const { chain, user, contract, token } = await startAnsweringChain()

test('Compound v2: supplies and debts with interest, the native coin, and the health', async () => {
  const usd = await token([])
  const market = (balance: bigint, debt: bigint, underlying: Answer[]) =>
    contract([
      [BALANCE, [user], [balance]],
      ['borrowBalanceStored(address account) view returns (uint256)', [user], [debt]],
      ['balanceOfUnderlying(address owner) returns (uint256)', [user], [balance * 2n]],
      ['borrowBalanceCurrent(address account) returns (uint256)', [user], [debt + debt / 100n]],
      ...underlying,
    ])
  const native = await market(ETHER, 0n, [])
  const dollars = await market(0n, 1_000_000_000n, [['underlying() view returns (address)', [], [usd]]])
  const unused = await market(0n, 0n, [])
  const price = 10n ** 30n
  const oracle = await contract([
    ['getUnderlyingPrice(address market) view returns (uint256)', [dollars], [price]],
  ])
  const comptroller = await contract([
    ['getAllMarkets() view returns (address[])', [], [[native, unused, dollars]]],
    ['oracle() view returns (address)', [], [oracle]],
    [
      'getAccountLiquidity(address account) view returns (uint256, uint256, uint256)',
      [user],
      [0n, 500n * ETHER, 0n],
    ],
  ])
  const protocol = compoundV2({ id: 'x', name: 'X', comptrollers: { ethereum: comptroller } })
  const positions = await chain.positions(protocol, user)
  expect(assetsOf(positions)).toEqual([
    ['supplied', null, 2n * ETHER],
    ['borrowed', usd, 1_010_000_000n],
  ])
  // A debt of 1,000 USD of which 1,500 USD of collateral bear.
  expect(positions[0]!.healthRate).toBe('1.5')
})

test('staked tokens: by amount, by the rate of one, and one for one', async () => {
  const held: Answer = [BALANCE, [user], [4n * ETHER]]
  const byAmount = await contract([
    held,
    ['getEthValue(uint256 amount) view returns (uint256)', [4n * ETHER], [5n * ETHER]],
  ])
  const byRate = await contract([held, ['exchangeRate() view returns (uint256)', [], [ETHER + ETHER / 2n]]])
  const same = await contract([held])
  const tokens = [
    { name: 'A', token: byAmount, underlying: null, rate: { amount: 'getEthValue' } },
    { name: 'B', token: byRate, underlying: null, rate: { ofOne: 'exchangeRate' } },
    { name: 'C', token: same, underlying: null, rate: null },
  ]
  const protocol = stakedTokens({ id: 'x', name: 'X', tokens: { ethereum: tokens } })
  expect(assetsOf(await chain.positions(protocol, user, [byAmount, byRate, same]))).toEqual([
    ['staked', null, 5n * ETHER],
    ['staked', null, 6n * ETHER],
    ['staked', null, 4n * ETHER],
  ])
  expect(await chain.positions(protocol, user, [])).toEqual([])
})

test('Solidly: what is held and staked, fees of the one and rewards of the other', async () => {
  const pool = `0x${(0xc0de00 + 900).toString(16).padStart(40, '0')}` as Address
  const [a, b, reward] = [await token([[pool, 1_000n]]), await token([[pool, 3_000n]]), await token([])]
  const gauge = await contract([
    [BALANCE, [user], [30n]],
    ['earned(address account) view returns (uint256)', [user], [7n]],
    ['rewardToken() view returns (address)', [], [reward]],
  ])
  await contract(
    [
      ['token0() view returns (address)', [], [a]],
      ['token1() view returns (address)', [], [b]],
      ['stable() view returns (bool)', [], [true]],
      [SUPPLY, [], [100n]],
      [BALANCE, [user], [20n]],
      ['claimFees() returns (uint256, uint256)', [], [5n, 0n]],
    ],
    pool,
  )
  const factory = await contract([
    ['getPool(address, address, bool) view returns (address)', [a, b, true], [pool]],
  ])
  const voter = await contract([['gauges(address) view returns (address)', [pool], [gauge]]])
  const protocol = solidly({ id: 'x', name: 'X', deployments: { ethereum: { factory, voter } } })
  expect(assetsOf(await chain.positions(protocol, user, [pool, a]))).toEqual([
    ['supplied', a, 500n],
    ['supplied', b, 1_500n],
    ['unclaimed', a, 5n],
    ['unclaimed', reward, 7n],
  ])
})

test('Curve: the share of the coins, the native one among them', async () => {
  const [lp, coin] = [
    await contract([
      [BALANCE, [user], [10n]],
      [SUPPLY, [], [100n]],
    ]),
    await token([]),
  ]
  const pool = await contract([])
  const eight = <T>(first: T[], rest: T): T[] => [...first, ...Array<T>(8 - first.length).fill(rest)]
  const native = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
  const registry = await contract([
    ['get_pool_from_lp_token(address) view returns (address)', [lp], [pool]],
    ['get_coins(address) view returns (address[8])', [pool], [eight([native, coin], zeroAddress)]],
    ['get_balances(address) view returns (uint256[8])', [pool], [eight([5_000n, 777n], 0n)]],
    ['get_pool_name(address) view returns (string)', [pool], ['steth']],
  ])
  const protocol = curve({ id: 'x', name: 'X', registries: { ethereum: registry } })
  const positions = await chain.positions(protocol, user, [lp, coin])
  expect(positions[0]).toMatchObject({ id: lp, name: 'steth', poolAddress: pool })
  expect(assetsOf(positions)).toEqual([
    ['supplied', null, 500n],
    ['supplied', coin, 77n],
  ])
})

/** A place of Convex where `balance` is staked. `extra`: the pools of further rewards. */
const stake = (input: { balance: bigint; earned: bigint; reward: Address; extra?: Address[] }) => {
  const { balance, earned, reward, extra = [] } = input
  return contract([
    [BALANCE, [user], [balance]],
    ['earned(address account) view returns (uint256)', [user], [earned]],
    ['rewardToken() view returns (address)', [], [reward]],
    ['extraRewardsLength() view returns (uint256)', [], [BigInt(extra.length)]],
    ...extra.map((at, i): Answer => [
      'extraRewards(uint256) view returns (address)',
      [BigInt(i)],
      [getAddress(at)],
    ]),
  ])
}

test('Convex: staked liquidity and what a claim of it pays, and locks until they are over', async () => {
  const [crv, snx, cvxCrv] = [await token([]), await token([]), await token([])]
  const lp = await contract([[SUPPLY, [], [100n]]])
  const deposit = await token([[user, 1n]])
  // 99.5 of 100 million minted: five cliffs of a thousand are left.
  const [booster, million] = ['0x00000000000000000000000000000000c0ffee01' as Address, 1_000_000n * ETHER]
  const cvx = await contract([
    ['operator() view returns (address)', [], [booster]],
    [SUPPLY, [], [99n * million + million / 2n]],
    ['maxSupply() view returns (uint256)', [], [100n * million]],
    ['totalCliffs() view returns (uint256)', [], [1_000n]],
    ['reductionPerCliff() view returns (uint256)', [], [million / 10n]],
  ])
  const plain = await stake({ balance: 0n, earned: 3n, reward: snx })
  const behind = `0x${(0xc0de00 + 901).toString(16).padStart(40, '0')}` as Address
  const wrapper = await contract([
    ['token() view returns (address)', [], [cvx]],
    ['rewardPool() view returns (address)', [], [behind]],
  ])
  await contract(
    [
      ['earned(address account) view returns (uint256)', [user], [4n]],
      ['rewardToken() view returns (address)', [], [wrapper]],
    ],
    behind,
  )
  const rewards = await stake({ balance: 9n, earned: 2_000n, reward: crv, extra: [plain, behind] })
  const info = (token: Address) => [lp, token, zeroAddress, rewards, zeroAddress, false]
  const pool = 'poolInfo(uint256) view returns (address, address, address, address, address, bool)'
  await contract(
    [
      ['poolLength() view returns (uint256)', [], [1n]],
      [pool, [0n], info(deposit)],
    ],
    booster,
  )
  const registry = await contract([
    ['get_pool_from_lp_token(address) view returns (address)', [lp], [zeroAddress]],
  ])
  const { timestamp } = await chain.node.call('eth_getBlockByNumber', 'latest', false)
  const end = Number(timestamp) + 1_000
  const locks = [{ amount: 60n, boosted: 60n, unlockTime: end }]
  const lock = '(uint112 amount, uint112 boosted, uint32 unlockTime)[]'
  const earned = '(address token, uint256 amount)[]'
  const locker = await contract([
    [
      `lockedBalances(address) view returns (uint256, uint256, uint256, ${lock})`,
      [user],
      [90n, 30n, 60n, locks],
    ],
    [`claimableRewards(address) view returns (${earned})`, [user], [[{ token: cvxCrv, amount: 5n }]]],
  ])
  const cvxCrvStaking = await contract([
    [BALANCE, [user], [8n]],
    [`earned(address) returns (${earned})`, [user], [[{ token: crv, amount: 6n }]]],
  ])
  const cvxCrvRewards = await stake({ balance: 0n, earned: 0n, reward: crv })
  const cvxRewards = await stake({ balance: 7n, earned: 2n, reward: crv })
  const deployment = { booster, cvx, cvxCrv, cvxCrvRewards, cvxCrvStaking, cvxRewards, locker, registry }
  const protocol = convex({ id: 'x', name: 'X', deployments: { ethereum: deployment } })
  const staked = [
    ['staked', cvxCrv, 8n],
    ['unclaimed', crv, 6n],
    ['staked', cvx, 7n],
    ['unclaimed', cvxCrv, 2n],
  ]
  const locked = [
    ['claimable', cvx, 30n],
    ['unclaimed', cvxCrv, 5n],
    ['locked', cvx, 60n],
  ]
  const positions = await chain.positions(protocol, user, [lp])
  expect(assetsOf(positions)).toEqual([
    ...staked,
    ['supplied', lp, 1n],
    ['staked', lp, 9n],
    ['unclaimed', crv, 2_000n],
    // 2,000 × 5 / 1,000, and 4 of the pool behind a wrapper.
    ['unclaimed', cvx, 14n],
    ['unclaimed', snx, 3n],
    ...locked,
  ])
  expect(positions.at(-1)).toMatchObject({ id: `${locker}:${end}`, unlockAt: new Date(end * 1_000) })
  // A wallet to which no liquidity came.
  expect(assetsOf(await chain.positions(protocol, user))).toEqual([...staked, ...locked])
})

test('GMX: staked GMX with fees and what has vested, and escrowed GMX apart', async () => {
  const [plain, escrowed, weth] = [await token([]), await token([]), await token([])]
  const deposits = 'depositBalances(address account, address token) view returns (uint256)'
  const claimable = (raw: bigint): Answer => ['claimable(address) view returns (uint256)', [user], [raw]]
  const stakes = await contract([
    [deposits, [user, plain], [50n]],
    [deposits, [user, escrowed], [20n]],
    claimable(3n),
  ])
  const fees = await contract([claimable(7n), ['rewardToken() view returns (address)', [], [weth]]])
  const vester = await contract([
    ['getTotalVested(address) view returns (uint256)', [user], [100n]],
    ['claimedAmounts(address) view returns (uint256)', [user], [30n]],
    claimable(10n),
  ])
  const deployment = { gmx: plain, esGmx: escrowed, stakes, fees: [fees], vesters: [vester] }
  const protocol = gmx({ id: 'x', name: 'X', deployments: { ethereum: deployment } })
  const positions = await chain.positions(protocol, user)
  expect(positions.map(({ id, poolAddress }) => [id, poolAddress])).toEqual([
    [stakes, stakes],
    [`${stakes}:${escrowed}`, stakes],
    [vester, vester],
  ])
  expect(assetsOf(positions)).toEqual([
    ['staked', plain, 50n],
    ['claimable', plain, 10n],
    ['unclaimed', weth, 7n],
    ['staked', escrowed, 20n],
    ['unclaimed', escrowed, 3n],
    ['locked', escrowed, 60n],
  ])
})

test("Balancer v2: the share of the tokens without the pool's own", async () => {
  const id = `0x${'ab'.repeat(32)}` as Hex
  const other = await token([])
  const pool = await contract([
    ['getPoolId() view returns (bytes32)', [], [id]],
    [SUPPLY, [], [10_000n]],
    ['getActualSupply() view returns (uint256)', [], [100n]],
    [BALANCE, [user], [25n]],
  ])
  const tokens = [
    [other, pool],
    [400n, 9_900n],
  ]
  const vault = await contract([
    ['getPool(bytes32) view returns (address, uint8)', [id], [pool, 0]],
    ['getPoolTokens(bytes32) view returns (address[], uint256[], uint256)', [id], [...tokens, 1n]],
  ])
  const protocol = balancerV2({ id: 'x', name: 'X', vaults: { ethereum: vault } })
  expect(assetsOf(await chain.positions(protocol, user, [pool, other]))).toEqual([['supplied', other, 100n]])
})

test('Balancer v3: the share of the tokens of a registered pool', async () => {
  const [a, b] = [await token([]), await token([])]
  const pool = await contract([
    [SUPPLY, [], [100n]],
    [BALANCE, [user], [10n]],
  ])
  const info = [a, b].map(() => ({ tokenType: 0, rateProvider: zeroAddress, paysYieldFees: false }))
  const vault = await contract([
    ['isPoolRegistered(address) view returns (bool)', [pool], [true]],
    [
      'getPoolTokenInfo(address) view returns (address[], (uint8 tokenType, address rateProvider, bool paysYieldFees)[], uint256[], uint256[])',
      [pool],
      [[a, b], info, [70n, 990n], [0n, 0n]],
    ],
  ])
  const protocol = balancerV3({ id: 'x', name: 'X', vaults: { ethereum: vault } })
  expect(assetsOf(await chain.positions(protocol, user, [pool]))).toEqual([
    ['supplied', a, 7n],
    ['supplied', b, 99n],
  ])
})

test('vote locks: locked until their end, and claimable after it', async () => {
  const { timestamp } = await chain.node.call('eth_getBlockByNumber', 'latest', false)
  const end = BigInt(timestamp) + 1_000n
  const [escrow, locked] = [
    await contract([['locked(address) view returns (int128, uint256)', [user], [50n, end]]]),
    await token([]),
  ]
  const locks = { ethereum: { name: 'Locked', escrow, token: locked } }
  const protocol = voteLocks({ id: 'x', name: 'X', locks })
  const before = await chain.positions(protocol, user)
  expect(assetsOf(before)).toEqual([['locked', locked, 50n]])
  expect(before[0]!.unlockAt).toEqual(new Date(Number(end) * 1_000))
  await chain.wait(2_000)
  const after = await chain.positions(protocol, user)
  expect([assetsOf(after), after[0]!.unlockAt]).toEqual([[['claimable', locked, 50n]], null])
})

test('EigenLayer: restaked tokens after slashing', async () => {
  const { strategyManager, delegationManager } = EIGENLAYER.ethereum!
  const steth = await token([])
  const strategy = await contract([
    ['underlyingToken() view returns (address)', [], [steth]],
    ['sharesToUnderlyingView(uint256) view returns (uint256)', [90n], [99n]],
  ])
  await contract(
    [['getDeposits(address) view returns (address[], uint256[])', [user], [[strategy], [100n]]]],
    strategyManager,
  )
  await contract(
    [
      [
        'getWithdrawableShares(address, address[]) view returns (uint256[], uint256[])',
        [user, [strategy]],
        [[90n], [100n]],
      ],
    ],
    delegationManager,
  )
  expect(assetsOf(await chain.positions(eigenlayer, user))).toEqual([['staked', steth, 99n]])
})
