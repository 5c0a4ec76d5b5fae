import { hkdfSync } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { EncryptJWT, jwtDecrypt } from 'jose'

export interface SealedCookie {
  name: string
  /** The browser sends the cookie with requests under this path. */
  path: string
  seconds: number
}

export interface SealedCookies {
  set: (reply: FastifyReply, cookie: SealedCookie, content: Record<string, string>) => Promise<void>
  /** null: none, forged, of another name, or expired. */
  get: (request: FastifyRequest, cookie: SealedCookie) => Promise<Record<string, string> | null>
  clear: (reply: FastifyReply, cookie: SealedCookie) => void
}

/** Cookies encrypted with AES-256-GCM that contain their name and expiry. Scripts cannot read them. */
export function createSealedCookies(options: {
  secret: string
  secure: boolean
  now: () => Date
}): SealedCookies {
  const { secret, secure, now } = options
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'sluice account cookies', 32))
  const attributes = ({ path }: SealedCookie) => ({ path, secure, httpOnly: true, sameSite: 'lax' }) as const
  return {
    async set(reply, cookie, content) {
      const endS = Math.floor(now().getTime() / 1_000) + cookie.seconds
      const sealed = await new EncryptJWT(content)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(cookie.name)
        .setExpirationTime(endS)
        .encrypt(key)
      reply.setCookie(cookie.name, sealed, { ...attributes(cookie), maxAge: cookie.seconds })
    },
    async get(request, cookie) {
      const sealed = request.cookies[cookie.name]
      if (sealed === undefined) return null
      try {
        const { payload } = await jwtDecrypt(sealed, key, {
          audience: cookie.name,
          requiredClaims: ['exp'],
          currentDate: now(),
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
        })
        return payload as Record<string, string>
      } catch {
        return null
      }
    },
    clear: (reply, cookie) => void reply.clearCookie(cookie.name, attributes(cookie)),
  }
}
