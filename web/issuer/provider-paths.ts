import type { FastifyInstance } from 'fastify'
import type Provider from 'oidc-provider'
import { addPath } from '../../api/http-server.ts'
import type { Route } from '../../api/route.ts'

/** The endpoints of OpenID Connect that the provider serves. */
const PATHS: readonly [url: string, methods: readonly Route['method'][]][] = [
  ['/.well-known/openid-configuration', ['GET']],
  ['/.well-known/oauth-authorization-server', ['GET']],
  ['/jwks', ['GET']],
  ['/auth', ['GET', 'POST']],
  ['/auth/:uid', ['GET']],
  ['/token', ['POST']],
  ['/token/revocation', ['POST']],
  ['/reg', ['POST']],
]

/** Serves the endpoints of the provider, which reads the bodies itself. */
export function addProvider(app: FastifyInstance, provider: Provider): void {
  const serve = provider.callback()
  void app.register(async (scope) => {
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    for (const [url, methods] of PATHS)
      addPath(
        scope,
        {
          url,
          served: methods.map((method) => ({
            method,
            handler: async (request, reply) => {
              reply.hijack()
              await serve(request.raw, reply.raw)
            },
          })),
        },
        false,
      )
  })
}
