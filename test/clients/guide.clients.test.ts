import { expect, inject, test } from 'vitest'
import { wallets } from '../../sandbox/chain/actors.ts'
import { matches, readPage, sectionOf } from '../docs/read-page.ts'
import { runGuide } from '../docs/run-guide.ts'

const { url, home, key } = inject('installation')
const page = 'docs/clients.md'
const guide = sectionOf(readPage(page), 'Check your own client')

test('the guide for partners works as written', async () => {
  const values = { '127.0.0.1:8080': new URL(url).host, 'sl_...': key }
  await runGuide({ page, text: guide, values, env: { SLUICE_HOME: home } })
})

test('the wallets of the guide are wallets of the sandbox', () => {
  const named = matches(guide, /`(0x[0-9a-f]{40})`/g)
  expect(named).toHaveLength(2)
  expect(wallets.map(({ address }) => address)).toEqual(expect.arrayContaining(named))
})
