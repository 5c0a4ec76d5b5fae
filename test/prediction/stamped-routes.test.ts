import { expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'

// A kept answer would else have the time at which it was made.
test('every answer of prediction markets that callers share gets the time of its own response', () => {
  const shared = routes.filter(({ path, shared: kept }) => path.startsWith('/prediction/') && kept)
  expect(shared.length).toBeGreaterThan(10)
  expect(shared.filter(({ shared: kept }) => !kept!.stamped).map(({ path }) => path)).toEqual([])
})
