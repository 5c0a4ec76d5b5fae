import { choosePort } from './free-port.ts'

/** Where everything listens unless the port is taken: below the ports that systems give to outgoing connections. */
const DEFAULT_PORTS = {
  api: 8080,
  gateway: 8402,
  postgres: 15432,
  temporal: 17233,
  'temporal-ui': 18233,
  ethereum: 18545,
  'base-wallet': 18546,
  sandbox: 18080,
  facilitator: 18402,
  issuer: 18081,
}

/** A free port for each service: its own, or the next one that is free. */
export async function choosePorts(
  log: (line: string) => void,
  wanted: Readonly<Record<string, number>> = {},
): Promise<Record<string, number>> {
  const ports: Record<string, number> = {}
  for (const [name, preferred] of Object.entries({ ...DEFAULT_PORTS, ...wanted })) {
    const port = await choosePort(preferred, new Set(Object.values(ports)))
    if (port !== preferred) log(`port ${preferred} (${name}) is taken by another program; using ${port}`)
    ports[name] = port
  }
  return ports
}
