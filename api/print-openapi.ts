import { publishedOpenApi } from './published-openapi.ts'
import { routes } from './routes.ts'

/** Text of docs/openapi.json. Every check compares the file with the route table. */
export function printOpenApi(): string {
  return `${JSON.stringify(publishedOpenApi(routes), null, 1)}\n`
}
