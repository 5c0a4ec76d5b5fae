import { ApplicationFailure } from '@temporalio/common'
import { afterAll, expect, test } from 'vitest'
import type { syncWallet } from '../../workflows/chain/sync-wallet.ts'
import type { syncExchange } from '../../workflows/exchanges/sync-exchange.ts'
import { askedActivities } from '../setup/asked-activities.ts'
import { startWorker } from '../setup/worker.ts'

// The steps of the sync of a wallet, and of an account at an exchange: what each asks, in which order.

const { activities, answer, inputsOf, namesAsked } =
  askedActivities(`beginWalletSync readFirstBalances backfillWallet
  identifyWalletTokens listWalletCoins ensureHourlyPrices normaliseWallet verifyWalletBalances recomputeBookPnl
  readFirstPositions readFirstHoldings completeWalletSync failWalletSync
  beginExchangeSync syncExchangeStep identifyExchangeAssets deriveExchangeLegs completeExchangeSync failExchangeSync`)
const worker = await startWorker({ taskQueue: 'sync-steps-test', activities })
afterAll(worker.stop)

const ADDRESS = '0x1'
const PRICED = { coinIds: ['ethereum'], from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }
const begun = (isFirst: boolean) => ({ walletId: '7', headBlock: 10, isFirst, readsOldBalances: true })
/** A history in one step, without coins to price. */
const SHORT = {
  backfillWallet: [{ headBlock: 10, cursorBlock: 10, lookBack: false, next: null }],
  normaliseWallet: [{ done: true }],
  completeWalletSync: [true],
}
const syncOn = (networkId: string, resume?: object) =>
  worker.run<typeof syncWallet>('syncWallet', { address: ADDRESS, networkId, ...(resume && { resume }) })

test('the first sync of a wallet reads its balances first and its positions last, on Solana also its NFTs', async () => {
  answer({ ...SHORT, beginWalletSync: [begun(true)] })
  expect(await syncOn('solana')).toEqual({ walletId: '7', headBlock: 10 })
  const steps = `beginWalletSync readFirstBalances backfillWallet identifyWalletTokens listWalletCoins
    normaliseWallet verifyWalletBalances recomputeBookPnl readFirstPositions`.split(/\s+/)
  expect(namesAsked()).toEqual([...steps, 'readFirstHoldings', 'completeWalletSync'])
  answer({ ...SHORT, beginWalletSync: [begun(true)] })
  await syncOn('ethereum')
  expect(namesAsked()).toEqual([...steps, 'completeWalletSync'])
})

test('a later sync leaves first balances, positions and NFTs to their own schedules', async () => {
  for (const networkId of ['solana', 'ethereum']) {
    answer({ ...SHORT, beginWalletSync: [begun(false)] })
    await syncOn(networkId)
    expect(namesAsked().filter((name) => name.startsWith('readFirst'))).toEqual([])
  }
})

test('a history is read until its head is reached and no page is left, each step from where the last one ended', async () => {
  const at = (cursorBlock: number, next: string | null) => ({
    headBlock: 12,
    cursorBlock,
    lookBack: false,
    next,
  })
  answer({
    ...SHORT,
    beginWalletSync: [begun(false)],
    backfillWallet: [at(5, null), at(12, 'page 2'), at(11, null), at(12, null)],
  })
  expect(await syncOn('ethereum')).toEqual({ walletId: '7', headBlock: 12 })
  const wallet = { walletId: '7', address: ADDRESS, networkId: 'ethereum' }
  expect(inputsOf('backfillWallet')).toEqual([
    { ...wallet, headBlock: 10, lookBack: true, next: null },
    { ...wallet, headBlock: 12, lookBack: false, next: null },
    { ...wallet, headBlock: 12, lookBack: false, next: 'page 2' },
    { ...wallet, headBlock: 12, lookBack: false, next: null },
  ])
  expect(inputsOf('verifyWalletBalances')).toEqual([{ ...wallet, headBlock: 12 }])
})

test('a sync that goes on in another run goes on at its page, and then catches up with the head, whose balances are known', async () => {
  answer({ ...SHORT, beginWalletSync: [begun(false)] })
  const resume = { walletId: '7', headBlock: 8, lookBack: false, next: 'page 9' }
  await syncOn('ethereum', resume)
  expect(namesAsked().slice(0, 5)).toEqual(
    `backfillWallet identifyWalletTokens listWalletCoins beginWalletSync backfillWallet`.split(' '),
  )
  const wallet = { address: ADDRESS, networkId: 'ethereum' }
  expect(inputsOf('backfillWallet')).toEqual([
    { ...wallet, ...resume },
    { ...wallet, walletId: '7', headBlock: 10, lookBack: true, next: null },
  ])
  expect(inputsOf('verifyWalletBalances')).toHaveLength(1)
})

test('tokens are identified again after prices came, because one with a price is no spam', async () => {
  answer({ ...SHORT, beginWalletSync: [begun(false)], listWalletCoins: [PRICED] })
  await syncOn('ethereum')
  expect(inputsOf('ensureHourlyPrices')).toEqual([PRICED])
  expect(inputsOf('identifyWalletTokens')).toHaveLength(2)
  answer({ ...SHORT, beginWalletSync: [begun(false)] })
  await syncOn('ethereum')
  expect(inputsOf('ensureHourlyPrices')).toEqual([])
  expect(inputsOf('identifyWalletTokens')).toHaveLength(1)
})

test('rows are derived until all are, and a sync whose rows a reorg deleted begins again', async () => {
  answer({
    ...SHORT,
    beginWalletSync: [begun(false)],
    normaliseWallet: [{ done: false }, { done: true }],
    completeWalletSync: [false, true],
  })
  await syncOn('ethereum')
  expect(inputsOf('beginWalletSync')).toHaveLength(2)
  expect(inputsOf('normaliseWallet')).toHaveLength(3)
  expect(inputsOf('completeWalletSync')).toHaveLength(2)
})

const refused = () => ApplicationFailure.nonRetryable('etherscan: no such key', 'SourceRejected')

test('a sync of a wallet that fails stores why; one that is cancelled does not', async () => {
  answer({ ...SHORT, beginWalletSync: [begun(false)], backfillWallet: [refused()] })
  await expect(syncOn('ethereum')).rejects.toThrow()
  expect(inputsOf('failWalletSync')).toEqual([
    { address: ADDRESS, networkId: 'ethereum', failure: 'etherscan: no such key' },
  ])
  const held = Promise.withResolvers<object>()
  answer({ ...SHORT, beginWalletSync: [begun(false)], backfillWallet: [held.promise] })
  const args = [{ address: ADDRESS, networkId: 'ethereum' }]
  await cancelled({ workflow: 'syncWallet', args, during: 'backfillWallet' })
  held.resolve(SHORT.backfillWallet[0]!)
  expect(inputsOf('failWalletSync')).toEqual([])
})

/** Cancels a run once an activity was asked, and waits for its end. */
async function cancelled(of: { workflow: string; args: object[]; during: string }): Promise<void> {
  const { taskQueue, client } = worker
  const workflowId = `${of.workflow}-cancelled`
  const handle = await client.workflow.start(of.workflow, { taskQueue, workflowId, args: of.args })
  await expect.poll(() => inputsOf(of.during).length, { timeout: 30_000 }).toBe(1)
  await handle.cancel()
  await expect(handle.result()).rejects.toThrow('cancelled')
}

const syncAt = (input: object) => worker.run<typeof syncExchange>('syncExchange', input)

test('the sync of an account at an exchange reads up to the instant of its begin, then prices, legs and figures', async () => {
  answer({
    beginExchangeSync: [{ targetMs: 500 }],
    syncExchangeStep: [{ done: false }, { done: true }],
    identifyExchangeAssets: [PRICED],
  })
  expect(await syncAt({ connectionId: '3' })).toEqual({ targetMs: 500 })
  const steps = `beginExchangeSync syncExchangeStep syncExchangeStep identifyExchangeAssets
    ensureHourlyPrices deriveExchangeLegs recomputeBookPnl completeExchangeSync`
  expect(namesAsked()).toEqual(steps.split(/\s+/))
  expect(inputsOf('ensureHourlyPrices')).toEqual([PRICED])
  for (const name of ['syncExchangeStep', 'deriveExchangeLegs', 'completeExchangeSync'])
    for (const input of inputsOf(name)) expect(input).toEqual({ connectionId: '3', targetMs: 500 })
})

test('one that goes on in another run keeps its instant, and without coins nothing is priced', async () => {
  answer({ syncExchangeStep: [{ done: true }] })
  expect(await syncAt({ connectionId: '3', targetMs: 400 })).toEqual({ targetMs: 400 })
  expect(namesAsked()).not.toContain('beginExchangeSync')
  expect(namesAsked()).not.toContain('ensureHourlyPrices')
})

test('a sync of an exchange that fails stores why; one that is cancelled does not', async () => {
  answer({ beginExchangeSync: [{ targetMs: 500 }], syncExchangeStep: [refused()] })
  await expect(syncAt({ connectionId: '3' })).rejects.toThrow()
  expect(inputsOf('failExchangeSync')).toEqual([{ connectionId: '3', failure: 'etherscan: no such key' }])
  const held = Promise.withResolvers<object>()
  answer({ beginExchangeSync: [{ targetMs: 500 }], syncExchangeStep: [held.promise] })
  await cancelled({ workflow: 'syncExchange', args: [{ connectionId: '3' }], during: 'syncExchangeStep' })
  held.resolve({ done: true })
  expect(inputsOf('failExchangeSync')).toEqual([])
})
