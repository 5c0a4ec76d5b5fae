import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openSession, type Session, sessionCookie } from '../../gateway/session/session-cookie.ts'

const NOW_S = 1_800_000_000
const AUDIENCE = 'https://pay.example.org'
const NEW = { kid: 'b', secret: 'new secret of the tests, long enough' }
const OLD = { kid: 'a', secret: 'old secret of the tests, long enough' }
const session: Session = {
  jti: `0x${'1'.repeat(64)}`,
  sub: `0x${'2'.repeat(40)}`,
  max: '1000',
  route: '/coins',
  resource: 'x',
  iat: NOW_S,
  exp: NOW_S + 3_600,
}

const cookie = (secrets = [NEW], of: Session = session) =>
  sessionCookie({ session: of, secrets, audience: AUDIENCE, nowS: NOW_S })
const pair = (text: string) => text.split(';', 1)[0]!
const open = (header: string | undefined, change: Partial<Parameters<typeof openSession>[0]> = {}) =>
  openSession({ header, secrets: [NEW, OLD], audience: AUDIENCE, nowS: NOW_S, ...change })

/** A cookie with arbitrary claims, signed with a secret. */
function forge(claims: unknown, secret: string): string {
  const text = `v1.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  return `auth_token=${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}
const claims = { kid: 'b', aud: AUDIENCE, ...session }

describe('the cookie of a session', () => {
  test('is HttpOnly, SameSite=Lax, and Secure on https', () => {
    expect(cookie().split('; ').slice(1)).toEqual([
      'Max-Age=3600',
      'Path=/',
      'HttpOnly',
      'SameSite=Lax',
      'Secure',
    ])
    const plain = sessionCookie({
      session,
      secrets: [NEW],
      audience: 'http://127.0.0.1:8402',
      nowS: NOW_S + 60,
    })
    expect(plain).not.toContain('Secure')
    expect(plain).toContain('Max-Age=3540')
  })

  test('opens with the newest or the previous secret', () => {
    for (const secret of [NEW, OLD]) expect(open(pair(cookie([secret])))).toMatchObject(session)
    expect(open(`theme=dark; ${pair(cookie())} ; a=b`)).toMatchObject(session)
    expect(open(forge(claims, NEW.secret))).toMatchObject(session)
  })

  test('does not open if of another gateway or secret, expired, or sent twice', () => {
    const good = pair(cookie())
    expect(open(good, { audience: 'https://other.example.org' })).toBe(null)
    expect(open(good, { secrets: [OLD] })).toBe(null)
    expect(open(good, { secrets: [{ ...NEW, secret: OLD.secret }] })).toBe(null)
    expect(open(good, { nowS: session.exp - 1 })).not.toBe(null)
    expect(open(good, { nowS: session.exp })).toBe(null)
    expect(open(`${good}; ${good}`)).toBe(null)
  })

  test('does not open if changed, cut or spelled differently', () => {
    const good = pair(cookie())
    const [head, body, mac] = good.split('.') as [string, string, string]
    const dearer = Buffer.from(JSON.stringify({ ...claims, max: '50000' })).toString('base64url')
    const spellings = [
      good.slice(0, -1),
      `${good}=`,
      `${good}.`,
      `${good}A`,
      `${head}.${body}`,
      `${head}.${body}.`,
      head,
      '',
      `${head}.${dearer}.${mac}`,
      `auth_token=v2.${body}.${mac}`,
      `auth_token=${body}.${mac}`,
      `Auth_Token=${good.slice(11)}`,
      `auth_token="${good.slice(11)}"`,
      `auth_token=${'x'.repeat(9_000)}`,
      forge({ ...claims, kid: 'c' }, NEW.secret),
      forge({ ...claims, kid: 'a' }, NEW.secret),
      forge({ ...claims, exp: undefined }, NEW.secret),
      forge(null, NEW.secret),
      forge([], NEW.secret),
      forge(claims, ''),
      forge({ ...claims, kid: '__proto__' }, NEW.secret),
    ]
    for (const spelling of spellings) expect([spelling, open(spelling)]).toEqual([spelling, null])
    expect(open(undefined)).toBe(null)
    // The last base64url character of a signature has unused bits. They must not give a second valid
    // spelling.
    for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
      if (!good.endsWith(last)) expect(open(good.slice(0, -1) + last)).toBe(null)
  })
})
