import { describe, expect, test } from 'vitest'
import { BlockTooFull, createExplorers } from '../../activities/chain/sources/explorer.ts'
import type { Explorer, ExplorerRequest } from '../../activities/chain/sources/explorer.ts'
import { NotInPlan, SourceRejected, SourceUnavailable } from '../../activities/errors.ts'

const request = { chainId: 8453, address: '0x1', fromBlock: 0, toBlock: 9, next: null }
const complete = { hashes: [], internals: [], through: 9, next: null }

/** An explorer with the given answers, and what it was asked. */
function explorer(source: string, step: (request: ExplorerRequest) => unknown) {
  const asked: ExplorerRequest[] = []
  const one: Explorer = {
    source,
    step: async (given) => {
      asked.push(given)
      return (await step(given)) as typeof complete
    },
  }
  return { one, asked }
}
const answers = (source: string) => explorer(source, () => complete)
const fails = (source: string, error: Error) => explorer(source, () => Promise.reject(error))

describe('which explorer is asked', () => {
  test.each([
    [1, 'etherscan'],
    [8453, 'blockscout'],
    [43114, 'routescan'],
    [42161, 'etherscan'],
  ])('of chain %i first: %s', async (chainId, first) => {
    const all = ['blockscout', 'routescan', 'etherscan'].map((name) => answers(name).one)
    expect(await createExplorers(all, () => 0).read({ ...request, chainId })).toMatchObject({ source: first })
  })

  test('the next one where one is down; later where none answers but one may', async () => {
    const down = fails('blockscout', new SourceUnavailable('blockscout', 'status 500'))
    const next = answers('etherscan')
    expect(await createExplorers([down.one, next.one], () => 0).read(request)).toMatchObject({
      source: 'etherscan',
    })
    const refusing = fails('etherscan', new NotInPlan('etherscan', 'not supported'))
    const explorers = createExplorers([down.one, refusing.one], () => 0)
    await expect(explorers.read(request)).rejects.toThrow('status 500')
    expect(explorers.canAnswer(8453)).toBe(true)
  })

  test('one that lacks what contracts sent is not asked while another may answer later', async () => {
    const down = fails('blockscout', new SourceUnavailable('blockscout', 'status 500'))
    const lacking = answers('alchemy-transfers')
    const partly: Explorer = { ...lacking.one, lacksInternals: (chainId) => chainId === 8453 }
    await expect(createExplorers([down.one, partly], () => 0).read(request)).rejects.toThrow('status 500')
    expect(lacking.asked).toEqual([])
    const refusing = fails('blockscout', new NotInPlan('blockscout', 'no key'))
    expect(await createExplorers([refusing.one, partly], () => 0).read(request)).toMatchObject({
      source: 'alchemy-transfers',
    })
  })

  test('one whose plan lacks the chain is not asked again for an hour, but for other chains', async () => {
    let nowMs = 0
    const refusing = fails('etherscan', new NotInPlan('etherscan', 'not supported'))
    const explorers = createExplorers([refusing.one], () => nowMs)
    const refused = { refused: 'etherscan: not supported', blocks: 10 }
    expect(await explorers.read(request)).toEqual(refused)
    expect([explorers.canAnswer(8453), explorers.canAnswer(1)]).toEqual([false, true])
    nowMs = 3_599_999
    expect(await explorers.read(request)).toEqual(refused)
    expect(refusing.asked).toHaveLength(1)
    nowMs = 3_600_000
    await explorers.read(request)
    expect(refusing.asked).toHaveLength(2)
  })

  test('a refusal concerns the blocks asked for; of a block that is too full, that one', async () => {
    const from = async (fromBlock: number, error: Error) =>
      createExplorers([fails('etherscan', error).one], () => 0).read({ ...request, fromBlock })
    expect(await from(4, new SourceRejected('etherscan', 'no'))).toMatchObject({ blocks: 6 })
    expect(await from(4, new BlockTooFull('etherscan', 'no'))).toMatchObject({ blocks: 1 })
    expect(await from(9, new SourceRejected('etherscan', 'no'))).toMatchObject({ blocks: 1 })
  })

  test('the one that began to page backwards goes on; a page that it no longer knows begins anew', async () => {
    const begun = explorer('etherscan', ({ next }) => {
      if (next === 'gone') throw new SourceRejected('etherscan', 'status 422')
      return { ...complete, next: next === null ? 'second' : null }
    })
    const other = answers('blockscout')
    const explorers = createExplorers([begun.one, other.one], () => 0)
    const nameOf = (next: string) => JSON.stringify({ source: 'etherscan', next })
    await explorers.read({ ...request, next: nameOf('second') })
    expect(other.asked).toEqual([])
    expect(await explorers.read({ ...request, next: nameOf('gone') })).toMatchObject({
      source: 'etherscan',
      step: { next: nameOf('second') },
    })
    expect(begun.asked.map(({ next }) => next)).toEqual(['second', 'gone', null])
  })
})
