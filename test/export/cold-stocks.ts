import { FORMAT_VERSION } from '../../db/chain/stored-transaction.ts'
import { COLD_TABLES, type ColdTable } from '../../export/cold/cold-tables.ts'

type Run = (sql: string) => Promise<unknown>

/** Rows of a table of which the old ones, in 2025, may move, and how a test reads them. */
export interface ColdStock {
  table: ColdTable
  /** Neither moves: something has still to be read of some, and the month of the others is not over. */
  stays: number
  insert: (run: Run, old: number) => Promise<void>
  /** SQL of a row of the table as a text */
  text: string
  /** condition and columns of some moved rows in the catalog */
  picked: { where: string; columns: string }
}

const tableOf = (name: string): ColdTable => COLD_TABLES.find(({ dataset }) => dataset.name === name)!

/** SQL of an instant in 2025 for the row `n` of so many. */
const within = (old: number) => `timestamptz '2025-01-01Z' + n * (interval '364 days' / ${old})`
const DAY = `occurred_at >= timestamptz '2025-06-01 00:00:00Z' and occurred_at < timestamptz '2025-06-02 00:00:00Z'`

export const VOLUMES: ColdStock = {
  table: tableOf('ticker_exchange_volumes'),
  stays: 150,
  async insert(run, old) {
    await run(
      `insert into ticker_exchanges (id, name, rank, volume_24h_usd, at, charted_at, source, fetched_at)
       select id, id, 1, 1, '2026-02-09Z', case when id <> 'uncharted' then timestamptz '2024-01-01Z' end, 'test', now()
       from unnest('{one,"t,w\\"o",uncharted}'::text[]) as id`,
    )
    const volumes = (exchange: string, number: number, at: string) =>
      run(
        `insert into ticker_exchange_volumes (exchange_id, source, at, volume_24h_usd, fetched_at)
         select ${exchange}, case when n % 7 = 0 then '' else 'Text "of", ' || chr(10) || n % 3 end, ${at},
           case when n % 1000 = 1 then 2::numeric ^ 140 + n when n % 1000 = 2 then 0.1234567890123456789 else n / 8.0 end,
           ${at} + n * interval '1 microsecond' from generate_series(1, ${number}) as n`,
      )
    await volumes(`case when n % 2 = 0 then 'one' else 't,w"o' end`, old, within(old))
    await volumes(`'uncharted'`, 50, `timestamptz '2025-03-01Z' + n * interval '1 h'`)
    await volumes(`'one'`, 100, `timestamptz '2026-02-01Z' + n * interval '2 h'`)
  },
  text: 'row(exchange_id, source, at, trim_scale(volume_24h_usd), fetched_at)::text',
  picked: {
    where: `exchange_id = 'one' and ${DAY}`,
    columns: 'source, epoch_us(occurred_at)::varchar as at, volume_24h_usd_exact as volume',
  },
}

/** Block of the head of each network. */
export const HEAD = 100_000_000

export const TRANSACTIONS: ColdStock = {
  table: tableOf('transactions'),
  stays: 150,
  async insert(run, old) {
    await run(`insert into wallets (address) values ('0xone'), ('two')`)
    await run(
      `insert into wallet_syncs (wallet_id, network_id, cursor_block, head_block, normalised_block, normalised_version)
       select wallet.id, network.id, ${HEAD}, ${HEAD}, case when network.id = 'solana' then 10 else ${HEAD} end,
         ${FORMAT_VERSION}
       from wallets as wallet, networks as network where network.id in ('ethereum', 'base-wallet', 'solana')`,
    )
    const transactions = (network: string, number: number, at: string) =>
      run(
        `insert into transactions (network_id, hash, block_number, block_hash, at, tx_index, from_address, to_address, value,
           fee, success, selector, source, fetched_at)
         select ${network}, '0x' || encode(sha256(convert_to(${network} || n || ${at}, 'UTF8')), 'hex'), 10 + n,
           '0x' || encode(sha256(convert_to('block ' || n, 'UTF8')), 'hex'), ${at}, n % 200,
           case when n % 11 = 0 then '' else '0x' || substr(encode(sha256(convert_to('' || n % 5000, 'UTF8')), 'hex'), 1, 40) end,
           case when n % 7 > 0 then '0x' || substr(encode(sha256(convert_to('to ' || n % 900, 'UTF8')), 'hex'), 1, 40) end,
           case when n % 1000 = 1 then 2::numeric ^ 255 + n else n * 1e15 end, n * 21000::numeric, n % 5 > 0,
           case when n % 3 = 0 then '0xa9059cbb' end, 'Text "of", ' || chr(10) || n % 3, ${at} + n * interval '1 microsecond'
         from generate_series(1, ${number}) as n`,
      )
    await transactions(`(case when n % 3 = 0 then 'base-wallet' else 'ethereum' end)`, old, within(old))
    await transactions(`'solana'`, 50, `timestamptz '2025-03-01Z' + n * interval '1 h'`)
    await transactions(`'ethereum'`, 100, `timestamptz '2026-02-01Z' + n * interval '2 h'`)
  },
  text: 'own::text',
  picked: {
    where: `network_id = 'ethereum' and ${DAY}`,
    columns: `hash, epoch_us(occurred_at)::varchar as at, coalesce(unfit ->> 'value', value::varchar) as value, fee::varchar as fee,
      success, selector`,
  },
}
