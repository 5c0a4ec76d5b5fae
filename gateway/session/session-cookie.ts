import { createHmac, timingSafeEqual } from 'node:crypto'

export const SESSION_S = 3_600
const NAME = 'auth_token'
const FORM = 'v1'
const MAX_LENGTH = 2_048

/** Secrets with ids. The first signs, all are accepted: to rotate, put the new one in front. */
export type CookieSecrets = readonly { kid: string; secret: string }[]

/** One hour of calls that a payment bought. */
export interface Session {
  /** The transaction that paid. */
  jti: string
  /** Address of the payer in lower case. */
  sub: string
  /** Base units paid: the highest price that the session covers. */
  max: string
  /** Path template of the paid route. */
  route: string
  /** Digest of the paid resource, base64url. */
  resource: string
  /** Unix seconds. */
  iat: number
  exp: number
}

/**
 * Returns the Set-Cookie value. `nowS`: Unix seconds. `audience`: public URL of this gateway; others reject
 * the cookie.
 */
export function sessionCookie(options: {
  session: Session
  secrets: CookieSecrets
  audience: string
  nowS: number
}): string {
  const { session, secrets, audience, nowS } = options
  const { kid, secret } = secrets[0]!
  const claims = Buffer.from(JSON.stringify({ ...session, kid, aud: audience })).toString('base64url')
  const signed = `${FORM}.${claims}`
  const attributes = [
    `${NAME}=${signed}.${mac(signed, secret).toString('base64url')}`,
    `Max-Age=${session.exp - nowS}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    ...(audience.startsWith('https:') ? ['Secure'] : []),
  ]
  return attributes.join('; ')
}

/**
 * Returns the session in a Cookie header; null: none, several, not signed by us, for another gateway, or
 * expired.
 */
export function openSession(options: {
  header: string | undefined
  secrets: CookieSecrets
  audience: string
  nowS: number
}): Session | null {
  const token = onlyToken(options.header)
  if (token === null || token.length > MAX_LENGTH) return null
  const [form, claims, given, ...more] = token.split('.')
  if (form !== FORM || claims === undefined || given === undefined || more.length > 0) return null
  const read = parseClaims(claims)
  const known = options.secrets.find(({ kid }) => kid === read?.kid)
  if (!read || !known) return null
  const [expected, actual] = [mac(`${form}.${claims}`, known.secret), Buffer.from(given, 'base64url')]
  // Accept one spelling only, so that equal sessions have equal cookies.
  if (actual.toString('base64url') !== given || actual.length !== expected.length) return null
  if (!timingSafeEqual(expected, actual)) return null
  return read.aud === options.audience && options.nowS < read.exp ? read : null
}

function onlyToken(header: string | undefined): string | null {
  const values = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${NAME}=`))
  return values.length === 1 ? values[0]!.slice(NAME.length + 1) : null
}

/** Parses without validation; the caller checks the signature. */
function parseClaims(text: string): (Session & { kid: string; aud: string }) | null {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as Session & { kid: string; aud: string }
  } catch {
    return null
  }
}

const mac = (text: string, secret: string): Buffer => createHmac('sha256', secret).update(text).digest()
