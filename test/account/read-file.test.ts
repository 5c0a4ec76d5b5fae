import { expect, test } from 'vitest'
import { readFile } from '../../web/account/import/read-file.ts'
import { FILES, GHOSTFOLIO_JSON } from './import-files.ts'

const HEADER = 'date,coin,count,price,currency,note'
const ROWS = ['2026-01-02,bitcoin,1,,,"two\nlines"', '2026-01-03,ethereum,2,,,']
const linesOf = (text: string) => readFile(text).entries.map(({ line }) => line)

test.each([
  ['lines of Unix', [HEADER, ...ROWS].join('\n')],
  ['lines of Windows', [HEADER, ...ROWS, ''].join('\r\n')],
  ['lines of an old Mac', [HEADER, ...ROWS].join('\r')],
  ['lines of several kinds', `${HEADER}\r\n${ROWS[0]}\n${ROWS[1]}\r\n`],
  ['lines of several kinds, the other way', `${HEADER}\n${ROWS[0]}\r\n${ROWS[1]}\r`],
  ['a byte order mark', `\uFEFF${HEADER}\n${ROWS.join('\n')}\n`],
  ['a blank line at the end', `${HEADER}\n${ROWS.join('\n')}\n\n`],
  ['a line of blanks at the end', `${HEADER}\n${ROWS.join('\n')}\n  \n`],
  ['lines of commas at the end', `${HEADER}\n${ROWS.join('\n')}\n,,,,,\n,,,,,\n`],
])('a CSV file with %s gives its rows and their lines', (_what, text) => {
  expect(linesOf(text)).toEqual([2, 4])
  expect([...readFile(text).lines.keys()]).toEqual([2, 4])
})

test.each(Object.entries(FILES))(
  'a file of %s means the same with a mark and lines of Windows',
  (_name, text) => {
    const { entries } = readFile(text)
    expect(readFile(`\uFEFF${text.replaceAll('\n', '\r\n')}\r\n`).entries).toEqual(entries)
  },
)

test('a JSON file may begin with a byte order mark', () => {
  expect(readFile(`\uFEFF${GHOSTFOLIO_JSON}`).entries).toEqual(readFile(GHOSTFOLIO_JSON).entries)
})
