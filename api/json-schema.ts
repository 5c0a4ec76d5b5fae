import { z } from 'zod'

export type JsonSchema = Record<string, unknown>

/** JSON Schema (2020-12) of what a client sends, or gets. Throws for shapes that would need definitions of their own. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const json = z.toJSONSchema(schema, {
    io,
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod
      // A parameter is text on the wire; zod leaves defaults behind a transformation out.
      if (def.type === 'default' && io === 'input')
        jsonSchema.default =
          jsonSchema.type === 'string' ? String(def.defaultValue) : (def.defaultValue as number)
      if (def.type === 'tuple') flattenTuple(jsonSchema)
    },
  }) as JsonSchema
  if (json.$defs) throw new Error('a schema of the table is recursive or has an id')
  delete json.$schema
  return json
}

/** Points are arrays of numbers: tools that know `prefixItems` are few, and the length says as much. */
function flattenTuple(jsonSchema: JsonSchema): void {
  const members = jsonSchema.prefixItems as JsonSchema[]
  if (!members.every(({ type }) => type === 'number' || type === 'integer'))
    throw new Error('a tuple of the table holds more than numbers')
  delete jsonSchema.prefixItems
  Object.assign(jsonSchema, { items: { type: 'number' }, minItems: members.length, maxItems: members.length })
}
