import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ChainTransaction, ChainTransfer } from '../../activities/chain/chain-data.ts'
import { NOBODY } from '../../activities/chain/chain-data.ts'
import { normalise } from '../../activities/chain/normalise.ts'
import { esploraTransaction } from '../../activities/chain/sources/esplora-transaction.ts'
import { keepOwn } from '../../activities/chain/sources/keep-own.ts'
import {
  decodeSolanaTransaction,
  solanaTransaction,
} from '../../activities/chain/sources/solana-transaction.ts'
import { decodeUtxoTransaction } from '../../activities/chain/sources/utxo-transaction.ts'
import type { UtxoOutput, UtxoTransaction } from '../../activities/chain/sources/utxo-transaction.ts'
import type { WalletContext } from '../../activities/chain/wallet-context.ts'

const WRAPPED = 'So11111111111111111111111111111111111111112'
const asset = (coinId: string) => ({
  coinId,
  symbol: coinId,
  name: coinId,
  icon: null,
  decimals: 0,
  isIdentified: true,
  isStable: false,
  isSpam: false,
})

/** Sums of a wallet's movements in a transaction by coin, and the fees among them. */
function sums(
  kind: 'bitcoin' | 'solana',
  own: Iterable<string>,
  decoded: { transaction: ChainTransaction; transfers: ChainTransfer[] },
) {
  const context: WalletContext = {
    own: new Set(own),
    network: {
      id: kind,
      blockchain: kind,
      kind,
      explorerUrl: '',
      wrappedAddress: kind === 'solana' ? WRAPPED : null,
    },
    assetOf: (token) => asset(token ?? 'native'),
  }
  const kept = keepOwn(context.own, decoded.transfers)
  const movements = normalise(context, decoded.transaction, kept)?.movements ?? []
  const byCoin = new Map<string, bigint>()
  for (const one of movements) byCoin.set(one.coinId, (byCoin.get(one.coinId) ?? 0n) + one.raw)
  const fees = movements.reduce((sum, one) => (one.role === 'fee' ? sum - one.raw : sum), 0n)
  return { byCoin, native: byCoin.get('native') ?? 0n, fees }
}

const sum = (values: readonly (number | bigint)[]) =>
  values.reduce((total: bigint, one) => total + BigInt(one), 0n)

describe('Bitcoin', () => {
  const party = fc.integer({ min: 0, max: 7 })
  const value = fc.integer({ min: 0, max: 2_100_000_000_000_000 / 20 })
  const transaction = fc
    .record({
      inputs: fc.array(fc.tuple(party, value), { minLength: 1, maxLength: 6 }),
      outputs: fc.array(fc.tuple(party, fc.integer({ min: 0, max: 1_000 })), { minLength: 1, maxLength: 6 }),
      feeShare: fc.integer({ min: 0, max: 1_000 }),
    })
    .map(({ inputs, outputs, feeShare }): UtxoTransaction => {
      const spent = sum(inputs.map(([, one]) => one))
      const wantedFee = (spent * BigInt(feeShare)) / 10_000n
      const weights = sum(outputs.map(([, weight]) => weight)) || 1n
      const vout = outputs.map(([to, weight]) => ({
        scriptpubkey_address: `a${to}`,
        value: Number(((spent - wantedFee) * BigInt(weight)) / weights),
      }))
      return esploraTransaction.parse({
        txid: 'a'.repeat(64),
        vin: inputs.map(([from, one]) => ({ prevout: { scriptpubkey_address: `a${from}`, value: one } })),
        vout,
        fee: Number(spent - sum(vout.map((one) => one.value))),
        status: { confirmed: true, block_height: 5, block_hash: 'b'.repeat(64), block_time: 1_700_000_000 },
      })!
    })

  test('the movements of all wallets add up to the fee, for any grouping of addresses into wallets', () => {
    fc.assert(
      fc.property(
        transaction,
        fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 8, maxLength: 8 }),
        (tx, owners) => {
          const decoded = decodeUtxoTransaction(tx)
          let [total, fees] = [0n, 0n]
          for (const owner of new Set(owners)) {
            const own = new Set(owners.flatMap((one, i) => (one === owner ? [`a${i}`] : [])))
            const mine = (rows: readonly (UtxoOutput | null)[]) =>
              sum(rows.flatMap((one) => (one && own.has(one.address!) ? [one.value] : [])))
            const spent = mine(tx.inputs)
            const found = sums('bitcoin', own, decoded)
            expect(found.native).toBe(mine(tx.outputs) - spent)
            if (spent === 0n) expect(found.fees).toBe(0n)
            total += found.native
            fees += found.fees
          }
          expect(total).toBe(-tx.fee)
          // Shares of the fee are rounded down, so at most one satoshi per wallet counts as sent instead.
          expect(fees).toBeLessThanOrEqual(tx.fee)
          if (decoded.transaction.value > 0n) expect(tx.fee - fees).toBeLessThan(3n)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('an address with an input of zero pays no fee, even as the first input', () => {
    const tx = esploraTransaction.parse({
      txid: 'a'.repeat(64),
      fee: 1,
      vout: [{ scriptpubkey_address: 'a0', value: 0 }],
      vin: ['a1', 'a0'].map((from, value) => ({ prevout: { scriptpubkey_address: from, value } })),
      status: { confirmed: true, block_height: 5, block_hash: 'b'.repeat(64), block_time: 1_700_000_000 },
    })!
    const decoded = decodeUtxoTransaction(tx)
    expect(sums('bitcoin', ['a1'], decoded)).toMatchObject({ native: 0n, fees: 0n })
    expect(sums('bitcoin', ['a0'], decoded)).toMatchObject({ native: -1n, fees: 1n })
  })
})

describe('Solana', () => {
  const MINTS = ['mintA', 'mintB', WRAPPED]
  const balance = fc.integer({ min: 0, max: 1_000_000_000 })
  const amount = fc.option(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), { nil: null })
  const row = fc.record({
    owner: fc.integer({ min: 0, max: 3 }),
    mint: fc.constantFrom(...MINTS),
    before: amount,
    after: amount,
    lamports: fc.tuple(balance, balance),
    moved: fc.boolean(),
  })
  const transaction = fc
    .record({
      wallets: fc.array(fc.tuple(balance, balance), { minLength: 4, maxLength: 4 }),
      tokens: fc.array(row, { maxLength: 5 }),
      fee: fc.integer({ min: 0, max: 1_000_000 }),
      failed: fc.boolean(),
    })
    .map(({ wallets, tokens, fee, failed }) => {
      const accounts = [...wallets, ...tokens.map(({ lamports }) => lamports)]
      const balances = (side: 'before' | 'after') =>
        tokens.flatMap((one, i) => {
          const held = one[side]
          const owner = one.moved && side === 'after' ? (one.owner + 1) % 4 : one.owner
          const uiTokenAmount = { amount: String(held), decimals: 0 }
          return held === null
            ? []
            : [{ accountIndex: 4 + i, mint: one.mint, owner: `w${owner}`, uiTokenAmount }]
        })
      return solanaTransaction.parse({
        slot: 7,
        blockTime: 1_700_000_000,
        version: 0,
        meta: {
          err: failed ? { InstructionError: [0, 'Custom'] } : null,
          fee,
          preBalances: accounts.map(([before]) => before),
          postBalances: accounts.map(([, after]) => after),
          preTokenBalances: balances('before'),
          postTokenBalances: balances('after'),
        },
        transaction: {
          signatures: ['signature'],
          message: { accountKeys: accounts.map((_, i) => ({ pubkey: i < 4 ? `w${i}` : `t${i}` })) },
        },
      })
    })

  const signed = (rows: readonly ChainTransfer[]) =>
    sum(rows.map((one) => (one.from === NOBODY ? one.raw : -one.raw)))

  test('transfers of all parties add up to the balance changes and the fee', () => {
    fc.assert(
      fc.property(transaction, (tx) => {
        const { transfers, transaction: decoded } = decodeSolanaTransaction(tx, {
          atMs: 0,
          owners: new Map(),
        })
        if (!decoded.success) {
          expect(transfers).toEqual([])
          return
        }
        expect(new Set(transfers.map((one) => `${one.kind} ${one.position} ${one.item}`)).size).toBe(
          transfers.length,
        )
        const { meta } = tx
        const lamports = sum(meta.postBalances) - sum(meta.preBalances)
        expect(signed(transfers.filter(({ token }) => token === null)) - meta.fee).toBe(lamports)
        for (const mint of MINTS) {
          const held = (rows: typeof meta.preTokenBalances) =>
            sum((rows ?? []).filter((one) => one.mint === mint).map((one) => one.uiTokenAmount.amount))
          const change = held(meta.postTokenBalances) - held(meta.preTokenBalances)
          expect(signed(transfers.filter(({ token }) => token === mint))).toBe(change)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('movements of each wallet equal its balance changes; a failed transaction costs only the fee', () => {
    fc.assert(
      fc.property(transaction, (tx) => {
        const decoded = decodeSolanaTransaction(tx, { atMs: 0, owners: new Map() })
        const { meta } = tx
        for (let i = 0; i < 4; i++) {
          const found = sums('solana', [`w${i}`], decoded)
          const fee = i === 0 ? meta.fee : 0n
          expect(found.fees).toBe(fee)
          if (!decoded.transaction.success) {
            expect([...found.byCoin.values()]).toEqual(fee > 0n ? [-fee] : [])
            continue
          }
          expect(found.native).toBe(meta.postBalances[i]! - meta.preBalances[i]!)
          for (const mint of MINTS) {
            const held = (rows: typeof meta.preTokenBalances) =>
              sum(
                (rows ?? [])
                  .filter((one) => one.mint === mint && one.owner === `w${i}`)
                  .map((one) => one.uiTokenAmount.amount),
              )
            expect(found.byCoin.get(mint) ?? 0n).toBe(
              held(meta.postTokenBalances) - held(meta.preTokenBalances),
            )
          }
        }
      }),
      { numRuns: 500 },
    )
  })
})
