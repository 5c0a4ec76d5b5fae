import fc from 'fast-check'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { confirmBlocks } from '../../activities/chain/follow/confirm-blocks.ts'
import { publishBatch } from '../../activities/events/publish-batch.ts'
import { beginFollow, confirmThrough } from '../../db/chain/follows.ts'
import { openDb } from '../../db/connect.ts'
import type { WebhookOptions } from '../../db/events/webhook-write.ts'
import { createAccount } from '../../db/metering/write.ts'
import { transact } from '../../db/transact.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { address, hash } from '../setup/wallet-factories.ts'
import { networkId, tellWallet, transactionHash } from './watched-wallet.ts'

// Transactions whose blocks settle, and who is told of it for what price.

const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(() => Promise.all([close(), owner.close()]))
const ask = <T extends object>(sql: string) => query<T>(database.ownerUrl, sql)

const DEPTH = 64
await ask(`update networks set reorg_depth = ${DEPTH} where id = '${networkId}'`)
let wallets = 0
let wallet: Awaited<ReturnType<typeof tellWallet>>
let clock = new Date()

beforeEach(async () => {
  await ask(
    `truncate account_events, event_sources, event_subscriptions, webhook_endpoints, unconfirmed_transactions,
       told_transactions, network_follows, blocks, transactions, transfers cascade`,
  )
  clock = new Date()
  wallet = await tellWallet(pool, { address: address(++wallets), now: () => clock })
  await wallet.derive([{ number: 1, ether: 1n }])
  await wallet.complete()
})

async function watch(options?: Partial<WebhookOptions>): Promise<string> {
  const { accountId } = await createAccount(owner.db, { name: 'test', plan: 'pro' })
  await subscribe(accountId, options)
  return accountId
}

/** Without options it is the stream. */
async function subscribe(accountId: string, options?: Partial<WebhookOptions>): Promise<void> {
  if (options)
    await ask(`insert into webhook_endpoints (id, account_id, url, types, options, state, key_id, wrapped_key, ciphertext)
      values (uuidv7(), '${accountId}', 'https://example.com', '{wallet.transaction}', '${JSON.stringify(options)}',
        'active', '', '', '')`)
  await ask(`insert into event_subscriptions (account_id, wallet_id, endpoint_id, types)
    values ('${accountId}', ${wallet.walletId},
      ${options ? `(select id from webhook_endpoints where account_id = '${accountId}')` : 'null'},
      ${options ? 'null' : `'{wallet.transaction}'`})`)
}

interface Told {
  account: string
  status: string
  credits: number
  endpoints: number
  data: { blockNumber: number; late: boolean; transaction: { hash: { id: string } } }
}

async function told(): Promise<Told[]> {
  while ((await publishBatch({ pool })).isMore) continue
  return ask<Told>(
    `select account_id as account, body::jsonb #>> '{data,status}' as status, credits,
       cardinality(endpoint_ids) as endpoints, body::jsonb -> 'data' as data
     from account_events order by seq`,
  )
}

/** The sync of the wallet sees a head so far above block 2 that it settles. */
async function settle(): Promise<void> {
  await wallet.derive([{ number: 2 + DEPTH, ether: 1n }])
  await wallet.complete()
}

const of = (events: readonly Told[], account: string, block = 2) =>
  events
    .filter((one) => one.account === account && one.data.blockNumber === block)
    .map(({ status, credits, endpoints }) => [status, credits, endpoints])

test('a transaction is told as confirmed, for nothing, when a sync finds its block beyond reorgs', async () => {
  const account = await watch()
  await wallet.derive([{ number: 2, ether: 3n }])
  await wallet.complete()
  const [first] = await told()
  await settle()
  const events = await told()
  expect(of(events, account)).toEqual([
    ['unconfirmed', 5, 0],
    ['confirmed', 0, 0],
  ])
  const last = events.findLast(({ status }) => status === 'confirmed')!
  expect(last.data.transaction).toEqual(first!.data.transaction)
  await wallet.complete()
  expect(await told()).toEqual(events)
})

test('where a follower compares the blocks once more, its comparison confirms', async () => {
  const account = await watch()
  const { epoch } = await beginFollow(pool, networkId)
  await wallet.derive([{ number: 2, ether: 3n }])
  await settle()
  expect(of(await told(), account)).toEqual([['unconfirmed', 5, 0]])
  const chain = {
    finalized: () => Promise.resolve(2),
    headers: (numbers: readonly number[]) =>
      Promise.resolve(numbers.map((number) => ({ number, hash: hash(number), parentHash: null, atMs: 0 }))),
  }
  const cursor = { number: 2 + DEPTH, hash: hash(2 + DEPTH) }
  const at = { networkId, source: 'test', epoch, reorgDepth: DEPTH, cursor, headBlock: 2 + DEPTH }
  const compared = { pool, chain, audit: () => Promise.resolve() }
  expect(await confirmBlocks(compared, { ...at, confirmed: -1 })).toBe(2)
  await transact(pool, ({ client }) => confirmThrough(client, { networkId, epoch, above: -1, block: 2 }))
  expect(of(await told(), account)).toEqual([
    ['unconfirmed', 5, 0],
    ['confirmed', 0, 0],
  ])
  expect(of(await told(), account, 2 + DEPTH)).toEqual([['unconfirmed', 5, 0]])
})

test('all states of a transaction that a catch-up found are late', async () => {
  await watch()
  clock = new Date(clock.getTime() + 30 * 60_000)
  await wallet.derive([{ number: 2, ether: 3n, at: new Date(clock.getTime() - 11 * 60_000) }])
  await settle()
  const found = (await told()).filter(({ data }) => data.blockNumber === 2)
  expect(found.map(({ status, data }) => [status, data.late])).toEqual([
    ['unconfirmed', true],
    ['confirmed', true],
  ])
})

test('an endpoint gets the first state, the confirmed one alone, or both, and its account pays once', async () => {
  const first = await watch({ confirmed: 'first' })
  const only = await watch({ confirmed: 'only' })
  const both = await watch({ confirmed: 'both' })
  await wallet.derive([
    { number: 2, ether: 3n },
    { number: 3, ether: 3n },
  ])
  await told()
  await wallet.rewindTo(2)
  await settle()
  const events = await told()
  expect(of(events, first)).toEqual([['unconfirmed', 5, 1]])
  expect(of(events, only)).toEqual([['confirmed', 5, 1]])
  expect(of(events, both)).toEqual([
    ['unconfirmed', 5, 1],
    ['confirmed', 0, 1],
  ])
  // Who has heard of no transaction is not told that a reorg took it.
  expect([first, only, both].map((account) => of(events, account, 3).map(([status]) => status))).toEqual([
    ['unconfirmed', 'reorged'],
    [],
    ['unconfirmed', 'reorged'],
  ])
})

test('an account that changes what it wants in between neither pays twice nor gets it for nothing', async () => {
  const [less, more] = [await watch({ confirmed: 'both' }), await watch({ confirmed: 'only' })]
  await wallet.derive([{ number: 2, ether: 3n }])
  await told()
  const change = (account: string, confirmed: string) =>
    ask(
      `update webhook_endpoints set options = '{"confirmed":"${confirmed}"}' where account_id = '${account}'`,
    )
  await change(less, 'only')
  await change(more, 'both')
  await settle()
  const events = await told()
  expect(of(events, less)).toEqual([
    ['unconfirmed', 5, 1],
    ['confirmed', 0, 1],
  ])
  expect(of(events, more)).toEqual([['confirmed', 5, 1]])
})

test('who was told of a transaction is told that it is confirmed, also when its value fell meanwhile', async () => {
  const account = await watch({ confirmed: 'both', minValueUsd: 1_000 })
  await wallet.derive([{ number: 2, ether: 3n }])
  await ask(`update event_sources set payload = jsonb_set(payload, '{row,main,valueUsd}', '"1001"')`)
  await told()
  await settle()
  // Neither its stored value nor that of the next transaction is known here.
  expect((await told()).map(({ status, data }) => [data.blockNumber, status])).toEqual([
    [2, 'unconfirmed'],
    [2, 'confirmed'],
  ])
  expect(of(await told(), account)).toHaveLength(2)
})

const step = fc.oneof(
  fc.record({ kind: fc.constant('found' as const), blocks: fc.integer({ min: 1, max: DEPTH }) }),
  fc.record({ kind: fc.constant('reorg' as const), depth: fc.integer({ min: 1, max: DEPTH }) }),
  fc.record({ kind: fc.constant('publish' as const) }),
)

test('case 50 reorged follows unconfirmed, confirmed is the last state, and each transaction costs once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 9 }), async (steps) => {
      // Each wallet has the chain for itself.
      await ask('truncate blocks, transactions, transfers, unconfirmed_transactions')
      wallet = await tellWallet(pool, { address: address(++wallets), now: () => clock })
      await wallet.derive([{ number: 1, ether: 1n }])
      await wallet.complete()
      const account = await watch()
      let [head, settled] = [1, 1]
      async function find(blocks: number): Promise<void> {
        await wallet.derive([{ number: (head += blocks), ether: 1n }])
        await wallet.complete()
        settled = Math.max(settled, head - DEPTH)
      }
      for (const one of steps) {
        if (one.kind === 'publish') await told()
        if (one.kind === 'reorg') await wallet.rewindTo((head = Math.max(settled, head - one.depth)))
        if (one.kind === 'found') await find(one.blocks)
      }
      await find(DEPTH)
      const states = Map.groupBy(
        (await told()).filter((event) => event.account === account),
        ({ data }) => data.transaction.hash.id,
      )
      for (const [id, events] of states) {
        // Each as unconfirmed and reorged any number of times, at last as confirmed if its block stayed.
        const isThere = await ask(
          `select from wallet_transactions where wallet_id = ${wallet.walletId} and hash = '${id}'
             and block_number <= ${head - DEPTH}`,
        )
        const last = isThere.length > 0 ? 'u?c' : id === transactionHash(head) ? 'u' : ''
        expect(events.map(({ status }) => status[0]).join('')).toMatch(new RegExp(`^(ur)*${last}$`))
        expect(events.map(({ credits }) => credits)).toEqual([5, ...Array(events.length - 1).fill(0)])
      }
    }),
    { numRuns: 6 },
  )
})
