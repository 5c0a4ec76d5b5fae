import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findChanges } from '../../activities/chain/follow/find-changes.ts'

type Place = [account: string, block: number]

const ACCOUNTS = ['a', 'b', 'c']
const LOW = 1_000

/** Changes of balances in a number of blocks, and guesses of them, also of blocks before and after. */
const world = fc.integer({ min: 1, max: 300 }).chain((blocks) => {
  const placeIn = (min: number, max: number) =>
    fc.tuple(fc.constantFrom(...ACCOUNTS), fc.integer({ min, max }))
  return fc.record({
    blocks: fc.constant(blocks),
    changes: fc.array(placeIn(LOW + 1, LOW + blocks), { maxLength: 6 }),
    guesses: fc.array(placeIn(LOW - 2, LOW + blocks + 2), { maxLength: 4 }),
  })
})

/** Finds the changes, of which each adds one. Returns them, and the blocks whose balances were asked for. */
async function find({ blocks, changes, guesses }: { blocks: number; changes: Place[]; guesses: Place[] }) {
  const asked: number[] = []
  const balance = (account: string, block: number) =>
    BigInt(changes.filter(([who, number]) => who === account && number <= block).length)
  const hints = new Map(ACCOUNTS.map((one) => [one, guesses.flatMap(([who, n]) => (who === one ? [n] : []))]))
  const found = await findChanges(
    async ({ accounts, block }) => {
      asked.push(block)
      return new Map(accounts.map((account) => [account, balance(account, block)]))
    },
    {
      hints,
      spans: ACCOUNTS.map((account) => ({
        account,
        low: LOW,
        high: LOW + blocks,
        before: 0n,
        after: balance(account, LOW + blocks),
      })),
    },
  )
  return { found, asked }
}

test('each block that changed a balance is found, and no other, whatever was guessed', async () => {
  const property = fc.asyncProperty(world, async (input) => {
    const { found, asked } = await find(input)
    // The balances at both ends are known.
    for (const block of asked) expect([block > LOW, block < LOW + input.blocks]).toEqual([true, true])
    const places = [...found].flatMap(([block, accounts]) => [...accounts].map((one) => `${one} ${block}`))
    const wanted = new Set(input.changes.map(([account, block]) => `${account} ${block}`))
    expect(places.toSorted()).toEqual([...wanted].toSorted())
  })
  await fc.assert(property)
})

test('one change of 256 blocks takes 8 questions, and a right guess two', async () => {
  const input = { blocks: 256, changes: [['a', LOW + 77]] as Place[] }
  expect((await find({ ...input, guesses: [] })).asked).toHaveLength(8)
  expect((await find({ ...input, guesses: [['a', LOW + 77]] })).asked).toEqual([LOW + 76, LOW + 77])
})
