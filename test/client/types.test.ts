import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { OpenApiDocument } from '../../api/openapi.ts'
import { PRELUDE, typeChecksOf, withoutReferences } from './type-checks.ts'

const ROOT = join(import.meta.dirname, '../..')
const document = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as OpenApiDocument
const folder = mkdtempSync(join(tmpdir(), 'sluice-types-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Returns the checks that do not compile. */
function failuresOf(checks: readonly string[]): string[] {
  const head = `import type { Paths, Webhooks } from ${JSON.stringify(join(ROOT, 'clients/typescript/api-types.ts'))}\n${PRELUDE}`
  writeFileSync(join(folder, 'checks.ts'), `${head}\n${checks.join('\n')}\n`)
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--allowImportingTsExtensions', '--types', '']
  const target = [
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--lib',
    'es2024,dom',
    '--exactOptionalPropertyTypes',
  ]
  const { stdout, status } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, ...target, join(folder, 'checks.ts')],
    { encoding: 'utf8' },
  )
  const offset = head.split('\n').length
  const lines = [...stdout.matchAll(/checks\.ts\((\d+),\d+\): error/g)].map(
    ([, line]) => Number(line) - offset - 1,
  )
  if (status !== 0 && lines.length === 0) throw new Error(stdout)
  return lines.map((line) => checks[line]!)
}

test('the types of the client match docs/openapi.json: every path, parameter, body and answer', () => {
  const checks = typeChecksOf(document)
  expect(checks.length).toBeGreaterThan(3_000)
  expect(failuresOf(checks)).toEqual([])
})

test('the checks find every difference between types and OpenAPI document', () => {
  const changed = withoutReferences(document) as any
  const { get } = changed.paths['/coins']
  const coin = get.responses['200'].content['application/json'].schema.properties.result.items
  const balance = changed.paths['/wallet/balance'].get
  const { properties } =
    changed.paths['/portfolio/transaction'].post.requestBody.content['application/json'].schema
  get.parameters.find(({ name }: any) => name === 'page').schema.type = 'string'
  get.parameters.push({ name: 'more', in: 'query', required: false, schema: { type: 'string' } })
  coin.properties.name.type = 'number'
  coin.required.splice(coin.required.indexOf('price'), 1)
  balance.parameters.find(({ name }: any) => name === 'address').required = false
  delete properties.notes
  delete changed.paths['/markets']
  delete changed.webhooks['test.ping']
  const failures = failuresOf(typeChecksOf(changed))
  const told = (...parts: string[]) => failures.some((check) => parts.every((part) => check.includes(part)))
  expect(told('keys<Paths,')).toBe(true)
  expect(told('keys<Webhooks,')).toBe(true)
  expect(told('"/coins"', '["page"]')).toBe(true)
  expect(told('keys<', '"/coins"', "['query']")).toBe(true)
  expect(told('equal<', '"/coins"', '["name"]')).toBe(true)
  expect(told('keys<', '"/coins"', '["result"][number]')).toBe(true)
  expect(told('keys<', '"/wallet/balance"', "['query']")).toBe(true)
  expect(told('keys<', '"/portfolio/transaction"', 'requestBody')).toBe(true)
})
