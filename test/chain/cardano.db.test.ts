import type pg from 'pg'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { lazy } from '../../sandbox/lazy.ts'
import { type CardanoWallet, cardanoWallets, keyDeposit, usdc } from '../../sandbox/cardano/actors.ts'
import { type CardanoTx, createCardanoChain, epochAt, type Utxo } from '../../sandbox/cardano/ledger.ts'
import { testDatabase } from '../setup/database.ts'
import { ANCHOR, market, startOtherChains } from './other-chains.ts'
import { syncDirectly } from './sync-directly.ts'
import { expectSameRows, walletContents } from './wallet-contents.ts'

vi.setConfig({ testTimeout: 60_000 })

const DAY_MS = 86_400_000
const open = async () =>
  openDb({ url: (await testDatabase()).ingestUrl, maxConnections: 4, applicationName: 'test' })
const [first, later, forked] = [await open(), await open(), await open()]
const { pool } = first
const { state, networkOf } = await startOtherChains()
const main = state.cardano
afterAll(() => Promise.all([first, later, forked].map(({ close }) => close())))
beforeEach(() => {
  state.nowMs = ANCHOR * 1_000
  state.cardano = main
})

const sync = async (address: string, into: pg.Pool = pool) =>
  await syncDirectly({ pool: into, network: await networkOf(into, 'cardano'), address })

const isOf =
  ({ name, stake }: CardanoWallet) =>
  (one: Utxo): boolean =>
    name === stake ? one.stake === stake : one.address === name

/** What the chain says of a wallet at its newest block, by its unspent outputs and what was credited. */
function expected(wallet: CardanoWallet) {
  const chain = main()
  const height = chain.tipAt(ANCHOR)
  const isOwn = isOf(wallet)
  const isAccount = wallet.name === wallet.stake
  const involves = (tx: CardanoTx) =>
    tx.inputs.some(isOwn) ||
    tx.outputs.some(isOwn) ||
    (isAccount && tx.withdrawals.some(([stake]) => stake === wallet.stake))
  const txs = chain.txs(height).filter(involves)
  const unspent = chain.unspent(height).filter(isOwn)
  const credits = isAccount
    ? chain.credits(wallet.stake!).filter((one) => one.spendable <= epochAt(chain.timeOf(height)))
    : []
  const income = credits.reduce((sum, { raw }) => sum + raw, 0n)
  const withdrawn = isAccount
    ? txs.flatMap((tx) => tx.withdrawals).reduce((sum, [, raw]) => sum + raw, 0n)
    : 0n
  const fees = txs.reduce((sum, { fee, inputs, withdrawals, deposit }) => {
    const spent = inputs.reduce((total, one) => (isOwn(one) ? total + one.value : total), 0n)
    const [drawn, refund] = [
      withdrawals.reduce((total, [, raw]) => total + raw, 0n),
      deposit < 0n ? -deposit : 0n,
    ]
    const all = inputs.reduce((total, { value }) => total + value, drawn + refund)
    const mine = isAccount && (drawn > 0n || refund > 0n) ? spent + drawn + refund : spent
    return sum + (fee * mine) / all
  }, 0n)
  return {
    hashes: [
      ...txs.map(({ hash }) => hash),
      ...new Set(credits.map(({ spendable }) => chain.hashAt(firstBlockOf(spendable)))),
    ].sort(),
    native: unspent.reduce((sum, { value }) => sum + value, 0n) + income - withdrawn,
    tokens: unspent
      .flatMap(({ assets }) => assets)
      .reduce((sum, [unit, raw]) => (unit === usdc.unit ? sum + raw : sum), 0n),
    fees,
    income,
    txs,
  }
}

function firstBlockOf(epoch: number): number {
  const chain = main()
  let height = chain.heightOf(ANCHOR) - Math.ceil(((epochAt(ANCHOR) - epoch + 1) * 432_000) / 20)
  while (epochAt(chain.timeOf(height)) < epoch) height++
  return height
}

describe.each(cardanoWallets)('$label', (wallet) => {
  test('has each transaction once; legs add up to what the chain holds for it, and fees to its share', async () => {
    const { hashes, native, tokens, fees, income } = expected(wallet)
    const { walletId, openings } = await sync(wallet.name)
    expect(openings).toBe(0)
    const { rows } = await pool.query(
      `select coin_id, sum(raw) as raw, sum(raw) filter (where role = 'fee') as fees,
         coalesce(sum(raw) filter (where role = 'reward'), 0) as income,
         (select raw from balances where wallet_id = $1 and network_id = 'cardano' and coin_id = moved.coin_id) as held
       from movements as moved where wallet_id = $1 and network_id = 'cardano' group by coin_id`,
      [walletId],
    )
    expect(rows.find(({ coin_id: id }) => id === 'cardano')).toEqual({
      coin_id: 'cardano',
      raw: `${native}`,
      held: `${native}`,
      fees: `${-fees}`,
      income: `${income}`,
    })
    expect(rows.find(({ coin_id: id }) => id === `${usdc.unit}_cardano`)).toMatchObject({
      raw: `${tokens}`,
      held: `${tokens}`,
    })
    const served = await pool.query(
      `select hash from wallet_transactions where wallet_id = $1 and network_id = 'cardano' order by hash collate "C"`,
      [walletId],
    )
    expect(served.rows.map(({ hash }) => hash)).toEqual(hashes)
  })
})

test.each(cardanoWallets.slice(0, 2))(
  '$label: syncs at several instants give the same rows as one sync, and a further one changes nothing',
  async ({ name }) =>
    await expectSameRows({
      networkId: 'cardano',
      address: name,
      sync,
      pool,
      later: later.pool,
      atDaysBefore: (days) => (state.nowMs = ANCHOR * 1_000 - days * DAY_MS),
    }),
)

test('says what each kind of transaction is, and names tokens as the registry does', async () => {
  for (const { name } of cardanoWallets) await sync(name)
  const { rows } = await pool.query(
    `select distinct type, fragment::json ->> 'type' as label, wallet.address = any($1) as account,
       array(select role from movements as moved where moved.wallet_id = served.wallet_id
         and moved.network_id = 'cardano' and moved.tx_hash = served.hash order by seq) as roles
     from wallet_transactions as served join wallets as wallet on wallet.id = wallet_id where network_id = 'cardano'`,
    [[cardanoWallets[0]!.name]],
  )
  const kinds = (isAccount: boolean) =>
    rows
      .filter(({ account }) => account === isAccount)
      .map(({ type, label, roles }) => `${type} ${label}: ${roles.join()}`)
      .sort()
  const shared = [
    // A withdrawal within the account: only its fee is shown.
    'fee Sent: fee',
    'deposit Received: transfer',
    'deposit Received: transfer,spam',
    // A token, and the coins that its output has to have.
    'deposit Received: transfer,transfer',
    'executed Swap: trade,trade,fee',
    // A refund of the deposit, and its fee.
    'deposit Received: transfer,fee',
    'withdraw Sent: transfer,fee',
    'withdraw Sent: transfer,transfer,fee',
  ]
  expect(kinds(true)).toEqual([...shared, 'deposit Received: reward'].sort())
  // Of one address, a withdrawal to it is a deposit with its fee.
  expect(kinds(false)).toEqual(shared.sort())
  const tokens = await pool.query(
    `select symbol, decimals, spam_reason from tokens where network_id = 'cardano' order by symbol`,
  )
  expect(tokens.rows).toEqual([
    { symbol: 'Claim at adagift.example', decimals: 0, spam_reason: 'advertises' },
    { symbol: 'SandboxPicture0042', decimals: 0, spam_reason: null },
    { symbol: 'USDC', decimals: 6, spam_reason: null },
  ])
})

test('the deposit of a stake address goes out when it is registered and comes back when that ends', async () => {
  const wallet = cardanoWallets[0]!
  const { walletId } = await sync(wallet.name)
  const { txs } = expected(wallet)
  const deposits = txs.filter(({ deposit }) => deposit !== 0n)
  expect(deposits.some(({ deposit }) => deposit < 0n)).toBe(true)
  for (const { hash, deposit } of deposits) {
    const { rows } = await pool.query(
      `select raw from movements where wallet_id = $1 and network_id = 'cardano' and tx_hash = $2
         and role = 'transfer' and coin_id = 'cardano'`,
      [walletId, hash],
    )
    expect(rows).toEqual([{ raw: `${-deposit}` }])
    expect([keyDeposit, -keyDeposit]).toContain(deposit)
  }
})

test('a reorg deletes removed rows and adds those of the other branch', async () => {
  const wallet = cardanoWallets[0]!
  const last = expected(wallet).txs.at(-1)!
  state.nowMs = main().timeOf(last.block + 30) * 1_000
  const { walletId } = await sync(wallet.name, forked.pool)
  const contents = () => walletContents(forked.pool, { networkId: 'cardano', address: wallet.name })
  const before = await contents()
  const fork = createCardanoChain({ market, fork: { above: last.block - 3, delay: 5 } })
  state.cardano = lazy(() => fork)
  await sync(wallet.name, forked.pool)
  const { rows } = await forked.pool.query(
    `select block_number, block_hash from wallet_transactions
     where wallet_id = $1 and network_id = 'cardano' and hash = $2`,
    [walletId, last.hash],
  )
  expect(rows).toEqual([{ block_number: `${last.block + 5}`, block_hash: fork.hashAt(last.block + 5) }])
  state.cardano = main
  await sync(wallet.name, forked.pool)
  expect(await contents()).toEqual(before)
})
