import fc from 'fast-check'
import { type Address, maxUint256 } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compoundV2 } from '../../../activities/defi/families/compound-v2.ts'
import type { Protocol } from '../../../activities/defi/position.ts'
import { runs } from '../../setup/runs.ts'
import { type Deployed, ERC20, type ProtocolChain, assetsOf, startProtocolChain } from './protocol-chain.ts'
import { artifact } from './published.ts'

// Bytecode of @venusprotocol/venus-protocol: Comptroller and markets of Compound v2 as Venus has them.

const contract = (path: string, name: string) =>
  artifact(`@venusprotocol/venus-protocol/artifacts/contracts/${path}/${name}.sol/${name}.json`)
const SUPPLY = 10n ** 30n
const ONE = 10n ** 18n
/** So dear that debts change from block to block. */
const [BASE, SLOPE, JUMP, KINK] = [ONE, 5n * ONE, 50n * ONE, (8n * ONE) / 10n]

interface Market extends Deployed {
  token: Deployed
}
let chain: ProtocolChain
let comptroller: Deployed
let oracle: Deployed
let markets: [Market, Market]
let protocol: Protocol

beforeAll(async () => {
  chain = await startProtocolChain()
  const { deploy, write, deployer } = chain
  comptroller = await deploy(contract('Comptroller', 'ComptrollerG5'))
  oracle = await deploy(contract('test', 'SimplePriceOracle'))
  const rates = await deploy(contract('InterestRateModels', 'JumpRateModel'), [BASE, SLOPE, JUMP, KINK])
  await write(deployer, comptroller, '_setPriceOracle', [oracle.address])
  await write(deployer, comptroller, '_setCloseFactor', [ONE / 2n])
  await write(deployer, comptroller, '_setLiquidationIncentive', [(11n * ONE) / 10n])
  markets = [await open('A', rates), await open('B', rates)]
  // Somebody else's tokens, so that there is something to redeem while others have borrowed, and somebody else's debt: a
  // market rounds so that its only borrower may owe more than it counts, and refuses the whole of it.
  for (const market of markets) {
    await write(deployer, market.token, 'approve', [market.address, maxUint256])
    await write(deployer, market, 'mint', [10n ** 22n])
    await write(deployer, comptroller, 'enterMarkets', [[market.address]])
    await write(deployer, market, 'borrow', [10n ** 15n])
  }
  protocol = compoundV2({
    id: 'x',
    name: 'X',
    comptrollers: { ethereum: comptroller.address.toLowerCase() },
  })
})
afterAll(() => chain.stop())

async function open(name: string, rates: Deployed): Promise<Market> {
  const { deploy, write, deployer } = chain
  const token = await deploy(artifact('@uniswap/v2-core/build/ERC20.json'), [SUPPLY])
  const market = await deploy(contract('Tokens/VTokens', 'VBep20Immutable'), [
    token.address,
    comptroller.address,
    rates.address,
    2n * ONE,
    name,
    name,
    8,
    deployer,
  ])
  await write(deployer, market, '_setReserveFactor', [ONE / 10n])
  await write(deployer, comptroller, '_supportMarket', [market.address])
  await write(deployer, comptroller, '_setMarketBorrowCaps', [[market.address], [SUPPLY]])
  await write(deployer, oracle, 'setUnderlyingPrice', [market.address, ONE])
  await write(deployer, comptroller, '_setCollateralFactor', [market.address, (7n * ONE) / 10n])
  for (const user of users()) {
    await write(deployer, token, 'transfer', [user, SUPPLY / 10n])
    await write(user, token, 'approve', [market.address, maxUint256])
    await write(user, comptroller, 'enterMarkets', [[market.address]])
  }
  return { ...market, token }
}

const users = (): Address[] => chain.users.slice(0, 2)
const balance = (owner: Address, { address }: Deployed): Promise<bigint> =>
  chain.ask(owner, { address, abi: ERC20 }, 'balanceOf', [owner])

interface Step {
  kind: 'supply' | 'borrow' | 'repay' | 'redeem' | 'price' | 'liquidate' | 'wait'
  by: number
  market: number
  amount: number
}

async function step({ kind, by, market: which, amount: units }: Step): Promise<void> {
  const { write, wait, deployer } = chain
  const [user, other] = by === 0 ? users() : users().toReversed()
  const [market, second] = which === 0 ? markets : markets.toReversed()
  const amount = BigInt(units) * 10n ** 9n
  if (kind === 'wait') {
    for (let block = 0; block < 5; block++) await wait(3)
    return
  }
  if (kind === 'price')
    return write(deployer, oracle, 'setUnderlyingPrice', [
      market!.address,
      ONE / 2n + BigInt(units) * 10n ** 6n,
    ])
  if (kind === 'liquidate') return write(user!, market!, 'liquidateBorrow', [other, amount, second!.address])
  const args = kind === 'redeem' ? [((await balance(user!, market!)) * BigInt(units)) / 10n ** 12n] : [amount]
  const names = { supply: 'mint', borrow: 'borrow', repay: 'repayBorrow', redeem: 'redeem' }
  return write(user!, market!, names[kind], args)
}

const stepOf: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('supply', 'borrow', 'borrow', 'repay', 'redeem', 'price', 'liquidate', 'wait'),
  by: fc.integer({ min: 0, max: 1 }),
  market: fc.integer({ min: 0, max: 1 }),
  amount: fc.integer({ min: 10 ** 6, max: 10 ** 12 }),
})

test('what the reader says is what is redeemed and repaid in the same block, after any steps', async () => {
  const compared = { supplied: 0, borrowed: 0 }
  const property = fc.asyncProperty(fc.array(stepOf, { minLength: 4, maxLength: 9 }), async (steps) => {
    await chain.apart(async () => {
      const first = [0, 1].map((n): Step => ({ kind: 'supply', by: n, market: n, amount: 10 ** 12 }))
      const debt: Step = { kind: 'borrow', by: 0, market: 1, amount: 10 ** 11 }
      for (const one of [...first, debt, ...steps]) await chain.attempt(() => step(one))
      for (const user of users()) {
        await compareHealth(user)
        for (const market of markets) await compare(user, { market, compared })
      }
    })
  })
  await fc.assert(property, { numRuns: runs({ short: 10, long: 100 }) })
  expect(compared.supplied).toBeGreaterThan(1)
  expect(compared.borrowed).toBeGreaterThan(1)
})

/** What a step of the next block does to the user's tokens. */
async function moved(user: Address, market: Market, does: () => Promise<void>): Promise<bigint> {
  return await chain.apart(async () => {
    const before = await balance(user, market.token)
    await chain.attempt(does)
    return (await balance(user, market.token)) - before
  })
}

async function compare(
  user: Address,
  { market, compared }: { market: Market; compared: { supplied: number; borrowed: number } },
): Promise<void> {
  const { write, wait } = chain
  const token = market.token.address.toLowerCase()
  const raw = await balance(user, market)
  // The market is asked for what it may lack or what secures a debt: then nothing is paid.
  const redeemed = await moved(user, market, () => write(user, market, 'redeem', [raw]))
  const repaid = -(await moved(user, market, () => write(user, market, 'repayBorrow', [maxUint256])))
  await chain.apart(async () => {
    await wait(0)
    const read = assetsOf(await chain.positions(protocol, user)).filter(([, one]) => one === token)
    const of = (role: string) => read.find(([one]) => one === role)?.[2] ?? 0n
    expect(of('borrowed')).toBe(repaid)
    if (repaid > 0n) compared.borrowed++
    if (redeemed > 0n) {
      expect(of('supplied')).toBe(redeemed)
      compared.supplied++
    } else expect(of('supplied') > 0n).toBe(raw > 0n)
  })
}

/** The Comptroller says whether anybody may liquidate the account. */
async function compareHealth(user: Address): Promise<void> {
  const [position] = await chain.positions(protocol, user)
  const [, spare, shortfall] = await chain.ask<[bigint, bigint, bigint]>(
    user,
    comptroller,
    'getAccountLiquidity',
    [user],
  )
  if (!position || position.healthRate === null) return expect(shortfall).toBe(0n)
  const health = Number(position.healthRate)
  expect({ isBelow: health < 1, isAbove: health > 1 }).toEqual({
    isBelow: shortfall > 0n,
    isAbove: spare > 0n,
  })
}
