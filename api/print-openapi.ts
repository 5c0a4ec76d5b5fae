import { openApiDocument } from './openapi.ts'
import { routes } from './routes.ts'

/** Text of docs/openapi.json. Every check compares the file with the route table. */
export function printOpenApi(): string {
  return `${JSON.stringify(openApiDocument(routes), null, 2)}\n`
}
