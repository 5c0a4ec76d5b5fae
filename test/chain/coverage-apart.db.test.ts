import { beforeEach, describe, expect, test } from 'vitest'
import { twoOfEach } from './two-of-each.ts'

// How current a wallet is on a network follows from its own marks, accounts and spans.

const { ask, networkId, walletId, walletIds, owner, owners } = await twoOfEach()
const OWN = `wallet_id = ${walletId} and network_id = '${networkId}'`
const other = walletIds[0]!

interface Row {
  owner: string
  state: string
  followed: boolean
  minutes: number | null
  verified: number | null
}

/** The coverage of each wallet, with the age of its data and of its verification in minutes. */
const coverage = async () => {
  const rows = await ask<Row>(
    `select network_id || '#' || wallet_id as owner, state, followed,
       round(extract(epoch from now() - synced_at) / 60)::int as minutes,
       round(extract(epoch from now() - verified_at) / 60)::int as verified from wallet_coverage`,
  )
  expect(rows).toHaveLength(owners.length)
  return new Map(rows.map(({ owner: of, ...row }) => [of, row]))
}
const own = async () => (await coverage()).get(owner)!

beforeEach(async () => {
  await ask(
    `update network_follows set mode = 'blocks', advanced_at = now(), cursor_at = now(), head_block = cursor_block`,
  )
  await ask(`delete from touched_wallets`)
  await ask(`delete from account_checks`)
  await ask(
    `update wallet_syncs set synced_at = now() - interval '1 hour', balances_at = null, covered_from = 90, paused_until = null,
       cursor_block = 100, normalised_block = 100`,
  )
})

describe('a wallet that a follower covers', () => {
  const current = { state: 'synced', followed: true, minutes: 0, verified: 60 }
  const mark = (where: string, blocks: [first: number, last: number]) =>
    ask(
      `insert into touched_wallets (network_id, wallet_id, from_block, through_block, reason, marked_at)
       select network_id, wallet_id, $1, $2, 'block', now() - interval '20 minutes' from wallet_syncs where ${where}`,
      blocks,
    )

  test('waits for no mark but its own', async () => {
    await mark(`not (${OWN})`, [95, 95])
    expect(await own()).toEqual(current)
    expect(await coverage()).toEqual(
      new Map(
        owners.map((of) => [
          of,
          of === owner ? current : { state: 'syncing', followed: false, minutes: 20, verified: 60 },
        ]),
      ),
    )
    await mark(OWN, [96, 95])
    expect(await own()).toEqual(current)
    await ask(`update touched_wallets set through_block = 96 where ${OWN}`)
    expect(await own()).toMatchObject({ state: 'syncing', minutes: 20 })
  })

  test('is as current as the follower of its network', async () => {
    await ask(
      `update network_follows set mode = 'off', advanced_at = now() - interval '30 minutes' where network_id <> $1`,
      [networkId],
    )
    for (const [of, row] of await coverage())
      expect(row).toEqual(of.startsWith(networkId) ? current : { ...current, followed: false, minutes: 30 })
    await ask(`update network_follows set cursor_block = null where network_id <> $1`, [networkId])
    for (const [of, row] of await coverage())
      expect(row).toEqual(of.startsWith(networkId) ? current : { ...current, followed: false, minutes: 60 })
    await ask(`update network_follows set cursor_block = 200`)
  })

  test('is paused alone, until the time of its pause', async () => {
    await ask(
      `update wallet_syncs set paused_until = now() + interval '1 hour', covered_from = null where ${OWN}`,
    )
    const states = async () => [...(await coverage())].map(([of, { state }]) => [of === owner, state])
    expect(new Set((await states()).map(String))).toEqual(new Set(['true,syncing', 'false,synced']))
    await ask(`update wallet_syncs set paused_until = now() - interval '1 minute' where ${OWN}`)
    expect(new Set((await states()).map(String))).toEqual(new Set(['true,synced', 'false,synced']))
  })
})

describe('a wallet whose accounts are checked', () => {
  beforeEach(async () => {
    await ask(`update wallet_syncs set covered_from = null`)
    await ask(
      `insert into account_checks (network_id, first_wallet, checked_at)
       select network, first, now() - minutes * interval '1 minute' from (values ($1, 0, 50), ($1, $2::bigint, 20),
         ($1, $2::bigint + 1, 5), ('ethereum', 0, 40), ('ethereum', $2::bigint, 1)) as span (network, first, minutes)`,
      [networkId, walletId],
    )
    // What a check saw of the accounts of the others is newer than their history.
    await ask(`update wallet_accounts set seen_block = case when ${OWN} then 100 else 101 end`)
  })

  test('is as current as the last check of its span, and others whose accounts have changed are not', async () => {
    for (const [of, { minutes, verified, followed }] of await coverage())
      expect([minutes, verified, followed]).toEqual(of === owner ? [20, 20, false] : [60, 60, false])
    await ask('update wallet_accounts set seen_block = 100')
    expect(Object.fromEntries([...(await coverage())].map(([of, { minutes }]) => [of, minutes]))).toEqual({
      [owner]: 20,
      [`${networkId}#${other}`]: 50,
      [`ethereum#${walletId}`]: 1,
      [`ethereum#${other}`]: 40,
    })
  })

  test.each([
    [
      'an account was never seen',
      `update wallet_accounts set seen_block = null where ${OWN} and role = 'address'`,
    ],
    [
      'an account has changed since',
      `update wallet_accounts set seen_block = 101 where ${OWN} and role = 'address'`,
    ],
    ['rows are not derived', `update wallet_syncs set normalised_block = 99 where ${OWN}`],
    [
      'its span was never checked',
      `update account_checks set checked_at = null where first_wallet = ${walletId}`,
    ],
  ])('is as old as its sync while %s', async (_, change) => {
    await ask(change)
    expect(await own()).toMatchObject({ minutes: 60 })
  })

  test('is not current before its first sync', async () => {
    await ask(`update wallet_syncs set synced_at = null where ${OWN}`)
    expect(await own()).toEqual({ state: 'syncing', followed: false, minutes: null, verified: null })
  })
})
