import { existsSync, readFileSync } from 'node:fs'
import type { JsonSchema } from './json-schema.ts'
import type { Parameter } from './openapi.ts'

/** A call that was sent to an installation of the sandbox, and what it answered. */
export interface RecordedCall {
  /** Path below /v1, with query. */
  target: string
  body?: unknown
  /** JSON, or the text of the first event of a stream. */
  answer: unknown
  /** Whether lists of the answer are cut. */
  isCut: boolean
}

const FOLDER = new URL('recorded/', import.meta.url)
const read = new Map<string, RecordedCall | null>()

/** Place of the call of an operation. `test/docs/recorded-calls.clients.test.ts` writes it. */
export const recordedFile = (operationId: string): URL => new URL(`${operationId}.json`, FOLDER)

/** The recorded call of an operation; null: none is recorded. */
export function recordedCall(operationId: string): RecordedCall | null {
  const known = read.get(operationId)
  if (known !== undefined) return known
  const file = recordedFile(operationId)
  const call = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RecordedCall) : null
  read.set(operationId, call)
  return call
}

/** Values of a recorded call as text, by name. */
export function textValues(path: string, { target }: Pick<RecordedCall, 'target'>): Map<string, string> {
  const [given, query = ''] = target.split('?') as [string, string?]
  const words = given.split('/')
  const inPath = path.split('/').flatMap((word, at): [string, string][] => {
    const [, name] = /^\{(\w+)\}$/.exec(word) ?? []
    return name === undefined ? [] : [[name, decodeURIComponent(words[at]!)]]
  })
  return new Map([...inPath, ...new URLSearchParams(query)])
}

/** The parameters that a recorded call has, with their values as their schemas have them. */
export function givenValues(
  of: { path: string; operation: { parameters: readonly Parameter[] } },
  call: Pick<RecordedCall, 'target'>,
): Map<Parameter, unknown> {
  const texts = textValues(of.path, call)
  return new Map(
    of.operation.parameters.flatMap((parameter): [Parameter, unknown][] => {
      const text = parameter.in === 'header' ? undefined : texts.get(parameter.name)
      return text === undefined ? [] : [[parameter, typed(parameter.schema, text)]]
    }),
  )
}

function typed({ type }: JsonSchema, text: string): unknown {
  if (type === 'integer' || type === 'number') return Number(text)
  return type === 'array' ? text.split(',') : text
}
