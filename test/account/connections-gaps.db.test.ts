import { expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { activateNetworks, address } from '../setup/wallet-factories.ts'
import { startAccountWorld } from './account-world.ts'

const database = await testDatabase()
const { api, openTo, signIn } = await startAccountWorld({ database, routes })
const own = await api.newAccount()
const ask = (text: string, values: unknown[] = []) => query(database.ownerUrl, text, values)

test('the history that no source gives is named with its reason', async () => {
  await activateNetworks(api.owner, ['base-wallet'])
  for (const [n, name] of [
    [1, 'With a gap'],
    [2, 'Whole'],
  ] as const) {
    await ask(
      `insert into portfolios (id, account_id, kind, name, address, network_id)
       values (uuidv7(), $1, 'wallet', $2, $3, 'base-wallet')`,
      [own.accountId, name, address(n)],
    )
    await ask('insert into wallets (address) values ($1) on conflict do nothing', [address(n)])
    await ask(
      `insert into wallet_syncs (wallet_id, network_id, gap_from, gap_to, gap_reason)
       select id, 'base-wallet', $2, $3, $4 from wallets where address = $1`,
      [
        address(n),
        ...(n === 1 ? [0, 900, 'no explorer of <this> network is configured'] : [null, null, null]),
      ],
    )
  }
  await openTo(own.accountId)
  const { browser } = await signIn()
  const { text, status } = await browser.get('/account/connections')
  expect(status).toBe(200)
  const [gap, ...others] = [...text.matchAll(/Missing history<\/dt>\s*<dd>([^]*?)<\/dd>/g)].map(([, said]) =>
    said!.replaceAll(/\s+/g, ' ').trim(),
  )
  expect(others).toEqual([])
  expect(gap).toBe(
    'Old transactions are incomplete: no explorer of &#60;this&#62; network is configured. ' +
      'The balance is complete; cost and profit lack what is missing.',
  )
})
