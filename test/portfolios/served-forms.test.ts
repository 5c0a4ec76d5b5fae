import { describe, expect, test, vi } from 'vitest'
import { correctionNote } from '../../api/portfolios/correction-note.ts'
import { ageOf, pendingOf, withoutHistory } from '../../api/portfolios/holding-set.ts'
import { manualTransaction } from '../../api/portfolios/manual-transaction.ts'
import { portfoliosShown } from '../../api/portfolios/portfolios-shown.ts'
import type { Portfolio } from '../../db/portfolios/read-portfolios.ts'

const AT = new Date('2026-03-10T00:00:00Z')

describe('a note on a correction', () => {
  const part = { count: null, role: null, at: null, portfolio: null }
  test('says as what, when and where a transaction counts', () => {
    expect(correctionNote([])).toBeNull()
    expect(correctionNote([part])).toBe('Corrected: counted as stated')
    expect(correctionNote([{ ...part, role: 'reward' }])).toBe('Corrected: counted as reward')
    expect(correctionNote([{ ...part, at: '2026-03-10', portfolio: 'Cash' }])).toBe(
      'Corrected: counted on 2026-03-10 in Cash',
    )
  })

  test('names the amount of each of several parts, and the rest', () => {
    expect(correctionNote([part, { ...part, count: '0.5', role: 'reward' }])).toBe(
      'Corrected: counted the rest as stated; 0.5 of it as reward',
    )
  })
})

describe('a manual transaction', () => {
  const row = { id: 'id', at: AT, coinId: 'bitcoin', count: '2', priceUsd: '10', note: null }
  const served = (change: Partial<typeof row> | { priceUsd: null }, priceNow: number | undefined = 30) =>
    manualTransaction({ ...row, ...change }, { rates: { then: 2, now: 4 }, priceNow, description: undefined })

  test('is worth its price at the rate of its time, and now the price of now at the rate of now', () => {
    const { main, transaction } = served({})
    expect(main!.totalWorth).toBe(2 * 10 * 2)
    expect(transaction).toMatchObject({
      type: 'Buy',
      transactions: [{ action: 'Received', items: [{ count: 2 }] }],
      coinData: { count: 2, currentValue: 2 * 30 * 4 },
      profitLoss: { profit: 200, profitPercent: 500, currentValue: 240 },
    })
  })

  test('that was sold lost what the coin has gained since', () => {
    expect(served({ count: '-2' }).transaction).toMatchObject({
      type: 'Sell',
      transactions: [{ action: 'Sent' }],
      profitLoss: { profit: -200, profitPercent: -500 },
    })
  })

  test('of a currency is received or sent, and has no icon', () => {
    const { transaction } = served({ coinId: 'FiatCoinEUR', count: '-1' })
    expect(transaction).toMatchObject({ type: 'Sent', mainContent: { coinIcons: [] } })
    expect(served({ coinId: 'FiatCoinEUR' }).transaction.type).toBe('Received')
  })

  test('has a profit only where both prices are known', () => {
    expect(served({ priceUsd: null }).transaction).not.toHaveProperty('profitLoss')
    expect(
      manualTransaction(row, { rates: { then: 1, now: 1 }, priceNow: undefined, description: undefined })
        .transaction,
    ).not.toHaveProperty('profitLoss')
    expect(served({ priceUsd: '0' }).transaction.profitLoss).toMatchObject({ profit: 240, profitPercent: 0 })
  })
})

test('portfolios are pending without a history, or while they, or all of them together, are being computed', () => {
  const done = { isComputed: true, isAccountComputed: true, syncedAt: AT, asOf: AT }
  const portfolios = [
    { id: 'done', kind: 'wallet', ...done },
    { id: 'manual', kind: 'manual', ...done, syncedAt: null, asOf: null },
    { id: 'new', kind: 'exchange', ...done, syncedAt: null, asOf: new Date(AT.getTime() - 1) },
    { id: 'computing', kind: 'wallet', ...done, isComputed: false },
    { id: 'of an account', kind: 'wallet', ...done, isAccountComputed: false },
  ] as Portfolio[]
  const pending = (isWhole: boolean) => pendingOf({ accountId: 'ann', portfolios, isWhole })
  expect(pending(false)).toEqual(['new', 'computing'])
  expect(pending(true)).toEqual(['new', 'computing', 'of an account'])
  expect(withoutHistory(portfolios)).toEqual(['new'])
  expect(ageOf(portfolios)).toEqual(new Date(AT.getTime() - 1))
  expect(ageOf(portfolios.slice(1, 2))).toBeNull()
})

describe('the portfolios of a call', () => {
  const id = '00000000-0000-7000-8000-000000000001'
  const opened = { refusal: null, portfolioId: id, accountId: 'bob' }
  const shown = (
    query: Record<string, string>,
    headers: Record<string, string> = {},
    account: { id: string } | null = { id: 'ann' },
  ) =>
    portfoliosShown(
      { query, headers } as never,
      { account, shares: { open: vi.fn(async () => opened) } } as never,
    )

  test('are those of its account, or the one that it names', async () => {
    expect(await shown({ currency: 'USD' })).toEqual({
      holders: { portfolios: { accountId: 'ann', portfolioId: null } },
      question: { currency: 'USD' },
    })
    expect((await shown({ portfolioId: id }))!.holders).toEqual({
      portfolios: { accountId: 'ann', portfolioId: id },
    })
    expect(await shown({ portfolioId: 'x' })).toBeNull()
    expect(await shown({}, {}, null)).toBeNull()
    expect(await shown({ portfolioId: id }, {}, null)).toBeNull()
  })

  test('are the one that a link opens, whoever asks', async () => {
    const holders = { portfolios: { accountId: 'bob', portfolioId: id } }
    const other = id.replace(/1$/, '2')
    for (const account of [null, { id: 'ann' }]) {
      const found = await shown({ shareToken: 'token', currency: 'USD' }, {}, account)
      expect(found).toMatchObject({ holders, question: { currency: 'USD' } })
      expect(found!.question).not.toHaveProperty('shareToken')
      expect((await shown({}, { sharetoken: 'token' }, account))!.holders).toEqual(holders)
      expect((await shown({ shareToken: 'token', portfolioId: id }, {}, account))!.holders).toEqual(holders)
      expect(await shown({ shareToken: 'token', portfolioId: other }, {}, account)).toBeNull()
    }
  })
})
