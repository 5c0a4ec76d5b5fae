import { expect, test } from 'vitest'
import { hasSubstance } from './has-substance.ts'

test.each([
  [{}],
  [[]],
  [{ result: [], meta: { page: 1, limit: 20 } }],
  [{ success: true, data: [], timestamp: '2026-01-01' }],
  [{ success: true, data: { slug: 'a', points: [] } }],
  [[{ coinId: 'bitcoin', chart: [] }]],
  [{ marketCap: 0, volume: 0 }],
  [[{ blockchain: 'ethereum', balances: [] }]],
])('%j has no content', (body) => expect(hasSubstance(body)).toBe(false))

test.each([
  [{ status: 'ok' }],
  [[[1_700_000_000, 61_250.5, 1, 24.1]]],
  [{ result: [{ id: 'bitcoin', tags: [] }] }],
  [{ success: true, data: [{ slug: 'a' }] }],
  [[{ coinId: 'bitcoin', chart: [[1, 2, 3, 4]] }]],
])('%j has content', (body) => expect(hasSubstance(body)).toBe(true))
