import { expect, test } from 'vitest'
import { z } from 'zod'
import { nameOf } from '../../api/openapi-components.ts'
import { publishedOpenApi } from '../../api/published-openapi.ts'
import type { Route } from '../../api/route.ts'
import { routes } from '../../api/routes.ts'
import { probeRoutes } from './probe-routes.ts'

const document = publishedOpenApi(routes)
const schemas = document.components['schemas'] as Record<string, object>
const snakeCase = (name: string) => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase()

test('operations and schemas have names of at most 40 characters in snake case', () => {
  const operations = Object.values(document.paths).flatMap(Object.values)
  const names = [...operations.map(({ operationId }) => operationId as string), ...Object.keys(schemas)]
  expect(names.filter((name) => snakeCase(name).length > 40)).toEqual([])
  expect(names.filter((name) => !/^[A-Za-z][A-Za-z0-9]*$/.test(name))).toEqual([])
})

test('every object of a request or answer is a named schema, and no two schemas say the same', () => {
  const inline: string[] = []
  const used = new Set<string>()
  const walk = (part: unknown, place: string, isNamed = false): void => {
    if (typeof part !== 'object' || part === null) return
    const { type, $ref: ref } = part as { type?: unknown; $ref?: unknown }
    if (type === 'object' && !isNamed) inline.push(place)
    if (typeof ref === 'string') used.add(nameOf(ref))
    for (const [key, value] of Object.entries(part)) walk(value, `${place}.${key}`)
  }
  walk(document.paths, 'paths')
  walk(document.webhooks, 'webhooks')
  walk(document.components['responses'], 'responses')
  for (const [name, schema] of Object.entries(schemas)) walk(schema, name, true)
  expect(inline).toEqual([])
  expect(Object.keys(schemas).filter((name) => !used.has(name))).toEqual([])
  const texts = Object.values(schemas).map((schema) => JSON.stringify(schema))
  expect(new Set(texts).size).toBe(texts.length)
  expect(texts.length).toBeGreaterThan(200)
  expect(texts.length).toBeLessThanOrEqual(275)
})

test('two different schemas with the same title are refused', () => {
  const named = (shape: z.ZodRawShape) => z.object(shape).meta({ title: 'Twice' })
  const response = z.object({ one: named({ a: z.string() }), two: named({ b: z.string() }) })
  const route: Route = { ...probeRoutes[0]!, response }
  expect(() => publishedOpenApi([route])).toThrow('Two schemas have the name Twice')
})
