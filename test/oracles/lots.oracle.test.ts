import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Leg } from '../../db/pnl/legs/leg.ts'
import { add, compare, decimal, formatDecimal, negate, sign, subtract } from '../../db/values/decimal.ts'
import type { Decimal } from '../../db/values/decimal.ts'
import { beancountGains, installBeancount } from './beancount.ts'
import { lotEvents } from './lot-events.ts'
import type { Gain } from './lot-events.ts'
import { lotHistories } from './lot-histories.ts'
import { installRp2, rp2Gains } from './rp2.ts'

/**
 * Compares our FIFO, LIFO and HIFO with two other programs, disposal by disposal. Both get our normalised
 * events, so they check the lots and not the normalisation. Neither has average cost.
 *
 * Differences by definition:
 * - rp2 values a fee without a trade at the market; for us it has no proceeds. So rp2's gain is higher by
 *   that value.
 * - beancount only has days, and rp2 sells from all lots of an instant, also later ones. beancount.ts and
 *   rp2.ts describe how each gets our order.
 */
const HISTORIES = 200
const METHODS = ['fifo', 'lifo', 'hifo'] as const
/** beancount books 16 places, rp2 computes with 31 digits. */
const TOLERANCE = decimal('1e-15')

const folder = mkdtempSync(join(tmpdir(), 'sluice-lots-'))
const ledgers = lotHistories(HISTORIES)
const histories = ledgers.map(lotEvents)
const events = histories.flatMap((history) => history.events)
const disposals = events.filter((event) => event.kind === 'dispose')
const programs = { beancount: '', rp2: '' }

beforeAll(async () => {
  programs.beancount = await installBeancount()
  programs.rp2 = await installRp2()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const oursBy = (method: (typeof METHODS)[number]) =>
  new Map<string, Gain>(histories.flatMap((history) => [...history.gains(method)]))

function differences(ours: Map<string, Decimal>, theirs: Map<string, Decimal>): string[] {
  expect(theirs.size).toBe(ours.size)
  return [...ours].flatMap(([key, our]) => {
    const their = theirs.get(key)!
    const difference = subtract(our, their)
    const size = sign(difference) < 0 ? negate(difference) : difference
    return compare(size, TOLERANCE) <= 0 ? [] : [`${key}: ${formatDecimal(our)}, not ${formatDecimal(their)}`]
  })
}

const column = (gains: Map<string, Gain>, name: keyof Gain) =>
  new Map([...gains].map(([key, gain]) => [key, gain[name]]))

describe.each(METHODS)('%s', (method) => {
  const ours = oursBy(method)

  test('gains equal beancount', async () => {
    const theirs = await beancountGains({ programs: programs.beancount, folder, events, method })
    expect(differences(column(ours, 'gain'), theirs)).toEqual([])
  })

  test('basis and gains equal rp2', async () => {
    const theirs = await rp2Gains({ programs: programs.rp2, folder, events, method })
    expect(differences(column(ours, 'basis'), column(theirs, 'basis'))).toEqual([])
    const gains = column(ours, 'gain')
    for (const { key, plainFeeUsd } of disposals)
      if (plainFeeUsd) gains.set(key, add(gains.get(key)!, plainFeeUsd))
    expect(differences(gains, column(theirs, 'gain'))).toEqual([])
  })
})

test('the histories contain the cases in which programs could differ', () => {
  const perCoin = [...Map.groupBy(events, ({ history, coinId }) => `${history} ${coinId}`).values()]
  const lots = perCoin.map((list) => list.filter((event) => event.kind === 'acquire'))
  const tied = (key: (event: (typeof events)[number]) => unknown) =>
    lots.filter((list) => new Set(list.map(key)).size < list.length).length
  const unitCost = (event: (typeof events)[number]) =>
    `${Number(formatDecimal(event.usd)) / Number(formatDecimal(event.quantity))}`
  const [fifo, lifo, hifo] = METHODS.map((method) => column(oursBy(method), 'gain'))
  const trades = ledgers.flat().filter(({ legs }) => legs.some((leg) => leg.role === 'trade'))
  const feeCoins = (isOne: (coinId: string, legs: Leg[]) => boolean) =>
    trades.filter(({ legs }) => legs.some(({ role, coinId }) => role === 'fee' && isOne(coinId, legs))).length
  const moves = (legs: Leg[], coinId: string, direction: number) =>
    legs.some((leg) => leg.role === 'trade' && leg.coinId === coinId && sign(leg.quantity) === direction)
  const figures = {
    feesInGivenCoin: feeCoins((coinId, legs) => moves(legs, coinId, -1)),
    feesInReceivedCoin: feeCoins((coinId, legs) => moves(legs, coinId, 1)),
    feesInThirdCoin: feeCoins((coinId, legs) => !moves(legs, coinId, 1) && !moves(legs, coinId, -1)),
    disposals: disposals.length,
    plainFees: disposals.filter((event) => event.plainFeeUsd).length,
    tiedInTime: tied((event) => event.atMs),
    tiedInUnitCost: tied(unitCost),
    fifoNotLifo: [...fifo!].filter(([key, gain]) => compare(gain, lifo!.get(key)!) !== 0).length,
    lifoNotHifo: [...lifo!].filter(([key, gain]) => compare(gain, hifo!.get(key)!) !== 0).length,
  }
  console.log(figures)
  for (const figure of Object.values(figures)) expect(figure).toBeGreaterThan(HISTORIES)
})
