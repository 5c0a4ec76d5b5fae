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

/** Serves a script of our own. It is public: it reveals nothing about the installation. */
export function serveScript(app: FastifyInstance, url: string, script: string): void {
  servePath(app, url, {
    GET: async (_request, reply) =>
      reply
        .headers({ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' })
        .header('x-content-type-options', 'nosniff')
        .send(script),
  })
}
