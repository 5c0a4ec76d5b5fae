import { expect, test } from 'vitest'
import { type Access, permits } from '../../api/metering/access.ts'
import { createAuthenticator } from '../../api/metering/authenticator.ts'
import { scopesOf } from '../../api/metering/bearer.ts'
import { createFailureBucket } from '../../api/metering/failure-bucket.ts'
import { lookUpKey } from '../../api/metering/look-up-key.ts'

const access: Access = { accountId: 'ann', reads: true, writes: true, opens: null }

function authenticator(found: Record<string, Access | null>) {
  const clock = { ms: 0 }
  const looked: string[] = []
  const failing = new Set<string>()
  const { accessOf } = createAuthenticator({
    monotonicMs: () => clock.ms,
    lookUp: async (credential) => {
      looked.push(credential)
      if (failing.has(credential)) throw new Error('no database')
      return found[credential] ?? null
    },
  })
  let guarded = 0
  const ask = (credential: string) => accessOf(credential, () => void guarded++)
  return { ask, clock, looked, failing, guarded: () => guarded, accessOf }
}

test('a credential is looked up once in 3 seconds, and each for itself', async () => {
  const { ask, clock, looked } = authenticator({ good: access })
  expect(await Promise.all([ask('good'), ask('good'), ask('bad')])).toEqual([access, access, null])
  clock.ms = 2_999
  expect([await ask('good'), await ask('bad')]).toEqual([access, null])
  expect(looked).toEqual(['good', 'bad'])
  clock.ms = 3_000
  expect([await ask('good'), await ask('bad')]).toEqual([access, null])
  expect(looked).toEqual(['good', 'bad', 'good', 'bad'])
})

test('a credential that was good is looked up again whatever others sent, one that was not is held up', async () => {
  const known: Record<string, Access | null> = { good: access }
  const { ask, clock, guarded, accessOf, looked } = authenticator(known)
  await ask('good')
  await ask('bad')
  expect(guarded()).toBe(2)
  const refuse = (): never => {
    throw new Error('too many')
  }
  clock.ms = 3_000
  expect(await accessOf('good', refuse)).toEqual(access)
  expect(() => accessOf('bad', refuse)).toThrow('too many')
  expect(looked).toEqual(['good', 'bad', 'good'])
  known['good'] = null
  clock.ms = 6_000
  expect(await accessOf('good', refuse)).toBeNull()
  clock.ms = 9_000
  expect(() => accessOf('good', refuse)).toThrow('too many')
})

test('a look-up that fails is not kept', async () => {
  const { ask, looked, failing } = authenticator({ good: access })
  failing.add('good')
  await expect(ask('good')).rejects.toThrow('no database')
  failing.clear()
  expect(await ask('good')).toEqual(access)
  expect(looked).toEqual(['good', 'good'])
})

test('an access permits methods by what it may do, and routes by tag or by name', () => {
  const coin = { method: 'GET', path: '/coins', tag: 'Coins' } as const
  const post = { method: 'POST', path: '/portfolio/wallet', tag: 'Portfolios' } as const
  const may = (part: Partial<Access>) => [
    permits({ ...access, ...part }, coin),
    permits({ ...access, ...part }, post),
  ]
  expect(may({})).toEqual([true, true])
  expect(may({ writes: false })).toEqual([true, false])
  expect(may({ reads: false })).toEqual([false, true])
  expect(may({ opens: [] })).toEqual([false, false])
  expect(may({ opens: ['Coins'] })).toEqual([true, false])
  expect(may({ opens: ['POST /portfolio/wallet', 'GET /portfolio/wallet'] })).toEqual([false, true])
})

test('a key gives what was stored for it, and a key with another hash nothing', async () => {
  const stored = { accountId: 'ann', readOnly: true, opens: ['Coins'] }
  const echo = { authenticate: async (hash: Buffer) => ({ ...stored, storedHash: hash }) }
  expect(await lookUpKey(echo, 'key')).toEqual({
    accountId: 'ann',
    reads: true,
    writes: false,
    opens: ['Coins'],
  })
  const other = { authenticate: async () => ({ ...stored, storedHash: Buffer.alloc(32) }) }
  expect(await lookUpKey(other, 'key')).toBeNull()
  expect(await lookUpKey({ authenticate: async () => null }, 'key')).toBeNull()
})

test('scopes are words of a text or a list, and those of `scope` before those of `scp`', () => {
  expect(scopesOf({ scope: 'a b' })).toEqual(new Set(['a', 'b']))
  expect(scopesOf({ scp: ['a', 'b'] })).toEqual(new Set(['a', 'b']))
  expect(scopesOf({ scope: 'a', scp: 'b' })).toEqual(new Set(['a']))
  expect(scopesOf({ scope: 7 } as never)).toEqual(new Set())
  expect(scopesOf({})).toEqual(new Set())
})

test('a network may fail as often as the burst at once and then at its rate, and others are not held up', () => {
  const clock = { ms: 5_000 }
  const { count, waitS } = createFailureBucket({ monotonicMs: () => clock.ms, burst: 3, perSecond: 0.5 })
  const fail = () => {
    count('2001:db8::1')
    return waitS('2001:db8::2')
  }
  expect(waitS('2001:db8::1')).toBe(0)
  expect([fail(), fail(), fail()]).toEqual([0, 0, 2])
  // More than the whole burst is not owed.
  expect([fail(), fail()]).toEqual([2, 2])
  expect(waitS('2001:db8:0:1::1')).toBe(0)
  clock.ms += 1_001
  expect(waitS('2001:db8::1')).toBe(1)
  clock.ms += 999
  expect(waitS('2001:db8::1')).toBe(0)
  expect(fail()).toBe(2)
  clock.ms += 60_000
  expect([waitS('2001:db8::1'), fail(), fail(), fail()]).toEqual([0, 0, 0, 2])
})
