import { expect, test } from 'vitest'
import { runGuide } from './run-guide.ts'

const fence = (kind: string, text: string) => `\`\`\`${kind}\n${text}\n\`\`\`\n`
const run = (...blocks: [kind: string, text: string][]) =>
  runGuide({
    page: 'page.md',
    values: { KEY: 'real-key' },
    env: { HOME_OF: 'test' },
    text: blocks.map(([kind, text]) => fence(kind, text)).join('\nProse.\n\n'),
  })

test('blocks share one shell, and values of the page are replaced', async () => {
  await run(
    ['sh', 'alias say=echo\nONE=1'],
    ['console', 'false'],
    ['sh', 'say "$ONE $HOME_OF KEY"; say wrong >&2'],
    ['text', '1 test real-key\nwrong'],
  )
})

const FAILURES: [what: string, blocks: [kind: string, text: string][], told: RegExp][] = [
  [
    'a command that fails',
    [
      ['sh', 'true'],
      ['sh', 'echo 1\nfalse\necho 2'],
    ],
    /page\.md:7 ran\necho 1.*printed\n1/s,
  ],
  ['an unset variable', [['sh', 'echo $NOT_SET']], /page\.md:1 ran/],
  [
    'another output',
    [
      ['sh', 'echo 1'],
      ['text', '2'],
    ],
    /and printed\n1\n\nthe page shows\n2/,
  ],
  [
    'a shell that is left',
    [
      ['sh', 'exit 0'],
      ['sh', 'echo 1'],
    ],
    /page\.md ended early/,
  ],
]
test.each(FAILURES)('%s is reported', async (_what, blocks, told) => {
  await expect(run(...blocks)).rejects.toThrow(told)
})
