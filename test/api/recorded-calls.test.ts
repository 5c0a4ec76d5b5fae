import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { typescript } from '../../api/docs/call-examples.ts'
import { docsOperations } from '../../api/docs/docs-operations.ts'
import { answersJson, openApiDocument, type OpenApiDocument, type Operation } from '../../api/openapi.ts'
import { operationId } from '../../api/operation-id.ts'
import { recordedCall, textValues } from '../../api/recorded-calls.ts'
import type { Route } from '../../api/route.ts'
import { routes } from '../../api/routes.ts'
import { withoutReferences } from '../client/type-checks.ts'

// api/recorded/ holds a call of each operation to an installation, and its answer. This test finds those that the
// table has left behind; test/docs/recorded-calls.clients.test.ts records them.

const OPTIONS =
  '--ignoreConfig --noEmit --strict --allowImportingTsExtensions --exactOptionalPropertyTypes --types  --module nodenext --target es2024 --lib es2024,dom,dom.asynciterable'.split(
    ' ',
  )
const ROOT = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'sluice-examples-'))
afterAll(() => rmSync(folder, { recursive: true }))
const document = withoutReferences(JSON.parse(JSON.stringify(openApiDocument(routes))) as OpenApiDocument)
const all = routes.map((route) => [operationId(route), route] as const)
const operationOf = ({ method, path }: Route) => document.paths[path]![method.toLowerCase()]!

type Schema = Parameters<typeof z.fromJSONSchema>[0]
const answerSchema = ({ responses }: Operation) =>
  z.fromJSONSchema(
    (responses['200'] as { content: Record<string, { schema: Schema }> }).content['application/json']!.schema,
  )

/** The parsed data of an event in the text of a stream. */
const eventIn = (text: unknown) => JSON.parse(/^data: (.*)$/m.exec(String(text))![1]!) as unknown

test.each(all)('the recorded call of %s fits the table', (id, route) => {
  const call = recordedCall(id)!
  expect([id, call]).not.toEqual([id, null])
  const operation = operationOf(route)
  const values = textValues(route.path, call)
  const of = (place: string) =>
    Object.fromEntries(
      operation.parameters.flatMap(({ name, in: where }) =>
        where === place && values.has(name) ? [[name, values.get(name)]] : [],
      ),
    )
  expect(values.size).toBe(Object.keys({ ...of('path'), ...of('query') }).length)
  expect(route.pathParams?.safeParse(of('path')).error?.issues).toBeUndefined()
  expect(route.query?.safeParse(of('query')).error?.issues).toBeUndefined()
  expect(route.requestBody?.safeParse(call.body).error?.issues).toBeUndefined()
  if (answersJson(operation))
    expect(answerSchema(operation).safeParse(call.answer).error?.issues).toBeUndefined()
  else expect(route.response.safeParse(eventIn(call.answer)).error?.issues).toBeUndefined()
})

test('an answer with a field too many or too few does not fit', () => {
  const operation = operationOf(routes.find(({ path }) => path === '/coins/{coinId}')!)
  const { id: _id, ...rest } = recordedCall('getCoin')!.answer as { id: string }
  expect(answerSchema(operation).safeParse({ ...rest, id: 'bitcoin' }).success).toBe(true)
  expect(answerSchema(operation).safeParse(rest).success).toBe(false)
  expect(answerSchema(operation).safeParse({ ...rest, id: 'bitcoin', colour: 'red' }).success).toBe(false)
})

test('nothing is recorded that the table does not have', () => {
  const files = readdirSync(join(ROOT, 'api/recorded')).map((name) => name.replace(/\.json$/, ''))
  expect(files.filter((name) => !all.some(([id]) => id === name))).toEqual([])
})

test('OpenAPI has the recorded call as example of its operation', () => {
  for (const [id, route] of all) {
    const { responses, requestBody, parameters } = operationOf(route)
    const { answer, body } = recordedCall(id)!
    const [content] = Object.values(
      (responses['200'] as { content: Record<string, { example: unknown }> }).content,
    )
    expect([id, content!.example]).toEqual([id, answer])
    if (body !== undefined) expect((requestBody as any).content['application/json'].example).toEqual(body)
    for (const [name, text] of textValues(route.path, recordedCall(id)!)) {
      const { example } = parameters.find((one) => one.name === name && one.in !== 'header')!
      expect([id, name, String(example)]).toEqual([id, name, text])
    }
  }
})

test('the TypeScript of every operation compiles with the types of the client', () => {
  const client = join(ROOT, 'clients/typescript/index.ts')
  const files = docsOperations(openApiDocument(routes)).map((one) => {
    const file = join(folder, `${one.operation.operationId}.ts`)
    const text = typescript(one, recordedCall(one.operation.operationId)!)
    writeFileSync(file, `${text.replace("'sluice-client'", JSON.stringify(client))}\nexport {}\n`)
    return file
  })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(
    join(folder, 'globals.d.ts'),
    `declare module 'node:process' {
  export const env: Record<string, string | undefined>
  export const stdout: { write(text: string): void }
}`,
  )
  const { stdout, status } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/typescript/bin/tsc'), ...OPTIONS, join(folder, 'globals.d.ts'), ...files],
    { encoding: 'utf8' },
  )
  expect(stdout).toBe('')
  expect(status).toBe(0)
  expect(files.length).toBe(routes.length)
})
