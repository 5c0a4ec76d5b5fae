import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { revokeKey } from '../../db/metering/write.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { probeRoutes } from './probe-routes.ts'

const database = await testDatabase()
const api = await startApi({ database, routes: probeRoutes })
const DENIED = { code: '42501' }
const clients = new Map<string, pg.Client>()
const served = [
  database.apiUrl,
  database.meterUrl,
  database.gatewayUrl,
  database.accountUrl,
  database.consoleUrl,
  database.issuerUrl,
]
for (const url of [...served, database.ingestUrl]) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  clients.set(url, client)
}
afterAll(() => Promise.all([...clients.values()].map((client) => client.end())))

/** Runs a statement as a role. The tests run a thousand, so they share one connection per role. */
const as = async (url: string, sql: string) =>
  (await clients.get(url)!.query<Record<string, unknown>>(sql)).rows

const tables = await query<{ name: string }>(
  database.ownerUrl,
  `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
)
/** Tables that are accessible only through functions. */
const hidden = [
  'plans',
  'accounts',
  'api_keys',
  'identities',
  'operators',
  'page_sessions',
  'users',
  'user_invitations',
  'user_recovery_codes',
  'user_totp',
  'user_wallets',
  'wallet_challenges',
  'sign_in_tries',
  'issuer_records',
  'connect_kits',
  'connected_agents',
  'credit_periods',
  'credit_grants',
  'ledger_entries',
  'usage_days',
  'rate_states',
  'idempotent_answers',
  'outbox',
  'first_syncs',
  'portfolio_shares',
  'payment_owners',
  'payments',
  'payment_answers',
]

describe('S2 rights', () => {
  test.each(tables.map(({ name }) => name))('the serving roles cannot write %s', async (name) => {
    for (const url of served) {
      await expect(as(url, `delete from ${name}`)).rejects.toMatchObject(DENIED)
      await expect(as(url, `insert into ${name} default values`)).rejects.toMatchObject(DENIED)
      await expect(as(url, `truncate ${name}`)).rejects.toMatchObject(DENIED)
    }
    for (const url of served.slice(1))
      await expect(as(url, `select from ${name}`)).rejects.toMatchObject(DENIED)
  })

  test.each(hidden)('api and ingest can neither read nor write %s', async (name) => {
    const mayIngest = name === 'outbox'
    for (const url of [database.apiUrl, ...(mayIngest ? [] : [database.ingestUrl])])
      for (const statement of ['select from', 'delete from'])
        await expect(as(url, `${statement} ${name}`)).rejects.toMatchObject(DENIED)
  })

  test('no service role can change the schema, create roles or bypass rights', async () => {
    for (const url of [...served, database.ingestUrl]) {
      await expect(as(url, 'create table t (a int)')).rejects.toMatchObject(DENIED)
      await expect(as(url, 'create role evil')).rejects.toMatchObject(DENIED)
      await expect(as(url, 'drop table coins')).rejects.toMatchObject(DENIED)
      const [role] = await as(
        url,
        'select rolsuper, rolbypassrls, rolcreatedb, rolcreaterole from pg_roles where rolname = current_user',
      )
      expect(Object.values(role!)).toEqual([false, false, false, false])
    }
  })

  test('account, console, issuer, meter and gateway can execute only their functions, the other roles none', async () => {
    const rows = await query<{ role: string; functions: string[] }>(
      database.ownerUrl,
      `select r.rolname as role, coalesce(array_agg(p.proname::text order by p.proname::text)
         filter (where has_function_privilege(r.oid, p.oid, 'execute')), '{}') as functions
       from pg_roles r, pg_proc p where r.rolname in ('account', 'api', 'console', 'gateway', 'ingest', 'issuer', 'meter')
         and p.pronamespace = 'public'::regnamespace
         and (p.proname like '%payment%' or p.proname like 'operator\\_%' or p.proname ~ 'sync_(state|subject)$|^order_(sync|backfill)$|^backfill_states$' or p.proname ~ '(sign_in|issuer|invit|user|totp|recovery|wallet_challenge|_try$)' or p.proname ~ '^(account|(create|change|revoke|rotate)_account)_' or p.proname in ('authenticate', 'admit', 'ensure_periods', 'charge', 'charge_batch', 'charge_singly', 'charge_unflushed', 'flush_charges', 'charge_write',
           'charge_in_part', 'refund_charge', 'grant_credits', 'change_plan',
           'refresh_period', 'lock_period', 'post_entry', 'usage_by_day', 'identify', 'admit_agent', 'allow_agent', 'end_agent', 'operator_of', 'begin_page_session', 'end_page_session', 'retry_quarantined', 'acknowledge_incident', 'silence_incidents', 'end_silence', 'pause_source', 'limit_source', 'note_operator_action', 'note_refund', 'note_restore_check',
           'known_authorizations', 'connect_kit', 'create_connect_code', 'replay_write', 'apply_portfolio_writes', 'open_share', 'try_passcode', 'share_passcode_hash'))
       group by 1 order by 1`,
    )
    expect(rows).toEqual([
      {
        role: 'account',
        functions: [
          'account_agents',
          'account_keys',
          'account_kits',
          'account_of',
          'account_shares',
          'begin_page_session',
          'change_account_key',
          'change_account_kit',
          'connect_kit',
          'create_account_key',
          'create_account_kit',
          'create_account_share',
          'create_connect_code',
          'end_agent',
          'end_page_session',
          'revoke_account_key',
          'revoke_account_kit',
          'revoke_account_share',
          'rotate_account_share',
          'usage_by_day',
        ],
      },
      { role: 'api', functions: [] },
      {
        role: 'console',
        functions: [
          'acknowledge_incident',
          'backfill_states',
          'end_page_session',
          'end_silence',
          'exchange_sync_state',
          'invite_user',
          'limit_source',
          'note_operator_action',
          'note_refund',
          'note_restore_check',
          'operator_appoint',
          'operator_change_plan',
          'operator_create_key',
          'operator_of',
          'operator_open_account',
          'operator_revoke_key',
          'operator_top_up',
          'order_backfill',
          'order_sync',
          'pause_source',
          'reset_user',
          'retry_quarantined',
          'set_user_enabled',
          'silence_incidents',
          'sync_subject',
          'wallet_sync_state',
        ],
      },
      {
        role: 'gateway',
        functions: [
          'answer_unproven_payment',
          'claim_payment',
          'clean_payments',
          'count_lost_payments',
          'count_open_payments',
          'doubt_payment',
          'end_payment_owner',
          'fail_payment',
          'known_authorizations',
          'lose_payment',
          'open_share',
          'payments_to_confirm',
          'release_payment',
          'renew_payment_owner',
          'settle_payment',
          'store_payment',
          'take_open_payments',
        ],
      },
      { role: 'ingest', functions: ['count_lost_payments', 'count_open_payments'] },
      {
        role: 'issuer',
        functions: [
          'accept_invitation',
          'add_user_wallet',
          'adopt_users',
          'allow_agent',
          'begin_code_try',
          'begin_network_try',
          'begin_sign_in',
          'change_user_password',
          'confirm_user_totp',
          'consume_issuer_record',
          'drop_issuer_record',
          'drop_user_totp',
          'invitation_of',
          'issuer_profile',
          'issuer_record',
          'issuer_user',
          'keep_issuer_record',
          'keep_user_totp',
          'keep_wallet_challenge',
          'note_sign_in',
          'pass_code_try',
          'pass_network_try',
          'pass_sign_in',
          'remove_user_wallet',
          'renew_recovery_codes',
          'revoke_issuer_grant',
          'take_wallet_challenge',
          'use_recovery_code',
          'use_totp_step',
          'user_of_wallet',
          'user_totp_secret',
          'user_wallet_list',
        ],
      },
      {
        role: 'meter',
        functions: [
          'admit',
          'admit_agent',
          'authenticate',
          'charge',
          'charge_batch',
          'charge_in_part',
          'charge_unflushed',
          'charge_write',
          'flush_charges',
          'identify',
          'open_share',
          'refund_charge',
          'replay_write',
        ],
      },
    ])
  })
})

describe('keys at rest', () => {
  test('S6 a revoked key stops working within 5 seconds on every server', async () => {
    const other = await startApi({ database, routes: probeRoutes })
    const { accountId, key, prefix } = await api.newAccount()
    for (const server of [api, other]) expect((await server.get('/probe', key)).status).toBe(200)
    expect(await revokeKey(api.owner, { accountId, prefix })).toEqual({ revoked: 1 })
    const revokedMs = Date.now()
    for (const server of [api, other])
      while ((await server.get('/probe', key)).status !== 401) {
        expect(Date.now() - revokedMs).toBeLessThan(5_000)
        await setTimeout(50)
      }
    expect(await revokeKey(api.owner, { accountId, prefix })).toEqual({ revoked: 0 })
  })

  test('no table contains the plain key', async () => {
    const { key } = await api.newAccount()
    await api.get('/probe', key)
    const where = tables.map(
      ({ name }) => `select '${name}' from ${name} t where t::text like '%' || $1 || '%'`,
    )
    expect(await query(database.ownerUrl, where.join(' union all '), [key.slice(8)])).toEqual([])
  })
})
