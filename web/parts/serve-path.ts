import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import { addPath } from '../../api/http-server.ts'

/** Pages at one path; other methods than theirs are refused by the first checks of the server. */
export function servePath(
  app: FastifyInstance,
  url: string,
  pages: { GET?: RouteHandlerMethod; POST?: RouteHandlerMethod },
): void {
  const served = (['GET', 'POST'] as const).flatMap((method) => {
    const handler = pages[method]
    return handler ? [{ method, handler }] : []
  })
  addPath(app, { url, served }, true)
}
