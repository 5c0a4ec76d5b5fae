import { printRows } from '../print-rows.ts'

export interface StoredProtocol {
  id: string
  name: string
  logo: string
  url: string
  /** page that explains the health rate; null: there is none */
  healthUrl: string | null
  position: number
  networks: readonly string[]
}

/**
 * The tables `defi_protocols` and `defi_deployments`. Wallets are read only when marked, so the synced wallets of a
 * network are marked when a protocol is new there.
 */
export function printProtocols(protocols: readonly StoredProtocol[]): string {
  const names = printRows({
    table: 'defi_protocols',
    key: ['id'],
    rows: protocols.map(({ id, name, logo, url, healthUrl, position }) => ({
      id,
      name,
      logo,
      url,
      health_url: healthUrl,
      position,
    })),
  })
  const deployments = printRows({
    table: 'defi_deployments',
    key: ['network_id', 'protocol_id'],
    rows: protocols.flatMap(({ id, networks }) =>
      networks.map((network) => ({ network_id: network, protocol_id: id })),
    ),
  })
  return `-- From activities/defi/: "sluice openapi" writes this file.
${names};

with added as (
${deployments}
returning network_id
)
insert into defi_marks (wallet_id, network_id)
select wallet_id, network_id from wallet_syncs
where synced_at is not null and network_id in (select network_id from added)
order by 1, 2 on conflict do nothing;
`
}
