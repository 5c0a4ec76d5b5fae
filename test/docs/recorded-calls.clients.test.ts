import { existsSync, writeFileSync } from 'node:fs'
import { expect, inject, test, vi } from 'vitest'
import { recordedFile, type RecordedCall } from '../../api/recorded-calls.ts'
import { openApiDocument, type Operation } from '../../api/openapi.ts'
import { operationId } from '../../api/operation-id.ts'
import { routes } from '../../api/routes.ts'
import '../setup/provided.ts'
import { exampleOf, type Walker } from '../start/examples.ts'
import { hasSubstance } from '../start/has-substance.ts'
import { cutLists } from './cut-lists.ts'
import { EXAMPLE_WRITES } from './example-writes.ts'

// The docs show calls and answers of an installation in the sandbox. RECORD_EXAMPLES=1 writes those that are
// missing; without it this test makes the same calls.

const { url, key, wallet } = inject('installation')
const isRecording = process.env['RECORD_EXAMPLES'] !== undefined
/** Some data arrive minutes after the start. */
const PATIENCE = { timeout: 180_000, interval: 1_000 }
const document = openApiDocument(routes)

const walker: Walker = {
  wallet,
  async send(method, target, body) {
    const response = await fetch(url + target, {
      method,
      headers: {
        'X-API-KEY': key,
        Prefer: 'handling=strict',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  },
}

const operationOf = (path: string, method: string): Operation => document.paths[path]![method.toLowerCase()]!

/** Asks for two items instead of twenty. */
function withLimit(target: string, { parameters }: Operation): string {
  if (!parameters.some(({ name }) => name === 'limit') || target.includes('limit=')) return target
  return `${target}${target.includes('?') ? '&' : '?'}limit=2`
}

async function answered(call: { method: string; target: string; body?: unknown }): Promise<unknown> {
  const { status, body } = await walker.send(call.method, call.target, call.body)
  expect([call.method, call.target, status, status === 200 ? null : body]).toEqual([
    call.method,
    call.target,
    200,
    null,
  ])
  return body
}

function keep(id: string, { target, body }: { target: string; body?: unknown }, whole: unknown): void {
  if (!isRecording || existsSync(recordedFile(id))) return
  const answer = cutLists(whole)
  const isCut = JSON.stringify(answer) !== JSON.stringify(whole)
  const call: RecordedCall = { target, ...(body !== undefined && { body }), answer, isCut }
  writeFileSync(recordedFile(id), `${JSON.stringify(call, null, 2)}\n`)
}

test.each(routes.filter(({ method, kind }) => method === 'GET' && kind !== 'stream'))(
  'GET $path',
  async (route) => {
    const [target, answer] = await vi.waitFor(async () => {
      const found = await exampleOf(route.path)(walker)
      expect([route.path, found]).not.toEqual([route.path, null])
      const limited = withLimit(found!, operationOf(route.path, 'GET'))
      const body = await answered({ method: 'GET', target: limited })
      expect([limited, hasSubstance(body)]).toEqual([limited, true])
      return [limited, body] as const
    }, PATIENCE)
    keep(operationId(route), { target }, answer)
  },
)

test('the stream of events gives its first event', async () => {
  const route = routes.find(({ kind }) => kind === 'stream')!
  const target = `${route.path}?after=0`
  const response = await fetch(url + target, { headers: { 'X-API-KEY': key } })
  expect(response.status).toBe(200)
  let text = ''
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    text += part
    if (/^data: .*\n\n/ms.test(text)) break
  }
  const [event] = text.split('\n\n').filter((one) => one.includes('data: '))
  expect(event).toMatch(/^id: \d+\n/m)
  keep(operationId(route), { target }, `${event}\n`)
})

test('the writes have an example each', () => {
  const writes = routes.filter(({ method }) => method !== 'GET')
  expect(Object.keys(EXAMPLE_WRITES).toSorted()).toEqual(
    writes.map(({ method, path }) => `${method} ${path}`).toSorted(),
  )
})

test.each(Object.keys(EXAMPLE_WRITES))('%s', async (name) => {
  const [method, path] = name.split(' ') as ['POST', string]
  const call = await EXAMPLE_WRITES[name]!(walker)
  const answer = await vi.waitFor(() => answered({ method, ...call }), PATIENCE)
  keep(operationId({ method, path }), call, answer)
})
