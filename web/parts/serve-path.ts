import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import { addPath } from '../../api/http-server.ts'

/** Serves pages at one path. The first checks of the server refuse other methods. */
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
