/** SQL that declares nine more networks for each one, so that what each costs the others shows. */
export const TEN_TIMES_THE_NETWORKS = `insert into networks
  select (jsonb_populate_record(one, jsonb_build_object('id', id || '-copy-' || n, 'blockchain', blockchain || '-copy-' || n,
    'chain_id', 1000000000 + 10 * row_number() over (order by id, n)))).*
  from networks as one, generate_series(1, 9) as n`

/** SQL that takes them away. */
export const DECLARED_NETWORKS = `delete from networks where id like '%-copy-%'`
