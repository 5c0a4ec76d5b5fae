import { expect, test } from 'vitest'
import { z } from 'zod'
import { openApiDocument, type Parameter } from '../../api/openapi.ts'
import { operationId } from '../../api/operation-id.ts'
import type { Route } from '../../api/route.ts'
import { routes } from '../../api/routes.ts'
import { gatewayOpenApi } from '../../gateway/offer/openapi.ts'

const document = openApiDocument(routes)

const operationOf = ({ method, path }: Route) => document.paths[path]![method.toLowerCase()]!
const PLACES = { path: 'pathParams', query: 'query', header: 'headers' } as const

/** As a client writes it: a list is one value with commas. */
const textOf = ({ example }: Parameter): string =>
  Array.isArray(example) ? example.join(',') : String(example)

/** What the parser of the route says about this parameter alone. */
function faultsOf(route: Route, parameter: Parameter): string[] {
  const schema = route[PLACES[parameter.in]]
  const { error } = schema!.safeParse({ [parameter.name]: textOf(parameter) })
  const own = (error?.issues ?? []).filter(({ path }) => path[0] === parameter.name)
  return own.map(({ message }) => message)
}

test.each(routes.map((route) => [operationId(route), route] as const))(
  '%s has an example of each parameter that its parser and its schema accept',
  (_id, route) => {
    const { parameters } = operationOf(route)
    for (const parameter of parameters) {
      const { name, example, schema } = parameter
      expect([name, example]).not.toEqual([name, undefined])
      const described = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
      expect([name, described.safeParse(example).error?.issues]).toEqual([name, undefined])
      if (name !== 'Idempotency-Key') expect([name, faultsOf(route, parameter)]).toEqual([name, []])
    }
  },
)

test('an example that a parser refuses is noticed', () => {
  const route = routes.find(({ path }) => path === '/coins')!
  const limit = operationOf(route).parameters.find(({ name }) => name === 'limit')!
  expect(faultsOf(route, { ...limit, example: 0 })).toEqual(['It must be a whole number from 1 to 1000'])
})

test('the headers of webhooks and the payments of the gateway have examples too', () => {
  const posts = Object.values(document.webhooks).flatMap(({ post }) => post.parameters)
  const sold = routes.filter(({ x402 }) => x402 !== null)
  const gateway = gatewayOpenApi({
    routes: sold,
    publicUrl: 'https://pay.example.org',
    payTo: '0x0',
    pricing: 'flat',
  })
  const paid = Object.values(gateway.paths).flatMap(({ get }) => get!.parameters)
  expect([posts.length, paid.length].every((count) => count > 0)).toBe(true)
  for (const { name, example } of [...posts, ...paid]) expect([name, example]).not.toEqual([name, undefined])
})

test('every tag of the table has a description', () => {
  const { tags } = document
  expect(tags.filter(({ name, description }) => description === name || !description.endsWith('.'))).toEqual(
    [],
  )
  expect(tags.length).toBeGreaterThan(10)
})
