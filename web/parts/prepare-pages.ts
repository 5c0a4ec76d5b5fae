import cookie from '@fastify/cookie'
import formBody from '@fastify/formbody'
import type { FastifyInstance } from 'fastify'
import { sendErrorPage, type WayOn } from './error-page.ts'
import { createSealedCookies, type SealedCookies } from './sealed-cookies.ts'

/**
 * Registers what pages with sign-in and forms need. `url`: their URL in browsers. `way`: where errors lead on; absent:
 * what fits their address.
 */
export async function preparePages(
  app: FastifyInstance,
  options: { secret: string; url: string; maxFormBytes: number; now: () => Date; way?: WayOn },
): Promise<SealedCookies> {
  const { secret, url, maxFormBytes, now, way } = options
  await app.register(cookie)
  await app.register(formBody, { bodyLimit: maxFormBytes })
  app.setErrorHandler((error, request, reply) => sendErrorPage(error, request, reply, way))
  return createSealedCookies({ secret, secure: url.startsWith('https:'), now })
}
