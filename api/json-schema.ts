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
    },
  }) as JsonSchema
  if (json.$defs) throw new Error('a schema of the table is recursive or has an id')
  delete json.$schema
  return json
}
