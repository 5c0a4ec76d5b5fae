import { describe, expect, test } from 'vitest'
import { parseJsonBody } from '../../api/json-body.ts'
import { parseQueryString } from '../../api/query-string.ts'

describe('query strings', () => {
  test.each([
    ['', {}],
    ['a=1', { a: '1' }],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['=1', { '': '1' }],
    ['&&a=1&', { a: '1' }],
    ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
    ['a[]=1&a[b]=2', { 'a[]': '1', 'a[b]': '2' }],
    ['a=1;b=2', { a: '1;b=2' }],
    ['a=b=c', { a: 'b=c' }],
    ['a=x+y%2Bz', { a: 'x y+z' }],
    ['a=%2541', { a: '%41' }],
    ['a=%F0%9F%9A%80', { a: '🚀' }],
    ['toString=1', { toString: '1' }],
  ])('%j is parsed', (text, query) => expect({ ...parseQueryString(text) }).toEqual(query))

  test('no name reaches a prototype', () => {
    const query = parseQueryString('__proto__=1&constructor=2')
    expect(Object.getPrototypeOf(query)).toBeNull()
    expect(Object.keys(query)).toEqual(['__proto__', 'constructor'])
    expect(({} as Record<string, unknown>)['1']).toBeUndefined()
  })

  test.each(['a=%', 'a=%zz', 'a=%2', '%zz=1', 'a=%C0%AF', 'a=%ED%A0%80', 'a=%00', 'a=%FF', 'a%00=1'])(
    '%j is refused without repeating it',
    (text) =>
      expect(() => parseQueryString(text)).toThrow(
        expect.objectContaining({ statusCode: 400, message: 'Invalid query string' }),
      ),
  )

  test('1,001 parameters are accepted', () => {
    const text = Array.from({ length: 1_001 }, (_, i) => `p${i}=1`).join('&')
    expect(Object.keys(parseQueryString(text))).toHaveLength(1_001)
  })
})

describe('JSON bodies', () => {
  const parse = (text: string) => parseJsonBody(Buffer.from(text))

  test.each([
    ['{"a":[1,{"b":"x:{[\\"y"}]}', { a: [1, { b: 'x:{["y' }] }],
    ['null', null],
    ['[]', []],
    ['"text"', 'text'],
    [' {} ', {}],
    ['', undefined],
  ])('%j is parsed', (text, value) => expect(parse(text)).toEqual(value))

  test('32 levels of nesting are accepted', () =>
    expect(parse('['.repeat(32) + ']'.repeat(32))).toHaveLength(1))

  test.each([
    '{',
    '{"a":1',
    '{"a":1}}',
    '{a:1}',
    "{'a':1}",
    'NaN',
    '{"a":NaN}',
    '{"a":Infinity}',
    '{"a":01}',
    '{"a":1,}',
    '[1 2]',
    '1n',
    '{"a":1,"a":2}',
    '{"a":{"b":1,"b":1}}',
    '{"a":1,"\\u0061":2}',
    '{"__proto__":{"x":1}}',
    '{"a":{"__proto__":1}}',
    '{"constructor":1}',
    '{"a":"\\ud800"}',
    '{"a":"\\u0000"}',
    '{"a":"\u0000"}',
    '\uFEFF{}',
    '['.repeat(33) + ']'.repeat(33),
    '['.repeat(200_000),
  ])('%j is refused', (text) =>
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ statusCode: 400, message: 'Invalid JSON body' }),
    ),
  )

  test.each([
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
    ['a lone UTF-8 byte', Buffer.from([0x22, 0xff, 0x22])],
    ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['an overlong form', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['gzip', Buffer.from([0x1f, 0x8b, 8, 0])],
  ])('%s is refused', (_name, bytes) =>
    expect(() => parseJsonBody(bytes)).toThrow(expect.objectContaining({ statusCode: 400 })),
  )
})
