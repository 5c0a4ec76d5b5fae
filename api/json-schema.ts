import { z } from 'zod'

export type JsonSchema = Record<string, unknown>

/**
 * JSON Schema (2020-12) of what a client sends (`input`) or gets (`output`). Throws for schemas that need
 * `$defs`.
 */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const json = z.toJSONSchema(schema, {
    io,
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod
      // Zod omits defaults behind a transformation. A parameter is text, so its default is text as well.
      if (def.type === 'default' && io === 'input')
        jsonSchema.default =
          jsonSchema.type === 'string' ? String(def.defaultValue) : (def.defaultValue as number)
      if (def.type === 'tuple') flattenTuple(jsonSchema)
    },
  }) as JsonSchema
  if (json.$defs) throw new Error('a schema of the route table is recursive or has an id')
  delete json.$schema
  return json
}

/** Describes points as arrays of numbers with a fixed length, because few tools know `prefixItems`. */
function flattenTuple(jsonSchema: JsonSchema): void {
  const members = jsonSchema.prefixItems as JsonSchema[]
  if (!members.every(({ type }) => type === 'number' || type === 'integer'))
    throw new Error('a tuple of the route table holds something other than numbers')
  delete jsonSchema.prefixItems
  Object.assign(jsonSchema, { items: { type: 'number' }, minItems: members.length, maxItems: members.length })
}
