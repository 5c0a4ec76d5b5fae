import { expect, test } from 'vitest'
import { isExactPath } from '../../gateway/exact-path.ts'
import { resourceOf } from '../../gateway/resource.ts'

const of = (queryString: string, change: Partial<Parameters<typeof resourceOf>[0]> = {}) =>
  resourceOf({
    publicUrl: 'https://pay.example.org',
    template: '/coins/{coinId}',
    params: { coinId: 'bitcoin' },
    queryString,
    headers: {},
    ...change,
  })
const key = (...args: Parameters<typeof of>) => of(...args).key.toString('hex')

test('the key ignores the spelling of the query and differs for any other value', () => {
  for (const same of ['b=2&a=1', '&a=1&&b=2&', 'a=1&b=%32']) expect(key(same)).toBe(key('a=1&b=2'))
  const keys = [
    ...['', 'a=1&b=3', 'a=1', 'a=1&b=2&b=2', 'A=1&b=2', 'a=1%26b=2', 'a=1&b=2&c='].map((query) => key(query)),
    key('', { params: { coinId: 'ethereum' } }),
    key('', { template: '/news/{coinId}' }),
    key('', { headers: { sharetoken: 'x' } }),
    key('', { headers: { passcode: 'x' } }),
    key('', { headers: { sharetoken: 'x', passcode: 'x' } }),
  ]
  expect(new Set([...keys, key('a=1&b=2')]).size).toBe(keys.length + 1)
})

test('the URL can be requested and holds no secret', () => {
  expect(of('b=2&a=%20x&a=0').url).toBe('https://pay.example.org/coins/bitcoin?a=%20x&a=0&b=2')
  expect(of('shareToken=s3cret&passcode=123456&page=2').url).toBe(
    'https://pay.example.org/coins/bitcoin?page=2',
  )
  expect(of('a=%zz').url).toBe('https://pay.example.org/coins/bitcoin')
  expect(of('', { params: { coinId: 'a/b?c' } }).url).toBe('https://pay.example.org/coins/a%2Fb%3Fc')
})

test('a long query is in the key but not in the URL', () => {
  const long = `wallets=${'x'.repeat(2_048)}`
  expect(of(long).url).toBe('https://pay.example.org/coins/bitcoin')
  expect(of(long.slice(0, 2_048)).url).toHaveLength('https://pay.example.org/coins/bitcoin?'.length + 2_048)
  expect(key(long)).not.toBe(key(`${long}x`))
})

test('isExactPath accepts one spelling of a path', () => {
  expect(isExactPath({ template: '/coins', target: '/coins?limit=5' })).toBe(true)
  expect(isExactPath({ template: '/coins/{coinId}/charts', target: '/coins/%62itcoin/charts' })).toBe(true)
  for (const target of ['/%63oins', '/coins/', '//coins', '/COINS', '/coins;x', '/coins#x', '/./coins'])
    expect([target, isExactPath({ template: '/coins', target })]).toEqual([target, false])
  expect(isExactPath({ template: '/coins/{coinId}', target: '/coins/' })).toBe(false)
})
