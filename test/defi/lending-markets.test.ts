import { type Address, maxUint256 } from 'viem'
import { expect, test } from 'vitest'
import { aaveV3 } from '../../activities/defi/families/aave-v3.ts'
import { compoundV2 } from '../../activities/defi/families/compound-v2.ts'
import { type Answer, BALANCE, startAnsweringChain } from './answering-contracts.ts'
import { assetsOf } from './published/protocol-chain.ts'

// Markets of Aave v3 and Compound v2 with contracts that answer as the real ones do, in states that the published
// contracts reach rarely or no more, such as debts at a fixed rate.

const { chain, user, contract, token } = await startAnsweringChain()
const ETHER = 10n ** 18n
const lower = (address: Address) => address.toLowerCase() as Address

interface Reserve {
  supplied?: bigint
  stable?: bigint
  variable?: bigint
}

/** A market of Aave with reserves in tokens of their own. `health`: absent: the pool does not say it. */
async function aaveWith(reserves: readonly Reserve[], health?: bigint) {
  const tokens = await Promise.all(reserves.map(() => token([])))
  const data = await contract(
    reserves.flatMap(({ supplied = 0n, stable = 0n, variable = 0n }, i): Answer[] => [
      [
        'getUserReserveData(address asset, address user) view returns (uint256, uint256, uint256, uint256, uint256, uint256, uint256, uint40, bool)',
        [tokens[i], user],
        [supplied, stable, variable, 0n, 0n, 0n, 0n, 0, true],
      ],
      [
        'getReserveData(address asset) view returns (uint256, uint256, uint256, uint256, uint256, uint256, uint256, uint256, uint256, uint256, uint256, uint40)',
        [tokens[i]],
        [0n, 0n, 0n, 0n, 0n, 2n * 10n ** 25n, 3n * 10n ** 25n, 0n, 0n, 0n, 0n, 0],
      ],
    ]),
  )
  const pool = await contract([
    ['getReservesList() view returns (address[])', [], [tokens]],
    ...(health === undefined
      ? []
      : [
          [
            'getUserAccountData(address user) view returns (uint256, uint256, uint256, uint256, uint256, uint256)',
            [user],
            [0n, 0n, 0n, 0n, 0n, health],
          ] satisfies Answer,
        ]),
  ])
  const provider = await contract([
    ['getPool() view returns (address)', [], [pool]],
    ['getPoolDataProvider() view returns (address)', [], [data]],
  ])
  const protocol = aaveV3({ id: 'x', name: 'X', markets: { ethereum: { Core: provider } } })
  return { tokens: tokens.map(lower), positions: () => chain.positions(protocol, user) }
}

test('Aave: a token that is supplied as often as it is owed, at either rate, is both', async () => {
  const loops: Reserve[] = [
    { supplied: 5n, stable: 5n },
    { supplied: 7n, variable: 7n },
    {},
    { stable: 2n, variable: 3n },
    { variable: 4n },
  ]
  const { tokens, positions } = await aaveWith(loops, maxUint256)
  expect(assetsOf(await positions())).toEqual([
    ['supplied', tokens[0], 5n],
    ['borrowed', tokens[0], 5n],
    ['supplied', tokens[1], 7n],
    ['borrowed', tokens[1], 7n],
    ['borrowed', tokens[3], 5n],
    ['borrowed', tokens[4], 4n],
  ])
})

test('Aave: the rate of a debt is stated where none of it has a fixed rate of its own', async () => {
  const { positions } = await aaveWith(
    [{ supplied: 9n, stable: 1n }, { variable: 1n }, { stable: 1n, variable: 1n }],
    ETHER,
  )
  const [position] = await positions()
  expect(position!.assets.map(({ role, aprPercent }) => [role, aprPercent])).toEqual([
    ['supplied', '2'],
    ['borrowed', null],
    ['borrowed', '3'],
    ['borrowed', null],
  ])
  expect(position!.healthRate).toBe('1')
})

test('Aave: a pool that does not say the health leaves the amounts', async () => {
  const { tokens, positions } = await aaveWith([{ supplied: 9n }])
  const [position] = await positions()
  expect(position).toMatchObject({ healthRate: null, assets: [{ token: tokens[0], raw: 9n }] })
})

interface Lent {
  held?: bigint
  owed?: bigint
  /** with 18 decimals; null: the oracle does not answer */
  price?: bigint | null
}

/** Markets of a Comptroller. `liquidity`: failure, spare and shortfall; null: it does not answer. */
async function compoundWith(
  lent: readonly Lent[],
  {
    liquidity,
    hasOracle = true,
  }: { liquidity: readonly [bigint, bigint, bigint] | null; hasOracle?: boolean },
) {
  const tokens = await Promise.all(lent.map(() => token([])))
  const markets: Address[] = []
  // One after the other, because each answer is a transaction of the same sender.
  for (const [i, { held = 0n, owed = 0n }] of lent.entries())
    markets.push(
      await contract([
        [BALANCE, [user], [held]],
        ['borrowBalanceStored(address account) view returns (uint256)', [user], [owed]],
        // A tenth of interest since.
        ['balanceOfUnderlying(address owner) returns (uint256)', [user], [(held * 11n) / 10n]],
        ['borrowBalanceCurrent(address account) returns (uint256)', [user], [(owed * 11n) / 10n]],
        ['underlying() view returns (address)', [], [tokens[i]]],
      ]),
    )
  const oracle = await contract(
    lent.flatMap(({ price = ETHER }, i): Answer[] =>
      price === null
        ? []
        : [['getUnderlyingPrice(address market) view returns (uint256)', [markets[i]], [price]]],
    ),
  )
  const comptroller = await contract([
    ['getAllMarkets() view returns (address[])', [], [markets]],
    ...(liquidity
      ? [
          [
            'getAccountLiquidity(address account) view returns (uint256, uint256, uint256)',
            [user],
            liquidity,
          ] satisfies Answer,
        ]
      : []),
    ...(hasOracle ? [['oracle() view returns (address)', [], [oracle]] satisfies Answer] : []),
  ])
  const protocol = compoundV2({ id: 'x', name: 'X', comptrollers: { ethereum: comptroller } })
  const positions = await chain.positions(protocol, user)
  return { tokens: tokens.map(lower), positions }
}

const SPARE = [0n, 30n, 0n] as const

test('Compound: a market is read that is only owed, or owed as much as held, and no other', async () => {
  const lent = [{ held: 100n }, { owed: 100n }, {}, { held: 50n, owed: 50n }]
  const { tokens, positions } = await compoundWith(lent, { liquidity: SPARE })
  expect(assetsOf(positions)).toEqual([
    ['supplied', tokens[0], 110n],
    ['borrowed', tokens[1], 110n],
    ['supplied', tokens[3], 55n],
    ['borrowed', tokens[3], 55n],
  ])
  expect((await compoundWith([{}, {}], { liquidity: SPARE })).positions).toEqual([])
})

test.each<[string, readonly [bigint, bigint, bigint], string]>([
  ['what is spare is collateral above the debts', [0n, 30n, 0n], '1.1'],
  ['what is short is collateral below them', [0n, 0n, 30n], '0.9'],
  ['neither is exactly enough', [0n, 0n, 0n], '1'],
])('Compound: the debts of all markets at their prices make the health; %s', async (_, liquidity, health) => {
  const lent = [{ held: 900n }, { owed: 100n, price: 2n * ETHER }, { owed: 50n, price: 2n * ETHER }]
  const { positions } = await compoundWith(lent, { liquidity })
  expect(positions[0]!.healthRate).toBe(health)
})

test.each<[string, readonly Lent[], Parameters<typeof compoundWith>[1]]>([
  ['without a debt', [{ held: 100n }], { liquidity: SPARE }],
  ['of a Comptroller that fails', [{ owed: 100n }], { liquidity: [1n, 30n, 0n] }],
  ['of a Comptroller that does not answer', [{ owed: 100n }], { liquidity: null }],
  ['without an oracle', [{ owed: 100n }], { liquidity: SPARE, hasOracle: false }],
  ['where a debt has no price', [{ owed: 100n }, { owed: 9n, price: null }], { liquidity: SPARE }],
  ['where a debt is worth nothing', [{ owed: 100n, price: 0n }], { liquidity: SPARE }],
])('Compound: there is no health %s, and the amounts are read', async (_, lent, comptroller) => {
  const { positions } = await compoundWith(lent, comptroller)
  expect(positions[0]).toMatchObject({ healthRate: null })
  expect(positions[0]!.assets).toHaveLength(lent.length)
})
