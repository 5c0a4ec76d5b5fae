import fc from 'fast-check'
import { type Address, formatUnits, maxUint256 } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aaveV3 } from '../../../activities/defi/families/aave-v3.ts'
import type { Protocol } from '../../../activities/defi/position.ts'
import { runs } from '../../setup/runs.ts'
import { type AaveMarket, deployAave } from './aave.ts'
import { type Deployed, type ProtocolChain, startProtocolChain } from './protocol-chain.ts'
import { artifact } from './published.ts'

// Bytecode of @aave/core-v3.

const SUPPLY = 10n ** 30n
/** Of collateral, that a debt never reaches by interest alone. */
const BORROWED_AT_MOST = 50n
const VARIABLE = 2n
let chain: ProtocolChain
let market: AaveMarket
let protocol: Protocol

beforeAll(async () => {
  chain = await startProtocolChain()
  const { deploy, write, deployer } = chain
  const erc20 = artifact('@uniswap/v2-core/build/ERC20.json')
  const tokens: Deployed[] = [await deploy(erc20, [SUPPLY]), await deploy(erc20, [SUPPLY])]
  market = await deployAave(chain, tokens)
  for (const user of users())
    for (const token of market.tokens) {
      await write(deployer, token, 'transfer', [user, SUPPLY / 10n])
      await write(user, token, 'approve', [market.pool.address, maxUint256])
    }
  const markets = { ethereum: { Core: market.provider.address.toLowerCase() } }
  protocol = aaveV3({ id: 'x', name: 'X', markets })
})
afterAll(() => chain.stop())

const users = (): Address[] => chain.users.slice(0, 2)

interface Step {
  kind: 'supply' | 'borrow' | 'repay' | 'withdraw' | 'accrue' | 'price'
  by: number
  token: number
  amount: number
}
const stepOf: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('supply', 'supply', 'borrow', 'borrow', 'repay', 'withdraw', 'accrue', 'price'),
  by: fc.integer({ min: 0, max: 1 }),
  token: fc.integer({ min: 0, max: 1 }),
  amount: fc.integer({ min: 10 ** 6, max: 10 ** 12 }),
})

type Data = [bigint, bigint, bigint, ...unknown[]]
const dataOf = (user: Address, token: Deployed) =>
  chain.ask<Data>(user, market.data, 'getUserReserveData', [token.address, user])

async function step({ kind, by, token, amount }: Step): Promise<void> {
  const { write, ask } = chain
  const [user, asset, value] = [users()[by]!, market.tokens[token]!, BigInt(amount)]
  const { pool } = market
  if (kind === 'accrue') return chain.wait(amount % 10_000_000)
  if (kind === 'price')
    return write(chain.deployer, market.oracle, 'setAssetPrice', [asset.address, 10n ** 8n + value / 10_000n])
  if (kind === 'supply') return write(user, pool, 'supply', [asset.address, value, user, 0])
  const [supplied, , debt] = await dataOf(user, asset)
  if (kind === 'repay')
    return debt === 0n ? undefined : write(user, pool, 'repay', [asset.address, value, VARIABLE, user])
  const [, , available] = await ask<bigint[]>(user, pool, 'getUserAccountData', [user])
  const free = await ask<bigint>(user, asset, 'balanceOf', [await aToken(asset)])
  if (kind === 'borrow') {
    const price = await ask<bigint>(user, market.oracle, 'getAssetPrice', [asset.address])
    const most = least((available! * BORROWED_AT_MOST * 10n ** 16n) / price, free, value)
    return most === 0n ? undefined : write(user, pool, 'borrow', [asset.address, most, VARIABLE, 0, user])
  }
  const part = least((supplied * (value % 100n)) / 100n, free)
  if (part > 0n) await write(user, pool, 'withdraw', [asset.address, part, user])
}

const least = (...values: bigint[]): bigint => values.reduce((a, b) => (a < b ? a : b))

const aToken = async ({ address }: Deployed): Promise<Address> =>
  (await chain.ask<Address[]>(chain.deployer, market.data, 'getReserveTokensAddresses', [address]))[0]!

test("supplies, debts, rates and the health are the market's own, after any steps of supply, borrow, accrual and withdrawal", async () => {
  let debts = 0
  const property = fc.asyncProperty(fc.array(stepOf, { minLength: 5, maxLength: 14 }), async (steps) => {
    await chain.apart(async () => {
      for (const [by, token] of [
        [0, 0],
        [1, 1],
      ] as const)
        await step({ kind: 'supply', by, token, amount: 10 ** 12 })
      for (const one of steps) {
        await conserving(one)
        for (const user of users()) debts += await compare(user)
      }
    })
  })
  await fc.assert(property, { numRuns: runs({ short: 6, long: 100 }) })
  expect(debts).toBeGreaterThan(5)
})

/** Does a step. One of money changes where its user's tokens are, not how many they are. */
async function conserving(one: Step): Promise<void> {
  const user = users()[one.by]!
  const movesMoney = one.kind !== 'accrue' && one.kind !== 'price'
  const before = await totals(user)
  if (movesMoney) await chain.stopClock()
  await chain.attempt(() => step(one))
  if (!movesMoney) return
  const after = await totals(user)
  // Supplies and debts are each rounded to a base unit.
  after.forEach((total, i) => expect(Math.abs(Number(total - before[i]!))).toBeLessThanOrEqual(2))
}

/** Of each token, what a user has in hand and what the reader says is supplied, less what is owed. */
async function totals(user: Address): Promise<bigint[]> {
  const [position] = await chain.positions(protocol, user)
  return await Promise.all(
    market.tokens.map(async (token) => {
      const of = (role: 'supplied' | 'borrowed') =>
        position?.assets.find((asset) => asset.role === role && asset.token === token.address.toLowerCase())
          ?.raw ?? 0n
      const inHand = await chain.ask<bigint>(user, token, 'balanceOf', [user])
      return inHand + of('supplied') - of('borrowed')
    }),
  )
}

/** Returns the number of debts. */
async function compare(user: Address): Promise<number> {
  const [position] = await chain.positions(protocol, user)
  const expected = await Promise.all(
    market.tokens.map(async (token) => {
      const [supplied, , debt] = await dataOf(user, token)
      const rates = await chain.ask<bigint[]>(user, market.data, 'getReserveData', [token.address])
      const address = token.address.toLowerCase()
      return [
        { role: 'supplied', token: address, raw: supplied, rate: rates[5]! },
        { role: 'borrowed', token: address, raw: debt, rate: rates[6]! },
      ]
    }),
  )
  const assets = expected.flat().filter(({ raw }) => raw > 0n)
  expect(position?.assets.map(({ role, token, raw }) => ({ role, token, raw })) ?? []).toEqual(
    assets.map(({ role, token, raw }) => ({ role, token, raw })),
  )
  expect(position?.assets.map(({ aprPercent }) => aprPercent) ?? []).toEqual(
    assets.map(({ rate }) => formatUnits(rate, 25)),
  )
  const account = await chain.ask<bigint[]>(user, market.pool, 'getUserAccountData', [user])
  const health = account[5]!
  expect(position?.healthRate ?? null).toBe(health === maxUint256 ? null : formatUnits(health, 18))
  return assets.filter(({ role }) => role === 'borrowed').length
}
