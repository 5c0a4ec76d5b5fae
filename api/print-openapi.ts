import { openApiDocument } from './openapi.ts'
import { routes } from './routes.ts'

/** Text of docs/openapi.json, which is held against the table in every check. */
export function printOpenApi(): string {
  return `${JSON.stringify(openApiDocument(routes), null, 2)}\n`
}
