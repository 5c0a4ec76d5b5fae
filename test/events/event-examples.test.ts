import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventSchema } from '../../api/events/event-schema.ts'

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'events.md'), 'utf8')
const examples = [...page.matchAll(/```json\n(.*?)```/gs)].map(
  ([, json]) => JSON.parse(json!) as { type: string },
)
/** They say little. */
const WITHOUT = ['endpoint.disabled', 'test.ping']

test('docs/events.md has an example of each event that says something, in the order of the types', () => {
  const types = eventSchema.options.map(({ shape }) => shape.type.value)
  expect(examples.map(({ type }) => type)).toEqual(types.filter((type) => !WITHOUT.includes(type)))
})

test.each(examples.map((example) => [example.type, example]))(
  'the example of %s is one',
  (_type, example) => {
    expect(eventSchema.parse(example)).toEqual(example)
  },
)
