import { expect, test } from 'vitest'
import { NotInPlan, SourceRejected, SourceUnavailable } from '../../activities/errors.ts'
import { createExplorers } from '../../activities/chain/sources/explorer.ts'
import { address } from '../setup/wallet-factories.ts'

/** Reads from explorers of which the first answers a page with an error; returns the pages that it was asked for. */
async function asking(next: string | null, error: Error) {
  const asked: (string | null)[] = []
  const step = { hashes: [], internals: [], through: 9, next: null }
  const explorers = createExplorers(
    [
      {
        source: 'etherscan',
        step: async (request) => {
          asked.push(request.next)
          throw error
        },
      },
      { source: 'blockscout', step: async () => step },
    ],
    () => 0,
  )
  const page = next && JSON.stringify({ source: 'etherscan', next })
  const answer = await explorers.read({
    chainId: 1,
    address: address(1),
    fromBlock: 1,
    toBlock: 9,
    next: page,
  })
  return [asked, 'source' in answer ? answer.source : null]
}

const [rejected, unavailable, notInPlan] = [
  new SourceRejected('etherscan', 'unknown page'),
  new SourceUnavailable('etherscan', 'busy'),
  new NotInPlan('etherscan', 'not in the plan'),
]

test('a page that an explorer refuses is begun anew, once', async () => {
  expect(await asking('3', rejected)).toEqual([['3', null], 'blockscout'])
})

test.each<[what: string, next: string | null, error: Error]>([
  ['a first page that is refused', null, rejected],
  ['a first page that is not answered', null, unavailable],
  ['a later page that is not answered', '3', unavailable],
  ['a later page that is in no plan any more', '3', notInPlan],
])('%s is asked for once, and the next explorer is asked', async (_what, next, error) => {
  expect(await asking(next, error)).toEqual([[next], 'blockscout'])
})
