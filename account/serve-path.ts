import type { FastifyInstance, RouteHandlerMethod } from 'fastify'

/** Pages at one path; other methods than theirs are refused by the checks of the server. */
export function servePath(
  app: FastifyInstance,
  url: string,
  handlers: { GET?: RouteHandlerMethod; POST?: RouteHandlerMethod },
): void {
  const served = Object.keys(handlers)
  const allow = [...served, ...(handlers.GET ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  for (const [method, handler] of Object.entries(handlers))
    app.route({ method, url, config: { allow }, handler })
  const others = app.supportedMethods.filter(
    (method) => !served.includes(method) && !(method === 'HEAD' && handlers.GET),
  )
  app.route({ method: others, url, config: { allow }, handler: async () => {} })
}
