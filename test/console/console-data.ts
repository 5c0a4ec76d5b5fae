import type { Db } from '../../db/schema.ts'
import { query } from '../setup/query.ts'

/** Text that a browser must not interpret as HTML. */
export const HOSTILE = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`

/** A network whose head is followed on one of two branches, and one whose node refuses. */
export const FOLLOWS = `insert into network_follows
    (network_id, cursor_block, head_block, confirmed_block, advanced_at, mode, method, reason, node, held_until)
  values ('base-wallet', null, null, null, null, 'off', null, 'rpc:base-wallet: 403', null, null),
    ('ethereum', 1200, 1207, 1140, clock_timestamp(), 'blocks', 'receipts', null, 'eth.node.example',
      now() + interval '9 minutes');
  insert into network_rewinds (network_id, at, block_number, blocks)
  values ('ethereum', now() - interval '2 days', 900, 1), ('ethereum', now() - interval '2 hours', 1100, 2),
    ('ethereum', now() - interval '1 hour', 1100, 1);
  insert into quarantine (source, area, reason, payload, fetched_at)
  values ('rpc:ethereum', 'chain', 'block 1000: two nodes have different logs', '{}', now()),
    ('rpc:ethereum', 'chain', 'something else', '{}', now())`

/** What nodes of two networks spent of one account's month, and what one without an allowance spent. */
export const NODES = `insert into sources (name, area, account, quota, quota_per, unit)
    values ('ethereum vendor.example', 'nodes', 'vendor.example', 30000000, 'month', 'compute units');
  insert into source_usage (account, source, work, day, requests, units)
  select account, source, work, date_trunc('day', now(), 'UTC'), requests, units
  from (values ('vendor.example', 'rpc:ethereum', 'heads', 14000, 280000),
    ('vendor.example', 'rpc:ethereum', 'history', 1000, 60000), ('vendor.example', 'rpc:base-wallet', 'heads', 500, 10000),
    ('node.internal', 'rpc:base-wallet', 'heads', 43, 43)) as today (account, source, work, requests, units)`

/** Changed answers of two sources, one of them not seen often enough, with the answer that showed them. */
export const CHANGES = `insert into source_shapes (source, operation, shape, learnt, changes, answer)
  select source, operation, '{"kinds": ["array"]}', 10, jsonb_build_array(change), '{"text": "canary"}'
  from (values
    ('coingecko', '/coins/markets', jsonb_build_object('path', '["[]", "current_price"]'::jsonb,
      'field', '[].current_price', 'change', 'type', 'was', 'number', 'is', 'string', 'seen', 7,
      'driftedAt', now() - interval '2 hours', 'lastAt', now())),
    ('kalshi', '/markets', jsonb_build_object('path', '["[]", "<b>yes</b>"]'::jsonb, 'field', '[].<b>yes</b>',
      'change', 'vanished', 'was', 'number', 'is', null, 'seen', 5, 'driftedAt', now(), 'lastAt', now())),
    ('opensea', '/chain', jsonb_build_object('field', 'seen_once', 'change', 'appeared', 'was', null, 'is', 'null',
      'seen', 1, 'driftedAt', null, 'lastAt', now()))
  ) as found (source, operation, change)`

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000)
/** Long enough that a page shows the same text for an hour. */
const TEN_DAYS_S = 864_000

/** Inserts sources in each state and quarantined rows. Returns the ids of the rows. */
export async function insertSources(owner: Db) {
  const settings = (name: string, area: string, change: object = {}) => ({
    name,
    area,
    missing: null,
    freshness_target_s: 600,
    requests_per_second: 2,
    burst: 10,
    quota: null,
    quota_per: null,
    ...change,
  })
  await owner
    .insertInto('sources')
    .values([
      settings('coingecko', 'prices', { quota: 10_000, quota_per: 'month', unit: 'requests' }),
      settings('frankfurter', 'prices'),
      settings('decrypt', 'news'),
      settings('opensea', 'nft', { missing: 'OPENSEA_API_KEY' }),
      settings('binance', 'exchanges'),
    ])
    .execute()
  const state = (source: string, lagS: number, change: object = {}) => ({
    source,
    last_success_at: ago(lagS),
    last_failure_at: null,
    last_failure: null,
    consecutive_failures: 0,
    next_request_at: ago(lagS),
    ...change,
  })
  await owner
    .insertInto('source_states')
    .values([
      state('coingecko', 60),
      state('frankfurter', TEN_DAYS_S, {
        last_failure_at: ago(10),
        last_failure: 'frankfurter: status 500',
        next_request_at: ago(-TEN_DAYS_S),
      }),
      state('decrypt', 120),
      state('binance', 30),
    ])
    .execute()
  const hour = (hoursAgo: number) => new Date(Math.floor(Date.now() / 3_600_000 - hoursAgo) * 3_600_000)
  await owner
    .insertInto('source_hours')
    .values([
      { source: 'coingecko', hour: hour(0), requests: 40, failures: 0 },
      { source: 'coingecko', hour: hour(5), requests: 60, failures: 10 },
      { source: 'frankfurter', hour: hour(1), requests: 10, failures: 5 },
    ])
    .execute()
  const refused = (source: string, area: string, change: object) => ({
    source,
    area,
    reason: 'price: expected a number',
    payload: JSON.stringify({ id: 'x' }),
    fetched_at: ago(60),
    activity: null,
    input: null,
    ...change,
  })
  const rows = await owner
    .insertInto('quarantine')
    .values([
      refused('coingecko', 'prices', {
        payload: JSON.stringify({ id: 'evil', name: HOSTILE }),
        activity: 'refreshQuotes',
        input: JSON.stringify(null),
      }),
      refused('decrypt', 'news', {
        reason: `no news ${HOSTILE}`,
        payload: JSON.stringify({ text: 'x'.repeat(30_000) }),
      }),
      refused('binance', 'exchanges', {
        reason: 'canary-reason',
        payload: JSON.stringify({ amount: 'canary-payload' }),
        activity: 'syncStep',
        input: JSON.stringify({}),
      }),
    ])
    .returning('id')
    .execute()
  const [retryable, large, ofTenant] = rows.map(({ id }) => id)
  return { retryable: retryable!, large: large!, ofTenant: ofTenant! }
}

/** Inserts credits and payments of some days. The oldest payment is open: unknown whether it was charged. */
export async function insertMoney(ownerUrl: string, accounts: { big: string; small: string }) {
  const { big, small } = accounts
  await query(
    ownerUrl,
    `insert into usage_days (account_id, day, endpoint, calls, credits) values
       ($1, (now() at time zone 'UTC')::date, 'GET /coins', 300, 1500),
       ($2, (now() at time zone 'UTC')::date, 'GET /coins', 20, 100),
       ($1, (now() at time zone 'UTC')::date - 3, 'GET /news', 5, 10),
       ($1, (now() at time zone 'UTC')::date - 30, 'GET /coins', 1, 9999)`,
    [big, small],
  )
  await query(
    ownerUrl,
    `insert into payments (chain_id, asset, payer, nonce, amount, resource_key, authorization_hash, valid_before, state,
       claim, try_after, request, transaction, last_error, claimed_at, settled_at, settles)
     select 8453, '0x' || repeat('a', 40), '0x' || repeat('ca', 20), '0x' || lpad(n::text, 64, '0'), 1500, sha256(n::text::bytea),
       sha256(n::text::bytea), now(), state, gen_random_uuid(), now(),
       case when state in ('settling', 'unknown') then 'canary-request' end,
       case when state = 'settled' then '0x' || lpad(n::text, 64, 'f') end, error,
       now() - n * interval '1 minute', case when state = 'settled' then now() end, 1
     from (values (1, 'settled', null), (2, 'settled', null), (3, 'failed', 'insufficient_funds'),
                  (90, 'unknown', 'the facilitator did not answer')) p (n, state, error)`,
  )
}
