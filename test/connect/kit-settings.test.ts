import { expect, test } from 'vitest'
import { readForm } from '../../web/parts/form.ts'
import { readKitSettings } from '../../web/account/connect/kit-settings.ts'

const FORM = {
  name: 'Paper Hands',
  logo: '',
  appearance: 'dark',
  accent: '#A0328C',
  mode: 'popup',
  origins: 'https://app.example.com\r\n http://localhost:3000\r\nhttps://app.example.com',
  redirectUrls: '',
}
const read = (changes: Record<string, string | string[]> = {}) =>
  readKitSettings(readForm({ ...FORM, ...changes }))

test('settings are read in one spelling, each address once', () => {
  expect(read()).toEqual({
    name: 'Paper Hands',
    logo: null,
    appearance: 'dark',
    accent: '#a0328c',
    mode: 'popup',
    origins: ['https://app.example.com', 'http://localhost:3000'],
    redirectUrls: [],
  })
  expect(read({ mode: 'redirect', redirectUrls: 'HTTPS://App.example.com/cb?a=1' }).redirectUrls).toEqual([
    'https://app.example.com/cb?a=1',
  ])
})

test.each([
  'https://app.example.com/path',
  'https://app.example.com?a',
  'http://app.example.com',
  'https://user:pass@app.example.com',
  'https://*.example.com',
  "https://a.example;script-src'unsafe-inline'",
  'https://a.example,b',
  'https://[::1]',
  'javascript:alert(1)',
  'null',
  '*',
  'app.example.com',
  `https://${'a'.repeat(1_000)}.example`,
])('%s is no trusted origin', (origins) => {
  expect(() => read({ origins })).toThrow(/Not an origin/)
})

test.each([
  'http://app.example.com/cb',
  'https://app.example.com/cb#part',
  'https://app.example.com@evil.example/',
  'https://evil.example;img-src/cb',
  'javascript:alert(1)//',
  'data:text/html,x',
  '//evil.example/cb',
  '/cb',
])('%s is no redirect URL', (redirectUrls) => {
  expect(() => read({ redirectUrls })).toThrow(/Not a redirect URL/)
})

test.each([
  'http://app.example.com/logo.png',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'data:text/html;base64,AAAA',
  'data:image/png,%00',
  'data:image/png;base64,AA AA"onerror=',
  'https://a.example;script-src/logo.png',
  `data:image/png;base64,${'A'.repeat(20_000)}`,
])('%s is no logo', (logo) => {
  expect(() => read({ logo })).toThrow(/The logo must be/)
})

test('a logo is an https address or a small picture as data', () => {
  for (const logo of ['https://app.example.com/logo.svg', 'data:image/png;base64,AAAA=='])
    expect(read({ logo }).logo).toBe(logo)
})

test.each<[string, Record<string, string | string[]>]>([
  ['no name', { name: '' }],
  ['a name with a right-to-left override', { name: 'a\u202eb' }],
  ['an unknown appearance', { appearance: 'blink' }],
  ['an accent that is more than a colour', { accent: '#000000;}body{display:none' }],
  ['an unknown mode', { mode: 'iframe' }],
  ['two modes', { mode: ['popup', 'redirect'] }],
  ['a popup without a trusted origin', { origins: '' }],
  ['a redirect without an address', { mode: 'redirect' }],
  ['eleven origins', { origins: Array.from({ length: 11 }, (_, n) => `https://a${n}.example`).join('\n') }],
])('a form with %s gets 400', (_what, changes) => {
  expect(() => read(changes)).toThrow(expect.objectContaining({ statusCode: 400 }))
})
