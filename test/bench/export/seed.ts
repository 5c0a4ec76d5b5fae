import type pg from 'pg'

const WALLETS = 1_000

/** SQL for a random-looking hash of 64 hexadecimal digits. */
const hash = (seed: string) => `'0x' || md5(${seed}) || md5(${seed} || '-')`
const account = (seed: string) => `'0x' || left(md5(${seed}) || md5(${seed} || '-'), 40)`

/** Inserts transactions over two years, 100 per block, among 20,000 accounts. */
export async function seedTransactions(owner: pg.Pool, rows: number): Promise<void> {
  // Neither side uses the keys, and filling their indexes takes ten times as long as the rows.
  await owner.query('alter table transactions drop constraint transactions_pkey')
  await owner.query('drop index transactions_by_block, transactions_by_sender')
  await owner.query(
    `insert into transactions (network_id, hash, block_number, block_hash, at, tx_index, from_address, to_address, value,
       fee, success, selector, source, fetched_at)
     select 'ethereum', ${hash('n::text')}, n / 100, ${hash(`'block' || n / 100`)},
       timestamptz '2024-01-01Z' + n / 100 * (interval '2 years' * 100 / $1), n % 100, ${account('(n % 20000)::text')},
       ${account('(n * 7919 % 20000)::text')}, (hashint8(n)::bigint & 2147483647) * 1000000007::numeric * (n % 1000),
       21000 * (1000000000::numeric + n), n % 50 <> 0, '0xa9059cbb', 'bench', '2026-01-01Z'
     from generate_series(0, $1::bigint - 1) as n`,
    [rows],
  )
}

/** Inserts movements of a thousand wallets: amounts of 18 decimals, prices of 17 digits. */
export async function seedMovements(owner: pg.Pool, rows: number): Promise<void> {
  await owner.query('alter table movements drop constraint movements_pkey')
  await owner.query('drop index movements_by_block')
  await owner.query(
    `insert into movements (wallet_id, network_id, at, block_number, block_hash, tx_index, tx_hash, seq, role, coin_id, raw,
       decimals, counterparty, price_usd, price_at, price_source, source, fetched_at)
     select 1 + n % ${WALLETS}, 'ethereum', timestamptz '2024-01-01Z' + n / 100 * (interval '2 years' * 100 / $1), n / 100,
       ${hash(`'block' || n / 100`)}, n % 100, ${hash('n::text')}, 0, 'transfer', 'coin-' || n % 200,
       hashint8(n)::numeric * 1000000007, 18, ${account('(n % 20000)::text')},
       ((hashint8(n + 1)::bigint & 2147483647) / 7.0)::numeric(30, 15), '2026-01-01Z', 'bench', 'bench', '2026-01-01Z'
     from generate_series(0, $1::bigint - 1) as n`,
    [rows],
  )
}

/** Corrects the price of one wallet's oldest movement and adds a new movement. */
export async function changeOneWallet(owner: pg.Pool): Promise<void> {
  await owner.query(
    `update movements set price_usd = price_usd + 1 where wallet_id = 7
     and at = (select min(at) from movements where wallet_id = 7)`,
  )
  await owner.query(
    `insert into movements (wallet_id, network_id, at, block_number, block_hash, tx_index, tx_hash, seq, role, coin_id, raw,
       decimals, source, fetched_at)
     select wallet_id, network_id, at, block_number, block_hash, tx_index, 'now', seq, role, coin_id, raw, decimals, source,
       fetched_at from movements where wallet_id = 7 order by at desc limit 1`,
  )
  await owner.query(
    `insert into transactions select network_id, 'now', block_number, block_hash, at, tx_index, from_address, to_address, value, fee,
       success, selector, source, fetched_at from (select * from transactions order by at desc limit 1) as newest`,
  )
}
