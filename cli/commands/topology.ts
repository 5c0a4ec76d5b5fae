import { supervise } from '../supervisor/supervise.ts'
import { startAll } from '../supervisor/start-all.ts'
import { topology, topologyPorts } from '../topology/layout.ts'

const APIS = 2
const WORKERS = 3

/** The topology of production as plain processes, until a signal comes. */
export async function run(): Promise<number> {
  return supervise({
    ports: topologyPorts(APIS),
    startAll: (parts) => startAll(parts, topology({ apis: APIS, workers: WORKERS })),
  })
}
