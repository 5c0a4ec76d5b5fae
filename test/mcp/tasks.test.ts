import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openApiDocument } from '../../api/openapi.ts'
import { routes } from '../../api/routes.ts'
import { TASKS } from '../../clients/mcp/tasks/index.ts'
import { toolsOf } from '../../clients/mcp/tool.ts'
import { toolRequest } from '../../clients/mcp/tool-request.ts'
import { MOST_CHARACTERS, trim } from '../../clients/mcp/trim.ts'

const document = openApiDocument(routes)
const tools = new Map(toolsOf(document).map((tool) => [tool.path, tool]))
const NOW = new Date('2026-11-26T12:00:00Z')

type Schema = Record<string, any>

/** Whether a field is in a schema; lists are passed through. */
function hasField(schema: Schema, names: readonly string[]): boolean {
  const ref = schema['$ref'] as string | undefined
  if (ref)
    return hasField((document.components as Schema)['schemas'][ref.split('/').at(-1)!] as Schema, names)
  const choices = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined
  if (choices) return choices.some((one) => hasField(one, names))
  if (schema['items']) return hasField(schema['items'] as Schema, names)
  const [first, ...rest] = names
  if (first === undefined) return true
  const inner = (schema['properties'] as Record<string, Schema> | undefined)?.[first]
  return inner !== undefined && hasField(inner, rest)
}

test.each(TASKS.map((task) => [task.name, task] as const))(
  '%s asks endpoints that exist, with arguments that they have, for fields that they answer',
  (_name, task) => {
    const args = Object.fromEntries(
      Object.entries(task.properties).map(([name, { enum: values, type }]) => [
        name,
        Array.isArray(values) ? values[0] : type === 'integer' ? 1 : '2026-11-01',
      ]),
    )
    for (const given of [args, Object.fromEntries((task.required ?? []).map((name) => [name, 'x']))])
      for (const { path, arguments: sent, fields = [] } of Object.values(task.calls(given, NOW))) {
        const tool = tools.get(path)!
        // Throws for an argument that is unknown or missing.
        expect(toolRequest(tool, sent).target).toMatch(/^\//)
        const { schema } = (document.paths[path]!['get']!.responses['200'] as Schema)['content'][
          'application/json'
        ]
        for (const field of fields)
          expect([path, field, hasField(schema as Schema, field.split('.'))]).toEqual([path, field, true])
      }
  },
)

test('without a day, yesterday is explained', () => {
  const task = TASKS.find(({ name }) => name === 'whyDidPortfolioChange')!
  expect(task.calls({}, NOW)['day']!.arguments).toMatchObject({ from: '2026-11-25', to: '2026-11-26' })
  expect(task.calls({ day: 'x' }, NOW)['day']!.arguments).toMatchObject({ from: 'x' })
})

test('an answer keeps its shape, loses nothing that is not told, and is never longer than allowed', () => {
  const json = fc.jsonValue({ maxDepth: 4 })
  fc.assert(
    fc.property(json, fc.integer({ min: 1, max: 5 }), (body, maxItems) => {
      const { text, cuts } = trim(body, { maxItems })
      expect(text.length).toBeLessThanOrEqual(MOST_CHARACTERS)
      if (cuts.length === 0) expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(body)))
      for (const { shown, of } of cuts) expect(shown).toBeLessThan(of)
    }),
  )
})

test('long lists are cut to what fits', () => {
  const rows = Array.from({ length: 900 }, (_, id) => ({ id, text: 'x'.repeat(200) }))
  const { text, cuts } = trim({ rows }, { maxItems: 800 })
  expect(text.length).toBeLessThanOrEqual(MOST_CHARACTERS)
  expect(cuts).toEqual([{ path: 'rows', shown: 100, of: 900 }])
  expect(JSON.parse(trim({ rows }, { maxItems: 2, fields: ['rows.id'] }).text)).toEqual({
    rows: [{ id: 0 }, { id: 1 }],
  })
})
