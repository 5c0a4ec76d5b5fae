import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { eventSchema } from '../../api/events/event-schema.ts'
import type { OpenApiDocument } from '../../api/openapi.ts'
import { withoutReferences } from '../client/type-checks.ts'

const docs = (name: string) => readFileSync(join(import.meta.dirname, '..', '..', 'docs', name), 'utf8')
const examples = [...docs('events.md').matchAll(/```json\n(.*?)```/gs)].map(
  ([, json]) => JSON.parse(json!) as { type: string; data: Record<string, unknown> },
)
const { webhooks } = withoutReferences(JSON.parse(docs('openapi.json')) as OpenApiDocument)
/** They say little. */
const WITHOUT = ['endpoint.disabled', 'test.ping']

/** The schema that docs/openapi.json publishes for a type of event. */
function publishedSchema(type: string): z.ZodType {
  const body = webhooks[type]!.post.requestBody as {
    content: { 'application/json': { schema: Parameters<typeof z.fromJSONSchema>[0] } }
  }
  return z.fromJSONSchema(body.content['application/json'].schema)
}

test('docs/events.md has an example of each event that says something, in the order of the types', () => {
  const types = eventSchema.options.map(({ shape }) => shape.type.value)
  expect(examples.map(({ type }) => type)).toEqual(types.filter((type) => !WITHOUT.includes(type)))
  expect(Object.keys(webhooks)).toEqual(types)
})

test.each(examples.map((example) => [example.type, example] as const))(
  'the example of %s is one, also by the schema of docs/openapi.json, and none of its fields is optional',
  (type, example) => {
    expect(eventSchema.parse(example)).toEqual(example)
    const schema = publishedSchema(type)
    expect(schema.parse(example)).toEqual(example)
    for (const name of Object.keys(example.data)) {
      const { [name]: _left, ...data } = example.data
      expect([name, schema.safeParse({ ...example, data }).success]).toEqual([name, false])
    }
  },
)
