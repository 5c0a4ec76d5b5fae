import { randomBytes, randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { changedRows } from '../setup/changed-rows.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

// Which payments the functions of the gateway take, count and delete, at the limits of their times.

const database = await testDatabase()
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)
const listOf = async (column: string, rest: string, values: unknown[] = []) =>
  (await ask<{ item: unknown }>(`select ${column} as item ${rest}`, values)).map(({ item }) => item)
const hex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}`
const [ASSET, PAYER] = [hex(20), hex(20)]
const after = (interval: string) => `clock_timestamp() + interval '${interval}'`

type State = 'claimed' | 'settling' | 'settled' | 'failed' | 'unknown' | 'lost'
/** Inserts a payment whose name is its resource. `change`: columns with the SQL of their values. */
async function insert(name: string, state: State, change: Record<string, string> = {}) {
  const isProven = state === 'settled' || state === 'lost'
  const columns = {
    id: `'${randomUUID()}'`,
    chain_id: '1',
    asset: `'${ASSET}'`,
    payer: `'${PAYER}'`,
    nonce: `'${hex(32)}'`,
    amount: '5',
    resource_key: `sha256('${name}')`,
    authorization_hash: `sha256('${name}')`,
    valid_before: after('1 minute'),
    state: `'${state}'`,
    claim: 'gen_random_uuid()',
    try_after: after('1 minute'),
    request: state === 'settling' || state === 'unknown' ? `'${name}'` : 'null',
    transaction: isProven ? `'${hex(32)}'` : 'null',
    settled_at: isProven ? after('0') : 'null',
    extra: `'${name}'`,
    ...change,
  }
  const [row] = await ask<{ id: string; nonce: string; transaction: string; claim: string }>(
    `insert into payments (${Object.keys(columns).join()}) values (${Object.values(columns).join()})
     returning id, nonce, transaction, claim`,
  )
  return row!
}
async function newOwner(aliveUntil: string) {
  const id = randomUUID()
  await ask(`insert into payment_owners (id, alive_until) values ($1, ${aliveUntil})`, [id])
  return id
}
const answer = (id: string, expires: string) =>
  ask(`insert into payment_answers values ($1, 200, 'text/plain', '{}', '', ${after(expires)})`, [id])
const names = (where = 'true') => listOf('extra', `from payments where ${where} order by extra`)

beforeEach(() => ask('truncate payments, payment_owners cascade'))

test('cleaning deletes claims that no process holds, and answers and processes an hour after their end', async () => {
  const [alive, dead] = [await newOwner(after('1 minute')), await newOwner(after('-59 minutes'))]
  await newOwner(after('-61 minutes'))
  await insert('held', 'claimed', { owner: `'${alive}'` })
  await insert('held too long', 'claimed', { owner: `'${alive}'`, try_after: after('-1 second') })
  await insert('of a dead process', 'claimed', { owner: `'${dead}'` })
  await insert('of nobody', 'claimed')
  await insert('settling', 'settling')
  for (const [name, state, settled, expires] of [
    ['over', 'settled', '-61 minutes', '-1 second'],
    ['over and lost', 'lost', '-61 minutes', '-1 second'],
    ['not expired', 'settled', '-61 minutes', '1 minute'],
    ['settled late', 'settled', '-59 minutes', '-1 second'],
  ] as const)
    await answer((await insert(name, state, { settled_at: after(settled) })).id, expires)
  await answer((await insert('unknown', 'unknown')).id, '-1 second')

  await ask('select clean_payments()')
  expect(await names(`state in ('claimed', 'settling')`)).toEqual(['held', 'settling'])
  expect(await names('id in (select payment_id from payment_answers)')).toEqual([
    'not expired',
    'settled late',
    'unknown',
  ])
  expect(new Set(await listOf('id', 'from payment_owners'))).toEqual(new Set([alive, dead]))
  await ask('select end_payment_owner($1)', [alive])
  expect(await listOf('id', 'from payment_owners')).toEqual([dead])
})

test('a process takes what no live one holds and is due, the longest due first', async () => {
  const [alive, own] = [await newOwner(after('1 minute')), await newOwner(after('1 minute'))]
  const dead = await newOwner(after('-1 second'))
  await insert('second', 'unknown', { try_after: after('-1 second'), valid_before: after('-9 minutes') })
  await insert('first', 'settling', { try_after: after('-2 seconds') })
  await insert('third', 'unknown', { owner: `'${dead}'`, valid_before: after('-11 minutes') })
  await insert('held', 'unknown', { owner: `'${alive}'` })
  await insert('not due', 'settling')
  await insert('settled', 'settled', { try_after: after('-1 hour') })
  await insert('claimed', 'claimed', { try_after: after('-1 hour') })
  const take = (onlyId: string | null, atMost: number) =>
    ask(
      `select extra as name, asked, ended, abandoned from take_open_payments($1, $2, $3)
       join payments on id = payment_id`,
      [own, onlyId, atMost],
    )
  const [{ id }] = (await ask<{ id: string }>(`select id from payments where extra = 'second'`)) as [
    { id: string },
  ]
  expect(await take(null, 1)).toEqual([{ name: 'first', asked: false, ended: false, abandoned: false }])
  expect(await take(id, 9)).toEqual([{ name: 'second', asked: true, ended: true, abandoned: false }])
  expect(await take(null, 9)).toEqual([{ name: 'third', asked: true, ended: true, abandoned: true }])
  expect(await names('settles = 1')).toEqual(['first', 'second', 'third'])
  expect(await names(`owner = '${own}'`)).toEqual(['first', 'second', 'third'])
})

test('the chain is asked for its own settled payments that it has not shown, and for lost ones that may come back', async () => {
  const shown = await insert('shown', 'settled', { block_number: '12' })
  await insert('later', 'settled', { block_number: '11' })
  await insert('from', 'settled', { block_number: '10' })
  await insert('before', 'settled', { block_number: '9' })
  await insert('of another chain', 'settled', { block_number: '10', chain_id: '2' })
  await insert('lost', 'lost', { block_number: '1', valid_before: after('-9 minutes') })
  await insert('lost for good', 'lost', { block_number: '1', valid_before: after('-11 minutes') })
  await insert('lost elsewhere', 'lost', { chain_id: '2' })
  await insert('unknown', 'unknown')
  const asked = (atMost: number) =>
    ask(
      `select extra as name, is_lost as lost from payments_to_confirm(1, 10, $1, $2) join payments on id = payment_id
       order by extra`,
      [[shown.transaction], atMost],
    )
  const [from, later, lost] = [
    { name: 'from', lost: false },
    { name: 'later', lost: false },
    { name: 'lost', lost: true },
  ]
  expect(await asked(9)).toEqual([from, later, lost])
  expect(await asked(1)).toEqual([from, lost])
})

test('an authorization is known by chain, asset, payer and nonce together', async () => {
  const [one, two] = [
    await insert('one', 'claimed'),
    await insert('two', 'claimed', { payer: `'${hex(20)}'` }),
  ]
  const known = (chain: number, asset: string, payers: string[], nonces: string[]) =>
    listOf('known', 'from known_authorizations($1, $2, $3, $4) known', [chain, asset, payers, nonces])
  expect(await known(1, ASSET, [PAYER, PAYER], [one.nonce, two.nonce])).toEqual([one.nonce])
  expect(await known(1, ASSET, [PAYER], [two.nonce])).toEqual([])
  expect(await known(2, ASSET, [PAYER], [one.nonce])).toEqual([])
  expect(await known(1, hex(20), [PAYER], [one.nonce])).toEqual([])
})

test('metrics count what is open by state, and what was lost in the last day', async () => {
  await insert('old', 'unknown', { claimed_at: after('-90 seconds') })
  await insert('new', 'unknown')
  await insert('claimed', 'claimed')
  await insert('failed', 'failed')
  await insert('lost', 'lost', { settled_at: after('-23 hours') })
  await insert('lost before', 'lost', { settled_at: after('-25 hours') })
  await insert('settled', 'settled')
  expect(
    await ask('select state, payments::int, oldest_s >= 90 as old from count_open_payments() order by state'),
  ).toEqual([
    { state: 'claimed', payments: 1, old: false },
    { state: 'unknown', payments: 2, old: true },
  ])
  expect(await listOf('count_lost_payments()::int', '')).toEqual([1])
})

describe('without a node the answer is given', () => {
  const used = { nonce_used: 'true' }
  const given = async (name: string, state: State, change: Record<string, string>) => {
    const { id } = await insert(name, state, change)
    await answer(id, '1 hour')
    const get = async () => (await listOf('status_code', 'from answer_unproven_payment($1)', [id])).length
    return [await get(), await get()]
  }

  test('once, for a used nonce of at most 0.004 USDC', async () => {
    await answer((await insert('beside', 'unknown', used)).id, '1 hour')
    expect(await given('exact', 'unknown', { ...used, amount: '4000' })).toEqual([1, 0])
    expect(await given('more', 'unknown', { ...used, amount: '4001' })).toEqual([0, 0])
    expect(await given('unused', 'unknown', {})).toEqual([0, 0])
    expect(await given('settling', 'settling', used)).toEqual([0, 0])
    expect(await names('unproven_at is not null')).toEqual(['exact'])
  })

  test('three times a day to a payer', async () => {
    const before = (n: string, age: string, change = {}) =>
      insert(n, 'failed', { unproven_at: after(age), ...change })
    await before('of yesterday', '-25 hours')
    await before('one', '-23 hours')
    await before('two', '-1 second')
    for (const n of ['other one', 'other two', 'other three'])
      await before(n, '-1 hour', { payer: `'${hex(20)}'` })
    expect(await given('third', 'unknown', used)).toEqual([1, 0])
    expect(await given('fourth', 'unknown', used)).toEqual([0, 0])
  })
})

test('a claim is released by its holder alone, as long as nobody was asked to settle it twice', async () => {
  const release = async (payment: { id: string; claim: string }, claim = payment.claim) =>
    (await listOf('done', 'from release_payment($1, $2) done', [payment.id, claim]))[0]
  const [claimed, other] = [await insert('claimed', 'claimed'), await insert('other', 'claimed')]
  expect([await release(claimed, other.claim), await release(claimed)]).toEqual([false, true])
  expect(await release(await insert('once', 'settling', { settles: '1' }))).toBe(true)
  expect(await release(await insert('twice', 'settling', { settles: '2' }))).toBe(false)
  expect(await release(await insert('unknown', 'unknown', { settles: '1' }))).toBe(false)
  expect(await names()).toEqual(['other', 'twice', 'unknown'])
})

test('a doubtful payment is asked about again after 10 seconds, 10 minutes if it is abandoned, and one never sent soon', async () => {
  const doubt = async (name: string, state: State, asked: boolean, valid = '1 minute') => {
    const { id } = await insert(name, state, { valid_before: after(valid), owner: 'gen_random_uuid()' })
    await ask(`select doubt_payment($1, 'why', false, $2)`, [id, asked])
    const [row] = await ask<{ state: string; seconds: number; owner: null; used: boolean }>(
      `select state, owner, nonce_used as used, ceil(extract(epoch from try_after - clock_timestamp()))::int as seconds
       from payments where id = $1`,
      [id],
    )
    expect([row!.owner, row!.used]).toEqual([null, false])
    return [row!.state, [1, 10, 600].find((seconds) => row!.seconds <= seconds)]
  }
  expect(await doubt('asked', 'settling', true)).toEqual(['unknown', 10])
  expect(await doubt('never sent', 'settling', false)).toEqual(['settling', 1])
  expect(await doubt('unknown', 'unknown', false)).toEqual(['unknown', 10])
  expect(await doubt('expired', 'settling', true, '-9 minutes')).toEqual(['unknown', 10])
  expect(await doubt('abandoned', 'settling', true, '-11 minutes')).toEqual(['unknown', 600])
  const settled = await insert('settled', 'settled')
  await ask(`select doubt_payment($1, 'why', true)`, [settled.id])
  expect(await names(`last_error = 'why' and state = 'settled' or nonce_used`)).toEqual([])
})

describe('what is recorded of a payment changes it alone', () => {
  const STATES: readonly State[] = ['claimed', 'settling', 'settled', 'failed', 'unknown', 'lost']
  type Payment = Awaited<ReturnType<typeof insert>>
  /** Which of two payments of each state, with their answers, a statement on one of them changes. */
  async function changedBy(
    state: State,
    statement: string,
    values: (own: Payment) => unknown[],
  ): Promise<string[]> {
    const names_ = new Map<string, string>()
    let own: Payment | undefined
    for (const one of STATES)
      for (const name of ['own', 'beside']) {
        const payment = await insert(`${name} ${one}`, one, { settles: '2', last_error: `'before'` })
        names_.set(payment.id, `${name} ${one}`)
        if (one !== 'claimed') await answer(payment.id, '1 hour')
        if (one === state && name === 'own') own = payment
      }
    const changed = await changedRows(database, { payments: 'id', payment_answers: 'payment_id' }, () =>
      ask(statement, values(own!)),
    )
    return [...new Set(changed)].map((id) => names_.get(id)!).toSorted((a, b) => a.localeCompare(b))
  }
  const onlyIn = async (states: readonly State[], statement: string, values: (own: Payment) => unknown[]) => {
    for (const state of STATES) {
      await ask('truncate payments cascade')
      const expected = states.includes(state) ? [`own ${state}`] : []
      expect([state, await changedBy(state, statement, values)]).toEqual([state, expected])
    }
  }

  test('that it was settled: unless it is claimed only, settled before, or has failed', async () => {
    await onlyIn(['settling', 'unknown', 'lost'], `select settle_payment($1, $2, 'extra')`, ({ id }) => [
      id,
      hex(32),
    ])
  })

  test('that it failed: while it is being settled, or unknown', async () => {
    await onlyIn(['settling', 'unknown'], `select fail_payment($1, 'refused')`, ({ id }) => [id])
  })

  test('that the chain lost it: once it was settled by this transaction', async () => {
    await onlyIn(['settled'], 'select lose_payment($1, $2)', ({ id, transaction }) => [id, transaction])
    await onlyIn([], 'select lose_payment($1, $2)', ({ id }) => [id, hex(32)])
  })

  test('that it is unknown: while it is being settled, or again', async () => {
    await onlyIn(['settling', 'unknown'], `select doubt_payment($1, 'why', false)`, ({ id }) => [id])
  })

  test('its answer: by the holder of its claim', async () => {
    const store = `select store_payment($1, $2, 'request', 200, 'text/plain', '{}', '')`
    await onlyIn(['claimed'], store, ({ id, claim }) => [id, claim])
    await onlyIn([], store, ({ id }) => [id, randomUUID()])
  })

  test('how it was settled first is what a later settlement gets', async () => {
    const payment = await insert('payment', 'settling')
    await insert('beside', 'settled')
    const settle = (transaction: string, block: number | null) =>
      ask(`select settled_transaction as by from settle_payment($1, $2, 'x', true, $3, '0xpayee')`, [
        payment.id,
        transaction,
        block,
      ])
    const [one, other] = [hex(32), hex(32)]
    expect([await settle(one, null), await settle(other, 5)]).toEqual([[{ by: one }], [{ by: one }]])
    expect(await ask('select pay_to, block_number from payments where id = $1', [payment.id])).toEqual([
      { pay_to: null, block_number: null },
    ])
    const failed = await insert('failed', 'failed')
    expect(await ask(`select * from settle_payment($1, $2, 'x')`, [failed.id, other])).toEqual([])
  })
})
