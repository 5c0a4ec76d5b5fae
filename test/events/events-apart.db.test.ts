import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { createAccount } from '../../db/metering/write.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

// Who gets an event, what it costs and when it is held, of one account beside another one.

const database = await testDatabase()
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(owner.close)
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)

let [ann, bob] = ['', '']
const PLANS = [['pro'], [3]]

beforeAll(async () => {
  ann = (await createAccount(owner.db, { name: 'Ann', plan: 'pro' })).accountId
  bob = (await createAccount(owner.db, { name: 'Bob', plan: 'pro' })).accountId
  await ask(`insert into wallets (address) values ('0xw1'), ('0xw2')`)
  await ask(`update networks set in_all = id <> 'base-wallet'`)
})

beforeEach(async () => {
  await ask(
    'truncate account_events, event_rates, event_sources, told_transactions, webhook_endpoints cascade',
  )
  for (const account of [ann, bob]) await setCredits(account, 1_000)
})

/** Sets what is left in the period of an account. */
async function setCredits(account: string, left: number): Promise<void> {
  await ask('select lock_period($1)', [account])
  await ask(
    'update credit_periods set granted = posted + $2, topped_up = 0 where account_id = $1 and is_open',
    [account, left],
  )
}

interface Source {
  kind?: string
  cost?: number
}
let made = 0
/** Publishes sources together; their events are named by a number, in their order. */
async function publish(...sources: [account: string, Source?][]): Promise<void> {
  const found: { id: string; data: string; cost: number }[] = []
  for (const [account, { kind = 'coin.price', cost = 1 } = {}] of sources) {
    const [row] = await ask<{ id: string }>(
      `insert into event_sources (kind, account_id, payload) values ($1, $2, '{}') returning id::text`,
      [kind, account],
    )
    found.push({ id: row!.id, data: JSON.stringify({ n: ++made }), cost })
  }
  await ask('select publish_events($1, $2, $3, $4, $5)', [
    found.map(({ id }) => id),
    found.map(({ data }) => data),
    found.map(({ cost }) => cost),
    ...PLANS,
  ])
}
const release = async () => (await ask<{ n: number }>('select release_held_events($1, $2) as n', PLANS))[0]!.n
/** Numbers of the events of an account: those that are sent in their order, and those that are held. */
const events = async (account: string) => {
  const rows = await ask<{ n: number; held: boolean }>(
    `select (body::jsonb #>> '{data,n}')::int - $2 as n, held from account_events where account_id = $1
     order by seq, created_at, id`,
    [account, first],
  )
  return [rows.filter(({ held }) => !held), rows.filter(({ held }) => held)].map((part) =>
    part.map(({ n }) => n),
  )
}
let first = 0
beforeEach(() => void (first = made))
/** How many each may be sent at once, as of its last event. */
const rooms = async () =>
  Object.fromEntries(
    (
      await ask<{ name: string; room: number }>(
        'select name, room from event_rates join accounts on id = account_id',
      )
    ).map(({ name, room }) => [name, room]),
  )
const leftOf = async (account: string) =>
  (
    await ask<{ left: number }>(
      'select (granted - posted)::int as left from credit_periods where account_id = $1 and is_open',
      [account],
    )
  )[0]!.left
/** Makes room for so many events a second, as after some time. */
const rest = (seconds: number) => ask(`update event_rates set at = at - $1 * interval '1 second'`, [seconds])

describe('events of an account are held', () => {
  test('beyond those that its plan has for a second, and its later ones with them', async () => {
    await publish([ann], [ann], [bob], [ann], [ann], [bob])
    expect([await events(ann), await events(bob)]).toEqual([
      [[1, 2, 4], [5]],
      [[3, 6], []],
    ])
    expect(await rooms()).toEqual({ Ann: 0, Bob: 1 })
    await rest(9)
    // What tells of operations is told at once.
    await publish([ann], [bob], [ann, { kind: 'endpoint.disabled', cost: 0 }])
    expect([await events(ann), await events(bob)]).toEqual([
      [
        [1, 2, 4, 9],
        [5, 7],
      ],
      [[3, 6, 8], []],
    ])
    expect(await rooms()).toEqual({ Ann: 0, Bob: 2 })
    expect([await release(), await release()]).toEqual([2, 0])
    expect(await events(ann)).toEqual([[1, 2, 4, 9, 5, 7], []])
  })

  test('and are sent in their order, as many as there is room for', async () => {
    await publish(...Array.from({ length: 9 }, (): [string] => [ann]), [bob], [bob], [bob], [bob])
    expect([await events(ann), await events(bob)]).toEqual([
      [
        [1, 2, 3],
        [4, 5, 6, 7, 8, 9],
      ],
      [[10, 11, 12], [13]],
    ])
    await rest(60)
    expect(await release()).toBe(4)
    expect([await events(ann), await events(bob)]).toEqual([
      [
        [1, 2, 3, 4, 5, 6],
        [7, 8, 9],
      ],
      [[10, 11, 12, 13], []],
    ])
    expect(await rooms()).toEqual({ Ann: 0, Bob: 2 })
  })

  test('that it cannot pay, with those that are free, until it can', async () => {
    await setCredits(ann, 5)
    await publish([ann, { cost: 4 }], [ann, { cost: 2 }], [bob, { cost: 2 }], [ann, { cost: 0 }])
    expect([await events(ann), await events(bob)]).toEqual([
      [[1], [2, 4]],
      [[3], []],
    ])
    await rest(60)
    expect(await release()).toBe(0)
    await setCredits(ann, 2)
    // The period has to be looked at anew first.
    await ask('update credit_periods set fresh_until = now() where account_id = $1 and is_open', [ann])
    expect(await release()).toBe(2)
    expect(await events(ann)).toEqual([[1, 2, 4], []])
    expect([await leftOf(ann), await leftOf(bob)]).toEqual([0, 998])
  })

  test('while those of another account that pays go out', async () => {
    await publish([bob, { cost: 9 }])
    await setCredits(ann, 0)
    await setCredits(bob, 0)
    await publish([ann, { cost: 3 }], [bob, { cost: 2 }], [bob, { cost: 2 }])
    expect([await events(ann), await events(bob)]).toEqual([
      [[], [2]],
      [[1], [3, 4]],
    ])
    await rest(60)
    await setCredits(ann, 1)
    await setCredits(bob, 3)
    expect(await release()).toBe(1)
    expect([await events(ann), await events(bob)]).toEqual([
      [[], [2]],
      [[1, 3], [4]],
    ])
  })
})

describe('a transaction of a wallet', () => {
  const walletOf = async (address: string) =>
    (await ask<{ id: string }>('select id::text from wallets where address = $1', [address]))[0]!.id
  const told = async () =>
    (
      await ask<{ line: string }>(
        `select concat_ws(' ', t.network_id, w.address, t.tx_hash, a.name, cardinality(t.endpoint_ids)) as line
         from told_transactions t join wallets w on w.id = t.wallet_id join accounts a on a.id = t.account_id order by 1`,
      )
    ).map(({ line }) => line)
  async function endpointOf(
    account: string,
    options: object = {},
    types = ['wallet.transaction'],
  ): Promise<string> {
    const id = randomUUID()
    await ask(
      `insert into webhook_endpoints (id, account_id, url, types, options, state, key_id, wrapped_key, ciphertext)
       values ($1, $2, 'https://hooks.test', $3, $4, 'active', 'key', '', '')`,
      [id, account, types, options],
    )
    return id
  }
  const subscribe = async (
    account: string,
    endpoint: string | null,
    network: string | null = null,
    address = '0xw1',
  ) =>
    ask(
      'insert into event_subscriptions (account_id, endpoint_id, wallet_id, network_id) values ($1, $2, $3, $4)',
      [account, endpoint, await walletOf(address), network],
    )
  async function publishState(
    status: string,
    of: { network?: string; address?: string; hash?: string } = {},
  ) {
    const { network = 'ethereum', address = '0xw1', hash = '0xt1' } = of
    const [row] = await ask<{ id: string }>(
      `insert into event_sources (kind, wallet_id, network_id, tx_hash, payload)
       values ('wallet.transaction', $1, $2, $3, $4) returning id::text`,
      [await walletOf(address), network, hash, { status, first: status === 'unconfirmed', identified: true }],
    )
    await ask('select publish_events($1, $2, $3, $4, $5)', [[row!.id], ['{}'], [4], ...PLANS])
  }

  test('costs each account that is told of it once, and is known until it is confirmed', async () => {
    const endpoint = await endpointOf(ann)
    await subscribe(ann, endpoint)
    for (const network of ['ethereum', 'base-wallet'] as const)
      for (const address of ['0xw1', '0xw2']) await subscribe(bob, null, network, address)
    for (const network of ['ethereum', 'base-wallet'])
      for (const address of ['0xw1', '0xw2'])
        for (const hash of ['0xt1', '0xt2']) await publishState('unconfirmed', { network, address, hash })
    const known = await told()
    expect(known).toHaveLength(10)
    expect(known.slice(0, 2)).toEqual(['base-wallet 0xw1 0xt1 Bob 0', 'base-wallet 0xw1 0xt2 Bob 0'])
    await publishState('confirmed')
    expect(await told()).toEqual(known.filter((line) => !line.startsWith('ethereum 0xw1 0xt1')))
    expect(
      await ask(
        `select a.name, array_agg(e.credits::int order by e.created_at) as credits from account_events e
         join accounts a on a.id = e.account_id
         where network_id = 'ethereum' and tx_hash = '0xt1' and wallet_id = $1 group by 1 order by 1`,
        [await walletOf('0xw1')],
      ),
    ).toEqual([
      { name: 'Ann', credits: [4, 0] },
      { name: 'Bob', credits: [4, 0] },
    ])
  })

  test('is told to those that want it as it is', async () => {
    const names = new Map<string, string>()
    const watch = async (
      name: string,
      options: object,
      rest_: { network?: string; types?: string[]; of?: string } = {},
    ) => {
      const { network, types, of = ann } = rest_
      const id = await endpointOf(of, options, types)
      names.set(id, name)
      await subscribe(of, id, network ?? null)
    }
    await watch('both', {})
    await watch('first', { confirmed: 'first' })
    await watch('only', { confirmed: 'only' })
    await watch('spam', { includeSpam: true })
    await watch('rich', { minValueUsd: 100 })
    await watch('balances', {}, { types: ['wallet.balance'] })
    await watch('base', {}, { network: 'base-wallet' })
    await watch('of Bob', { minValueUsd: 100 }, { of: bob })
    interface Asked {
      kind?: string
      network?: string
      status?: string
      identified?: boolean
      valueUsd?: string | null
    }
    const receivers = async (input: Asked) => {
      const {
        kind = 'wallet.transaction',
        network = 'ethereum',
        status = 'unconfirmed',
        valueUsd = '150',
      } = input
      const rows = await ask<{ name: string; ids: string[]; told: boolean }>(
        `select a.name, r.endpoint_ids as ids, r.is_told as told
         from event_receivers($1, $2, $3, '0xt1', $4) r join accounts a on a.id = r.account_id order by 1`,
        [
          kind,
          await walletOf('0xw1'),
          network,
          {
            status,
            first: status === 'unconfirmed',
            identified: input.identified ?? true,
            row: { main: valueUsd === null ? null : { valueUsd } },
          },
        ],
      )
      return rows.map(
        ({ name, ids, told: knows }) =>
          `${name}${knows ? ', told' : ''}: ${ids
            .map((id) => names.get(id)!)
            .toSorted()
            .join(' ')}`,
      )
    }
    expect(await receivers({})).toEqual(['Ann: both first rich spam', 'Bob: of Bob'])
    expect(await receivers({ valueUsd: '-150' })).toEqual(['Ann: both first rich spam', 'Bob: of Bob'])
    expect(await receivers({ valueUsd: '100' })).toEqual(['Ann: both first rich spam', 'Bob: of Bob'])
    expect(await receivers({ valueUsd: '99' })).toEqual(['Ann: both first spam'])
    expect(await receivers({ valueUsd: null })).toEqual(['Ann: both first spam'])
    expect(await receivers({ identified: false })).toEqual(['Ann: spam'])
    expect(await receivers({ status: 'confirmed' })).toEqual(['Ann: both only rich spam', 'Bob: of Bob'])
    expect(await receivers({ network: 'base-wallet' })).toEqual(['Ann: base'])
    expect(await receivers({ kind: 'wallet.balance' })).toEqual(['Ann: balances'])
    expect(await receivers({ status: 'reorged' })).toEqual([])
    const idOf = (name: string) => [...names].find(([, one]) => one === name)![0]
    const tell = async (
      account: string,
      of: string[],
      hash: string,
      address = '0xw1',
      network = 'ethereum',
    ) =>
      ask(
        `insert into told_transactions (network_id, wallet_id, tx_hash, account_id, endpoint_ids)
         values ($1, $2, $3, $4, $5)`,
        [network, await walletOf(address), hash, account, of.map(idOf)],
      )
    await tell(ann, ['both'], '0xt2')
    await tell(ann, ['both'], '0xt1', '0xw2')
    await tell(ann, ['both'], '0xt1', '0xw1', 'base-wallet')
    expect(await receivers({ status: 'reorged' })).toEqual([])
    expect(await receivers({ valueUsd: '99' })).toEqual(['Ann: both first spam'])
    await tell(bob, ['of Bob'], '0xt1')
    expect(await receivers({ status: 'reorged' })).toEqual(['Bob, told: of Bob'])
    await tell(ann, ['rich', 'first'], '0xt1')
    expect(await receivers({ status: 'reorged' })).toEqual(['Ann, told: first rich', 'Bob, told: of Bob'])
    // Who knows it is told its later states, whatever its value is now.
    expect(await receivers({ status: 'confirmed', valueUsd: '1', identified: false })).toEqual([
      'Ann, told: rich spam',
      'Bob, told: of Bob',
    ])
  })
})
