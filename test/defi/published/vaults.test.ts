import fc from 'fast-check'
import { type Address, maxUint256 } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { erc4626 } from '../../../activities/defi/families/erc4626.ts'
import type { Protocol } from '../../../activities/defi/position.ts'
import { runs } from '../../setup/runs.ts'
import { type Deployed, ERC20, type ProtocolChain, assetsOf, startProtocolChain } from './protocol-chain.ts'
import { artifact } from './published.ts'
import { VAULT } from './vault-contract.ts'

const SUPPLY = 10n ** 30n
let chain: ProtocolChain
let asset: Deployed
let vault: Deployed
let protocol: Protocol

beforeAll(async () => {
  chain = await startProtocolChain()
  asset = { ...(await chain.deploy(artifact('@uniswap/v2-core/build/ERC20.json'), [SUPPLY])), abi: ERC20 }
  vault = await chain.deploy(VAULT, [asset.address])
  for (const user of users()) {
    await chain.write(chain.deployer, asset, 'transfer', [user, SUPPLY / 10n])
    await chain.write(user, asset, 'approve', [vault.address, maxUint256])
  }
  const deployments = { ethereum: { listed: [vault.address.toLowerCase()] } }
  protocol = erc4626({ id: 'x', name: 'X', deployments })
})
afterAll(() => chain.stop())

const users = (): Address[] => chain.users.slice(0, 2)
const shares = (user: Address) => chain.ask<bigint>(user, vault, 'balanceOf', [user])

interface Step {
  kind: 'deposit' | 'mint' | 'redeem' | 'withdraw' | 'yield' | 'loss' | 'transfer'
  by: number
  amount: number
}
const stepOf: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('deposit', 'deposit', 'mint', 'redeem', 'withdraw', 'yield', 'loss', 'transfer'),
  by: fc.integer({ min: 0, max: 1 }),
  amount: fc.integer({ min: 1, max: 10 ** 12 }),
})

async function step({ kind, by, amount }: Step): Promise<void> {
  const { write } = chain
  const [user, other] = by === 0 ? users() : users().toReversed()
  const part = ((await shares(user!)) * BigInt(amount)) / 10n ** 12n
  if (kind === 'deposit') return write(user!, vault, 'deposit', [BigInt(amount), user])
  if (kind === 'mint') return write(user!, vault, 'mint', [BigInt(amount), user])
  if (kind === 'yield') return write(user!, asset, 'transfer', [vault.address, BigInt(amount)])
  if (kind === 'transfer') return write(user!, vault, 'transfer', [other, part])
  if (kind === 'redeem') return write(user!, vault, 'redeem', [part, user, user])
  if (kind === 'loss') {
    const held = await chain.ask<bigint>(user!, asset, 'balanceOf', [vault.address])
    return write(vault.address, asset, 'transfer', [chain.deployer, (held * BigInt(amount)) / 10n ** 13n])
  }
  const most = await chain.ask<bigint>(user!, vault, 'maxWithdraw', [user])
  return write(user!, vault, 'withdraw', [(most * BigInt(amount)) / 10n ** 12n, user, user])
}

test('what the reader says is what a redemption pays, after any steps of deposit, yield, loss and withdrawal', async () => {
  let compared = 0
  const property = fc.asyncProperty(fc.array(stepOf, { minLength: 3, maxLength: 10 }), async (steps) => {
    await chain.apart(async () => {
      const first: Step = { kind: 'deposit', by: 0, amount: 10 ** 9 }
      for (const one of [first, ...steps]) {
        await conserving(one)
        for (const user of users()) {
          const held = await shares(user)
          const paid = held === 0n ? 0n : await chain.ask<bigint>(user, vault, 'redeem', [held, user, user])
          const expected = [['supplied', asset.address.toLowerCase(), paid]]
          const read = await chain.positions(protocol, user, [vault.address, asset.address])
          expect(assetsOf(read)).toEqual(paid === 0n ? [] : expected)
          if (paid > 0n) compared++
        }
      }
    })
  })
  await fc.assert(property, { numRuns: runs({ short: 8, long: 100 }) })
  expect(compared).toBeGreaterThanOrEqual(runs({ short: 8, long: 100 }))
})

/** Does a step. A deposit or a withdrawal changes where its user's tokens are, not how many they are. */
async function conserving(one: Step): Promise<void> {
  const user = users()[one.by]!
  const total = async () => {
    const [position] = await chain.positions(protocol, user, [vault.address])
    return (await chain.ask<bigint>(user, asset, 'balanceOf', [user])) + (position?.assets[0]?.raw ?? 0n)
  }
  const before = await total()
  await chain.attempt(() => step(one))
  if (!['deposit', 'mint', 'redeem', 'withdraw'].includes(one.kind)) return
  const lost = before - (await total())
  // A vault rounds to a whole share, in its own favour.
  const share = await chain.ask<bigint>(user, vault, 'convertToAssets', [1n])
  expect([lost >= -1n, lost <= 2n * share + 2n]).toEqual([true, true])
}

test('a vault that is neither listed nor known to a factory is no position, whatever it claims', async () => {
  const other = await chain.deploy(VAULT, [asset.address])
  const [user] = users()
  await chain.write(user!, asset, 'approve', [other.address, maxUint256])
  await chain.write(user!, other, 'deposit', [10n ** 9n, user])
  expect(await chain.positions(protocol, user!, [other.address])).toEqual([])
})
