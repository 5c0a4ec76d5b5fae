import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseInput } from '../../api/parse-input.ts'
import { priceOf } from '../../api/price.ts'
import { parseQueryString } from '../../api/query-string.ts'
import type { Route } from '../../api/route.ts'
import { NETWORKS } from '../../db/values/networks.ts'
import { probeRoutes } from './probe-routes.ts'

const route = probeRoutes.find(({ path }) => path === '/probe/networks')!
const address = `0x${'a'.repeat(40)}`

const inputOf = (of: Route, queryString: string) =>
  parseInput(of, { path: {}, query: parseQueryString(queryString), body: undefined, headers: {} })
const priceOfQuery = (queryString: string) => priceOf(route, inputOf(route, queryString))
const evm = NETWORKS.filter(({ kind }) => kind === 'evm')
const names = fc.constantFrom(...evm.map(({ id }) => id), 'all')
const lists = fc.array(names, { minLength: 1, maxLength: 30 })

test('C7 the price is 25 per network and 250 for all, whatever the order and repetition', () => {
  fc.assert(
    fc.property(lists, fc.boolean(), (list, networksFirst) => {
      const connectionId = `connectionId=${list.join('%2C')}`
      const parts = [connectionId, `address=${address}`, 'unknown=all']
      const price = priceOfQuery((networksFirst ? parts : parts.reverse()).join('&'))
      const named = new Set(list)
      const all = named.has('all') ? 1 : 0
      expect(price).toEqual({
        credits: (named.size - all) * 25 + all * 250,
        input: `${named.size - all} one, ${all} all`,
      })
    }),
  )
})

test('C7 only the parameter in use is priced', () => {
  fc.assert(
    fc.property(lists, (list) => {
      const connectionId = list.join()
      const alone = priceOfQuery(`address=${address}&connectionId=${connectionId}`)
      expect(priceOfQuery(`blockchain=all,ethereum&address=${address}&connectionId=${connectionId}`)).toEqual(
        alone,
      )
    }),
  )
})

test('the examples of the contract: the prices of all and of single networks add up', () => {
  expect(priceOfQuery(`address=${address}&connectionId=all,ethereum`).credits).toBe(275)
  expect(priceOfQuery(`address=${address}&blockchain=ethereum,base`).credits).toBe(50)
})

test('a route without multipliers has its base price', () => {
  const fixed = probeRoutes.find(({ path, method }) => path === '/probe' && method === 'GET')!
  expect(priceOf(fixed, inputOf(fixed, 'page=3'))).toEqual({
    credits: 25,
    input: null,
  })
})
