import cookie from '@fastify/cookie'
import formBody from '@fastify/formbody'
import type { FastifyInstance } from 'fastify'
import { sendErrorPage } from './error-page.ts'
import { createSealedCookies, type SealedCookies } from './sealed-cookies.ts'

/** Registers what pages with sign-in and forms need. `url`: their URL in browsers. */
export async function preparePages(
  app: FastifyInstance,
  options: { secret: string; url: string; maxFormBytes: number; now: () => Date },
): Promise<SealedCookies> {
  const { secret, url, maxFormBytes, now } = options
  await app.register(cookie)
  await app.register(formBody, { bodyLimit: maxFormBytes })
  app.setErrorHandler(sendErrorPage)
  return createSealedCookies({ secret, secure: url.startsWith('https:'), now })
}
