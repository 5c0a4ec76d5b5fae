import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { renderers } from '../../api/docs/docs-site.ts'
import { toJsonSchema } from '../../api/json-schema.ts'
import { llmsText } from '../../api/llms-text.ts'
import { openApiDocument } from '../../api/openapi.ts'
import type { Route } from '../../api/route.ts'
import { routes } from '../../api/routes.ts'
import { GENERATED_FILES } from '../../cli/generated-files.ts'
import { shareProbe } from '../portfolios/share-probe.ts'
import { probeRoutes } from './probe-routes.ts'

test.each([
  ['the table', routes],
  ['the routes of the tests', [...probeRoutes, shareProbe]],
])('%s is described in valid OpenAPI 3.1', async (_name, rows) => {
  const document = JSON.parse(JSON.stringify(openApiDocument(rows)))
  const result = await new Validator().validate(document)
  expect(result).toMatchObject({ valid: true })
  expect(document.openapi).toBe('3.1.0')
})

test.each(GENERATED_FILES)(
  '$file is current (else run "npm run sluice openapi")',
  async ({ file, print }) => {
    expect(readFileSync(join(import.meta.dirname, '../..', file), 'utf8')).toBe(await print())
  },
)

test('no two routes share method and path, or an operation id', () => {
  const endpoints = routes.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)
  expect(new Set(endpoints).size).toBe(endpoints.length)
  const ids = Object.values(openApiDocument(routes).paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  expect(new Set(ids).size).toBe(routes.length)
})

test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s declares its path parameters, and an existing successor if deprecated',
  (_name, route) => {
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const document = openApiDocument([route])
    const operation = document.paths[route.path]![route.method.toLowerCase()]!
    expect(
      operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
    ).toEqual(names)
    if (route.deprecatedBy) expect(routes.map(({ path }) => path)).toContain(route.deprecatedBy)
  },
)

test('S11 every response declares all its fields, so that no other column gets out', () => {
  const open: string[] = []
  const walk = (schema: unknown, place: string): void => {
    if (typeof schema !== 'object' || schema === null) return
    const { type, properties, additionalProperties } = schema as Record<string, unknown>
    // A map has a schema for its values. Any other object lists all its fields.
    const isMap = typeof additionalProperties === 'object' && Object.keys(additionalProperties!).length > 0
    if (type === 'object' && !isMap && (!properties || additionalProperties !== false)) open.push(place)
    for (const [name, part] of Object.entries(schema)) walk(part, `${place}.${name}`)
  }
  for (const { method, path, response } of routes) walk(toJsonSchema(response, 'output'), `${method} ${path}`)
  expect(open).toEqual([])
})

test('headers are separate parameters under their own names', () => {
  const { get } = openApiDocument([shareProbe]).paths['/probe/selected']!
  const named = get!.parameters.map(({ name, in: place, required, schema }) => [
    name,
    place,
    required,
    schema['pattern'],
  ])
  expect(named.slice(1)).toEqual([
    ['shareToken', 'query', false, '^[0-9A-Za-z]{30}$'],
    ['passcode', 'query', false, undefined],
    ['sharetoken', 'header', false, '^[0-9A-Za-z]{30}$'],
    ['passcode', 'header', false, undefined],
  ])
  expect(Object.keys(get!.responses)).toEqual(expect.arrayContaining(['400', '401', '403', '404']))
})

test('llms.txt lists every operation with price, parameters and a link to its reference', () => {
  const document = openApiDocument(routes)
  const text = llmsText(document)
  const pages = renderers(document)
  expect(text).toMatch(/^# Sluice\n\n> \S/)
  expect(text.length).toBeLessThan(30_000)
  for (const { method, path, operation } of operationsOf(routes)) {
    const line = text.split('\n').find((one) => one.startsWith(`- [${method} /v1${path}](`))!
    const [, link] = /\]\((\/v1\/docs\/[\w/-]+)\)/.exec(line)!
    expect([...pages.keys()]).toContain(link)
    expect(link).toMatch(new RegExp(`/${operation.operationId}$`))
    expect(line).toMatch(/Costs \d+ credits|Free/)
    for (const { name, required } of operation.parameters) if (required) expect(line).toContain(`${name}*`)
  }
  expect(text).not.toContain('undefined')
})

const operationsOf = (rows: readonly Route[]) =>
  Object.entries(openApiDocument(rows).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
