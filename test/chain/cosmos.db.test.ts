import type pg from 'pg'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { actorsOf, COSMOS_NETS } from '../../sandbox/cosmos/actors.ts'
import type { CosmosChain } from '../../sandbox/cosmos/ledger.ts'
import type { CosmosTx } from '../../sandbox/cosmos/scene.ts'
import { testDatabase } from '../setup/database.ts'
import { ANCHOR, startOtherChains } from './other-chains.ts'
import { syncDirectly } from './sync-directly.ts'
import { expectSameRows } from './wallet-contents.ts'

vi.setConfig({ testTimeout: 60_000 })

const DAY_MS = 86_400_000
const open = async () =>
  openDb({ url: (await testDatabase()).ingestUrl, maxConnections: 4, applicationName: 'test' })
const [first, later] = [await open(), await open()]
const { pool } = first
const { state, cosmos, networkOf } = await startOtherChains()
const chains = new Map(cosmos.map(({ net, chain }) => [net.id, chain]))
afterAll(() => Promise.all([first, later].map(({ close }) => close())))
beforeEach(() => {
  state.nowMs = ANCHOR * 1_000
})

type NetId = (typeof COSMOS_NETS)[number]['id']
const sync = async (networkId: NetId, address: string, into: pg.Pool = pool) =>
  await syncDirectly({ pool: into, network: await networkOf(into, networkId), address })
const rowsOf = async (statement: string, values: unknown[], of = pool) =>
  (await of.query(statement, values)).rows
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n)

/** The transactions that name an account as the spender or receiver of coins. */
function txsOf(chain: CosmosChain, address: string): CosmosTx[] {
  const all = [
    ...chain.search('coin_spent', 'spender', address),
    ...chain.search('coin_received', 'receiver', address),
  ]
  return [...new Set(all)].filter(({ height }) => height <= chain.newest(ANCHOR))
}

const wallets = COSMOS_NETS.flatMap((net) =>
  actorsOf(net).wallets.map(({ address, label }) => ({ net, id: net.id, address, label })),
)

describe.each(wallets)('$id: $label', ({ net, id, address }) => {
  const chain = chains.get(id)!

  test('legs add up to what the chain says, with fees, rewards and what is staked', async () => {
    const { walletId, openings } = await sync(id, address)
    const held = chain().held(address, chain().newest(ANCHOR))!
    const txs = txsOf(chain(), address)
    expect(openings).toBe(0)
    const moved = await rowsOf(
      `select coalesce((select address from tokens where network_id = $2 and coin_id = moved.coin_id), $3) as denom,
         sum(raw) as raw, coalesce(sum(raw) filter (where role = 'fee'), 0) as fees,
         coalesce(sum(raw) filter (where role = 'reward'), 0) as rewards,
         (select raw from balances where wallet_id = $1 and network_id = $2 and coin_id = moved.coin_id) as held
       from movements as moved where wallet_id = $1 and network_id = $2 group by coin_id`,
      [walletId, id, net.denom],
    )
    const paid = (denom: string) =>
      sum(txs.flatMap(({ payer, fee }) => (payer === address ? (fee[denom] ?? 0n) : [])))
    const rewards = txs.flatMap(({ events }) =>
      events.flatMap(({ type, attributes }) => {
        const facts = Object.fromEntries(attributes.map(({ key, value }) => [key, value]))
        const isOwn = type === 'withdraw_rewards' && facts['delegator'] === address && facts['amount'] !== ''
        return isOwn ? BigInt(facts['amount']!.replace(net.denom, '')) : []
      }),
    )
    const staked = sum([...held.staked.values(), ...held.unbonding].map(({ raw }) => raw))
    const whole = `${(held.bank[net.denom] ?? 0n) + staked}`
    expect(staked).toBeGreaterThan(0n)
    expect(moved.find(({ denom }) => denom === net.denom)).toEqual({
      denom: net.denom,
      raw: whole,
      held: whole,
      fees: `${-paid(net.denom)}`,
      rewards: `${sum(rewards)}`,
    })
    for (const { denom } of net.denoms.filter(({ coinId }) => coinId !== null)) {
      const raw = `${held.bank[denom] ?? 0n}`
      const fees = `${-paid(denom)}`
      expect(moved.find((one) => one.denom === denom)).toEqual({ denom, raw, held: raw, fees, rewards: '0' })
    }
    const served = await rowsOf(
      `select hash from wallet_transactions where wallet_id = $1 and network_id = $2 order by hash`,
      [walletId, id],
    )
    expect(served.map(({ hash }) => hash)).toEqual(txs.map(({ hash }) => hash.toLowerCase()).sort())
  })
})

test('says what each kind of transaction is: delegating is a fee, and a claim is income', async () => {
  for (const { id, address } of wallets) await sync(id, address)
  const rows = await rowsOf(
    `select distinct type, fragment::json ->> 'type' as label,
       array(select role from movements as moved where moved.wallet_id = served.wallet_id
         and moved.network_id = served.network_id and moved.tx_hash = served.hash order by seq) as roles
     from wallet_transactions as served`,
    [],
  )
  const kinds = rows.map(({ type, label, roles }) => `${type} ${label}: ${roles.join()}`).sort()
  expect(kinds).toEqual([
    'deposit Received: reward',
    'deposit Received: reward,fee',
    'deposit Received: spam',
    'deposit Received: transfer',
    'executed Swap: trade,trade,fee',
    'fee Sent: fee',
    'withdraw Sent: transfer',
    'withdraw Sent: transfer,fee',
    // Two payments and a delegation, which pays rewards out.
    'withdraw Sent: transfer,reward,fee',
  ])
  const tokens = await rowsOf(
    `select network_id, symbol, decimals, spam_reason from tokens order by network_id, symbol`,
    [],
  )
  // What came by IBC has its name at home, and no decimal places: nobody but the coin list vouches for them.
  expect(tokens).toEqual([
    { network_id: 'cosmos', symbol: 'uosmo', decimals: null, spam_reason: null },
    { network_id: 'osmosis', symbol: 'Claim at osmogift.example', decimals: 6, spam_reason: 'advertises' },
    { network_id: 'osmosis', symbol: 'uatom', decimals: null, spam_reason: null },
    { network_id: 'osmosis', symbol: 'uusdc', decimals: null, spam_reason: null },
  ])
})

test('a fee in another coin is shown as that coin, also of a failed transaction', async () => {
  const { id, address } = wallets.find((one) => one.id === 'osmosis' && one.label === 'Staker')!
  const { walletId } = await sync(id, address)
  const chain = chains.get('osmosis')!()
  const paid = txsOf(chain, address).filter(({ payer, fee }) => payer === address && !fee['uosmo'])
  expect(new Set(paid.map(({ code }) => code))).toEqual(new Set([0, 5]))
  for (const { hash, code } of paid) {
    const [{ type, fragment }] = await rowsOf(
      `select type, fragment::json as fragment from wallet_transactions where wallet_id = $1 and hash = $2`,
      [walletId, hash.toLowerCase()],
    )
    expect(type).toBe(code === 0 ? 'withdraw' : 'fee')
    expect(fragment.fee.coin.symbol).toBe('uatom')
  }
})

test('syncs at several instants give the same rows as one sync, and a further one changes nothing', async () => {
  const { id, address } = wallets.find((one) => one.id === 'osmosis')!
  await expectSameRows({
    networkId: id,
    address,
    sync: (of, into) => sync(id, of, into),
    pool,
    later: later.pool,
    atDaysBefore: (days) => (state.nowMs = ANCHOR * 1_000 - days * DAY_MS),
  })
})
