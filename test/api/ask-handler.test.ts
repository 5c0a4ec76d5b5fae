import { describe, expect, test } from 'vitest'
import { askHandler } from '../../api/ask-handler.ts'
import { notSynced } from '../../api/errors.ts'
import type { Route, RouteContext } from '../../api/route.ts'
import { routes } from '../../api/routes.ts'
import type { ReadonlyDb } from '../../db/schema.ts'

// Placeholders that are only compared, never queried.
const [primary, replica] = ['primary', 'replica'].map((name) => ({ name }) as unknown as ReadonlyDb)
const input = { path: {}, query: {}, body: undefined, headers: {} }

/** The databases that a route reads, in order. Those in `failing` fail. */
async function asked(route: Partial<Route>, failing: ReadonlyDb[] = [], given = replica) {
  const seen: ReadonlyDb[] = []
  const handler: Route['handler'] = async (_input, { db }) => {
    seen.push(db)
    if (failing.includes(db)) throw notSynced()
    return { body: {}, asOf: null }
  }
  const context = { db: primary } as RouteContext
  const answer = askHandler({ ...route, handler } as Route, input, { context, replica: given })
  return {
    seen,
    failed: await answer.then(
      () => false,
      () => true,
    ),
  }
}

describe('a handler reads', () => {
  test('the primary, if it needs current data', async () => {
    expect(await asked({})).toEqual({ seen: [primary], failed: false })
  })
  test('the replica, if older data is allowed', async () => {
    expect(await asked({ mayLag: true })).toEqual({ seen: [replica], failed: false })
  })
  test('the primary once, after the replica failed', async () => {
    expect(await asked({ mayLag: true }, [replica!])).toEqual({ seen: [replica, primary], failed: false })
    expect(await asked({ mayLag: true }, [replica!, primary!])).toEqual({
      seen: [replica, primary],
      failed: true,
    })
  })
  test('the primary, if there is no replica', async () => {
    const seen: ReadonlyDb[] = []
    const handler: Route['handler'] = async (_input, { db }) => {
      seen.push(db)
      return { body: {}, asOf: null }
    }
    const context = { db: primary } as RouteContext
    await askHandler({ mayLag: true, handler } as unknown as Route, input, { context })
    expect(seen).toEqual([primary])
  })
})

test('statuses, data that decides a charge and data that accounts change are not read from the replica', () => {
  const exact =
    /^\/(status|usage|quote|events|alerts|webhooks|portfolio|exchange|token-risks|news\/sources)|\/status$|^\/wallet\/(charts|balances|balance\/many|pl\/history)$/
  const lagging = routes.filter(({ mayLag }) => mayLag)
  expect(lagging.filter(({ method, path }) => method !== 'GET' || exact.test(path))).toEqual([])
  const others = routes.filter(({ method, mayLag, path }) => method === 'GET' && !mayLag && !exact.test(path))
  expect(others.map(({ path }) => path)).toEqual([])
})
