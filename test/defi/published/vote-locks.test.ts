import fc from 'fast-check'
import { type Address, maxUint256 } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { voteLocks } from '../../../activities/defi/families/vote-locks.ts'
import type { Protocol } from '../../../activities/defi/position.ts'
import { runs } from '../../setup/runs.ts'
import { type Deployed, ERC20, type ProtocolChain, startProtocolChain } from './protocol-chain.ts'
import { artifact } from './published.ts'

// Bytecode of @balancer-labs/v2-deployments: the escrow of Curve's form in which Balancer locks votes.

const ESCROW = '@balancer-labs/v2-deployments/dist/tasks/20220325-gauge-controller/artifact/VotingEscrow.json'
const SUPPLY = 10n ** 30n
const DAY_S = 86_400
let chain: ProtocolChain
let token: Deployed
let escrow: Deployed
let protocol: Protocol
const user = (): Address => chain.users[0]!

beforeAll(async () => {
  chain = await startProtocolChain()
  const { deploy, write, deployer } = chain
  token = await deploy(artifact('@uniswap/v2-core/build/ERC20.json'), [SUPPLY])
  escrow = await deploy(artifact(ESCROW), [token.address, 'Votes', 'VOTE', deployer])
  await write(deployer, token, 'transfer', [user(), SUPPLY / 10n])
  await write(user(), token, 'approve', [escrow.address, maxUint256])
  const [own, locked] = [escrow.address.toLowerCase(), token.address.toLowerCase()]
  protocol = voteLocks({
    id: 'x',
    name: 'X',
    locks: { ethereum: { name: 'Votes', escrow: own, token: locked } },
  })
})
afterAll(() => chain.stop())

const balance = (): Promise<bigint> => chain.ask(user(), { ...token, abi: ERC20 }, 'balanceOf', [user()])

type Step = { kind: 'lock' | 'more' | 'longer' | 'wait' | 'withdraw'; amount: number; days: number }

async function step({ kind, amount, days }: Step): Promise<void> {
  const { write, wait, nowS } = chain
  if (kind === 'wait') return wait(days * DAY_S)
  const until = BigInt((await nowS()) + days * DAY_S)
  if (kind === 'lock') return write(user(), escrow, 'create_lock', [BigInt(amount), until])
  if (kind === 'more') return write(user(), escrow, 'increase_amount', [BigInt(amount)])
  if (kind === 'longer') return write(user(), escrow, 'increase_unlock_time', [until])
  return write(user(), escrow, 'withdraw', [])
}

const stepOf: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('lock', 'lock', 'more', 'longer', 'wait', 'withdraw'),
  amount: fc.integer({ min: 1, max: 10 ** 15 }),
  days: fc.integer({ min: 8, max: 360 }),
})

test('what the reader says is locked until the escrow pays it, after any steps of locking and waiting', async () => {
  const seen = new Set<string>()
  const property = fc.asyncProperty(fc.array(stepOf, { minLength: 1, maxLength: 6 }), async (steps) => {
    await chain.apart(async () => {
      seen.add(await compare())
      const [first, last]: Step[] = [
        { kind: 'lock', amount: 10 ** 15, days: 360 },
        { kind: 'wait', amount: 0, days: 361 },
      ]
      for (const one of [first!, ...steps, last!]) {
        await chain.attempt(() => step(one))
        seen.add(await compare())
      }
    })
  })
  await fc.assert(property, { numRuns: runs({ short: 3, long: 200 }) })
  expect(seen).toEqual(new Set(['none', 'locked', 'claimable']))
})

/** Withdraws, and undoes it. Returns what there was to compare. */
async function compare(): Promise<string> {
  const positions = await chain.positions(protocol, user())
  const before = await balance()
  let paid: bigint | null = null
  await chain.apart(async () => {
    await chain.attempt(async () => {
      await chain.write(user(), escrow, 'withdraw', [])
      paid = (await balance()) - before
    })
  })
  if (positions.length === 0) {
    expect(paid ?? 0n).toBe(0n)
    return 'none'
  }
  const [{ assets, unlockAt }] = positions as [(typeof positions)[number]]
  const [{ role, raw }] = assets as [(typeof assets)[number]]
  if (role === 'claimable') expect({ paid, unlockAt }).toEqual({ paid: raw, unlockAt: null })
  else {
    // The escrow pays nothing before the time that it states, and the whole lock then.
    expect(paid).toBeNull()
    const end = await chain.ask<bigint>(user(), escrow, 'locked__end', [user()])
    expect(unlockAt).toEqual(new Date(Number(end) * 1_000))
    await chain.apart(async () => {
      await chain.wait(Number(end) - (await chain.nowS()))
      await chain.write(user(), escrow, 'withdraw', [])
      expect((await balance()) - before).toBe(raw)
    })
  }
  return role
}
