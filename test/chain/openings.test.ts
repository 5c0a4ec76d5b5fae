import { expect, test } from 'vitest'
import { findOpenings } from '../../activities/chain/openings.ts'
import type { CoinToVerify } from '../../activities/chain/openings.ts'

const coin = (rest: Partial<CoinToVerify>): CoinToVerify => ({
  coinId: 'steth',
  token: '0xae',
  decimals: 18,
  balance: 0n,
  moved: 0n,
  movements: 4,
  opened: 0n,
  isShort: false,
  openedBefore: false,
  ...rest,
})
const found = (rest: Partial<CoinToVerify>, isFirstSync = false) =>
  findOpenings([coin(rest)], isFirstSync).map(({ role, raw, place, replaces }) => ({
    role,
    raw,
    place,
    replaces,
  }))

test('33: a balance of 3 with movements of 2 gives an opening of 1, at the start if the first sync finds it', () => {
  const opening = { role: 'opening', raw: 1_000n, replaces: false }
  expect(found({ balance: 3_000n, moved: 2_000n }, true)).toEqual([{ ...opening, place: 'start' }])
  expect(found({ balance: 3_000n, moved: 2_000n })).toEqual([{ ...opening, place: 'head' }])
  expect(found({ balance: 3_000n, moved: 3_000n }, true)).toEqual([])
  expect(found({ balance: 3_000n, moved: 2_000n, isShort: true })).toEqual([
    { ...opening, place: 'shortfall' },
  ])
})

test('ignores rounding of two base units per movement, except for the native asset', () => {
  expect(found({ balance: 1_000_008n, moved: 1_000_000n })).toEqual([])
  expect(found({ balance: 999_992n, moved: 1_000_000n })).toEqual([])
  expect(found({ balance: 1_000_009n, moved: 1_000_000n })).toHaveLength(1)
  expect(found({ token: null, balance: 1_000_001n, moved: 1_000_000n })).toHaveLength(1)
})

test('a token that grew by up to 1 % rebased: income, not a flow', () => {
  const rebase = { role: 'rebase', raw: 10_000n, place: 'head', replaces: false }
  expect(found({ balance: 1_010_000n, moved: 1_000_000n })).toEqual([rebase])
  expect(found({ balance: 1_010_001n, moved: 1_000_000n })).toMatchObject([{ role: 'opening' }])
  expect(found({ balance: 990_000n, moved: 1_000_000n })).toMatchObject([{ role: 'opening', raw: -10_000n }])
  expect(found({ token: null, balance: 1_010_000n, moved: 1_000_000n })).toMatchObject([{ role: 'opening' }])
})

test('late rows reduce the opening by the amount that they explain', () => {
  const late = { moved: 1_500_000n, opened: 500_000n, openedBefore: true }
  expect(found({ ...late, balance: 1_000_000n })).toEqual([
    { role: 'opening', raw: 0n, replaces: true, place: 'head' },
  ])
  expect(found({ ...late, balance: 1_200_000n })).toEqual([
    { role: 'opening', raw: 200_000n, replaces: true, place: 'earlier' },
  ])
})

test('native coins that add up need no opening', () => {
  expect(found({ token: null, balance: 3_000n, moved: 3_000n })).toEqual([])
  expect(found({ token: null, balance: 0n, moved: 0n, movements: 0 }, true)).toEqual([])
})
