import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import { findChromium } from '../find-chromium.ts'
import { CommandError } from '../command.ts'
import { homeFolder, ROOT } from '../folders.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { operatorEnvironment } from '../operator-environment.ts'
import { runTool } from '../run-tool.ts'
import { readSecrets } from '../secrets.ts'

/**
 * Writes docs/images from the console and a connect kit of the running sandbox. A sandbox has no past, so the command first
 * inserts an invented day and month of data: run it on a throw-away installation (SLUICE_HOME).
 */
export async function run(): Promise<number> {
  const env = operatorEnvironment()
  const url = env['ACCOUNT_URL']
  const { operatorPassword, demoPassword } = readSecrets(homeFolder()) ?? {}
  if (env['SOURCES'] !== 'sandbox' || !url || !operatorPassword || !demoPassword)
    throw new CommandError('no sandbox runs here: run "SLUICE_HOME=/tmp/shots npm start"')
  await withOperatorDatabase(inventPast)
  const chromium = await findChromium({ env: process.env, log: console.log })
  const shoot = join(ROOT, 'test', 'screenshots', 'main.ts')
  return (
    await runTool(process.execPath, [shoot], {
      env: { CONSOLE: url, PASSWORD: operatorPassword, DEMO_PASSWORD: demoPassword, CHROMIUM: chromium },
    })
  ).code
}

/** Inserts hourly requests, daily credits and payments in waves, unless they exist. */
async function inventPast(db: Db): Promise<void> {
  await sql`
    insert into source_hours (source, hour, requests, failures)
    select s.source, date_trunc('hour', now(), 'UTC') - n * interval '1 hour', requests,
      case when n % 7 = 3 then requests / 12 else 0 end
    from source_states s, generate_series(1, 23) n,
      lateral (select (20 + 14 * sin(n / 3.0) + abs(hashtext(s.source || n)) % 12)::int as requests) r
    where s.last_success_at is not null on conflict do nothing`.execute(db)
  await sql`
    insert into usage_days (account_id, day, endpoint, calls, credits)
    select a.id, (now() at time zone 'UTC')::date - n, e.endpoint, calls, calls * e.cost
    from (select id from accounts order by created_at limit 1) a, generate_series(1, 29) n,
      (values ('GET /coins', 1, 90), ('GET /wallet/balance', 8, 30), ('GET /wallet/transactions', 4, 40),
              ('GET /news', 1, 60), ('GET /portfolio/pl', 5, 14), ('GET /prediction/markets', 2, 25)) e (endpoint, cost, base),
      lateral (select (e.base * (1.4 + sin(n / 4.0)) + abs(hashtext(e.endpoint || n)) % 40)::int as calls) c
    on conflict do nothing`.execute(db)
  await sql`
    insert into payments (id, chain_id, asset, payer, nonce, amount, resource_key, authorization_hash, valid_before, state,
      claim, try_after, transaction, last_error, claimed_at, settled_at)
    select uuidv7(-age), 8453, '0x' || repeat('a', 40), '0x' || repeat('b', 40),
      '0x' || encode(sha256(convert_to(key, 'UTF8')), 'hex'), 1000 * (1 + k % 5), sha256(convert_to(key, 'UTF8')),
      sha256(convert_to(key, 'UTF8')), now() - age, case when k % 9 = 4 then 'failed' else 'settled' end, gen_random_uuid(),
      now(), case when k % 9 <> 4 then '0x' || encode(sha256(convert_to('t' || key, 'UTF8')), 'hex') end,
      case when k % 9 = 4 then 'insufficient_funds' end, now() - age, case when k % 9 <> 4 then now() - age end
    from generate_series(1, 29) n, lateral (select (8 + 6 * sin(n / 5.0))::int as most) m,
      lateral generate_series(1, m.most) k, lateral (select 'shot ' || n || ' ' || k as key, n * interval '1 day' as age) a
    on conflict do nothing`.execute(db)
}
