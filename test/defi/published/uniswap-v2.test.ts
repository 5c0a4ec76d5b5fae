import fc from 'fast-check'
import { type Address, maxUint256 } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uniswapV2 } from '../../../activities/defi/families/uniswap-v2.ts'
import type { Protocol } from '../../../activities/defi/position.ts'
import { runs } from '../../setup/runs.ts'
import { type Deployed, ERC20, type ProtocolChain, assetsOf, startProtocolChain } from './protocol-chain.ts'
import { artifact } from './published.ts'

// Bytecode of @uniswap/v2-core and of the router of @uniswap/v2-periphery.

const SUPPLY = 10n ** 30n
const LATER = 2n ** 40n
let chain: ProtocolChain
let factory: Deployed
let router: Deployed
let tokens: [Deployed, Deployed]
let pair: Deployed
let protocol: Protocol

beforeAll(async () => {
  chain = await startProtocolChain()
  const { deploy, write, ask, deployer } = chain
  factory = await deploy(artifact('@uniswap/v2-core/build/UniswapV2Factory.json'), [deployer])
  const weth = await deploy(artifact('@uniswap/v2-periphery/build/WETH9.json'))
  router = await deploy(artifact('@uniswap/v2-periphery/build/UniswapV2Router02.json'), [
    factory.address,
    weth.address,
  ])
  const token = artifact('@uniswap/v2-core/build/ERC20.json')
  tokens = [await deploy(token, [SUPPLY]), await deploy(token, [SUPPLY])]
  await write(deployer, factory, 'createPair', [tokens[0].address, tokens[1].address])
  const address = await ask<Address>(
    deployer,
    factory,
    'getPair',
    tokens.map((one) => one.address),
  )
  pair = { address, abi: artifact('@uniswap/v2-core/build/UniswapV2Pair.json').abi }
  for (const user of users())
    for (const one of [...tokens, { ...pair, abi: ERC20 }]) {
      if (one.address !== pair.address) await write(deployer, one, 'transfer', [user, SUPPLY / 10n])
      await write(user, { ...one, abi: ERC20 }, 'approve', [router.address, maxUint256])
    }
  protocol = uniswapV2({ id: 'x', name: 'X', factories: { ethereum: factory.address.toLowerCase() } })
})
afterAll(() => chain.stop())

const users = (): Address[] => chain.users.slice(0, 2)
const balance = (owner: Address, { address }: Deployed): Promise<bigint> =>
  chain.ask(owner, { address, abi: ERC20 }, 'balanceOf', [owner])

async function step(user: Address, { kind, amounts }: Step): Promise<void> {
  const [a, b] = [tokens[0].address, tokens[1].address]
  const [amountA, amountB] = amounts.map(BigInt) as [bigint, bigint]
  const { write, deployer } = chain
  if (kind === 'supply')
    return write(user, router, 'addLiquidity', [a, b, amountA, amountB, 0n, 0n, user, LATER])
  if (kind === 'donate') return write(user, { ...tokens[0], abi: ERC20 }, 'transfer', [pair.address, amountA])
  if (kind === 'protocol fee') return write(deployer, factory, 'setFeeTo', [chain.users[5]])
  const held = await balance(user, pair)
  if (kind === 'withdraw') {
    const part = (held * amountA) / 10n ** 12n
    // A burn that pays nothing of one token reverts.
    return part < 10n ** 9n
      ? undefined
      : write(user, router, 'removeLiquidity', [a, b, part, 0n, 0n, user, LATER])
  }
  const path = amountA % 2n === 0n ? [a, b] : [b, a]
  return write(user, router, 'swapExactTokensForTokens', [amountB, 0n, path, user, LATER])
}

interface Step {
  kind: 'supply' | 'swap' | 'withdraw' | 'donate' | 'protocol fee'
  by: number
  amounts: [number, number]
}
const amount = fc.integer({ min: 10 ** 6, max: 10 ** 12 })
const stepOf: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('supply', 'supply', 'swap', 'swap', 'withdraw', 'donate', 'protocol fee'),
  by: fc.integer({ min: 0, max: 1 }),
  amounts: fc.tuple(amount, amount),
})

test('what the reader says is what the router pays, after any steps of supply, swap, fee and withdrawal', async () => {
  let compared = 0
  const property = fc.asyncProperty(fc.array(stepOf, { minLength: 3, maxLength: 9 }), async (steps) => {
    await chain.apart(async () => {
      await step(users()[0]!, { kind: 'supply', by: 0, amounts: [10 ** 12, 10 ** 11] })
      for (const one of steps) {
        await chain.attempt(() => step(users()[one.by]!, one))
        for (const user of users()) compared += await compare(user)
      }
    })
  })
  await fc.assert(property, { numRuns: runs({ short: 8, long: 100 }) })
  expect(compared).toBeGreaterThan(10)
})

/** Returns 1 if the user had liquidity to compare. */
async function compare(user: Address): Promise<number> {
  const read = assetsOf(await chain.positions(protocol, user, [pair.address, tokens[0].address]))
  const liquidity = await balance(user, pair)
  if (liquidity === 0n) {
    expect(read).toEqual([])
    return 0
  }
  const addresses = tokens.map(({ address }) => address)
  const args = [...addresses, liquidity, 0n, 0n, user, LATER]
  const paid = await chain
    .ask<[bigint, bigint]>(user, router, 'removeLiquidity', args)
    .catch(() => [0n, 0n] as const)
  // The pair refuses to pay nothing of one token.
  if (paid[0] === 0n || paid[1] === 0n) {
    expect(read.length).toBeLessThan(2)
    return 0
  }
  const expected = addresses.map((address, i) => ['supplied', address.toLowerCase(), paid[i]!] as const)
  expect(new Set(read)).toEqual(new Set(expected))
  return 1
}

test('a contract that only says that it is a pair is none', async () => {
  const other = await chain.deploy(artifact('@uniswap/v2-core/build/UniswapV2Factory.json'), [chain.deployer])
  const pairs = tokens.map(({ address }) => address)
  await chain.write(chain.deployer, other, 'createPair', pairs)
  const forged = await chain.ask<Address>(chain.deployer, other, 'getPair', pairs)
  for (const one of tokens)
    await chain.write(chain.deployer, { ...one, abi: ERC20 }, 'transfer', [forged, 10n ** 9n])
  await chain.write(chain.deployer, { address: forged, abi: pair.abi }, 'mint', [users()[0]])
  expect(await chain.positions(protocol, users()[0]!, [forged])).toEqual([])
})
